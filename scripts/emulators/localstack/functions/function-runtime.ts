// One Lambda function in a process of its own, invoked by LocalStack: what its runtime does in a container. Guarantees: loads the
// handler that `_HANDLER` names, says that it is ready or why it is not, and answers each invocation with what the handler
// returned, threw or streamed. A streamed answer is collected and given in one piece, as LocalStack's function URLs take it.
import { existsSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { json } from 'node:stream/consumers';
import { finished } from 'node:stream/promises';
import { pathToFileURL } from 'node:url';
import type { StreamingHandler } from '#lib/adapters/fastify/lambda-streaming.ts';
import {
  FunctionStream,
  isStreaming,
  LOCAL_STREAMING,
} from '#services/local/functions/response-streaming.ts';

type Handler = (event: unknown, context: object) => unknown;

interface Invocation {
  readonly 'invoke-id': string;
  readonly 'invoked-function-arn': string;
  readonly payload: string;
}

function variable(name: string): string {
  const value = process.env[name];
  if (value === undefined) throw new Error(`${name} is not set: LocalStack starts this`);
  return value;
}

async function post(path: string, body: string | Uint8Array<ArrayBuffer>): Promise<void> {
  const response = await fetch(`${variable('LOCALSTACK_RUNTIME_ENDPOINT')}${path}`, { method: 'POST', body });
  await response.arrayBuffer();
}

const described = (error: unknown): string => {
  const { name, message, stack } = error instanceof Error ? error : new Error(String(error));
  return JSON.stringify({ errorType: name, errorMessage: message, stackTrace: stack?.split('\n') });
};

/** `lambda.handler` is the export `handler` of `lambda.mjs`, `.js` or `.cjs`. */
async function load(): Promise<Handler | StreamingHandler> {
  const [, file = '', name = ''] = /^(.+)\.([^.]+)$/.exec(variable('_HANDLER')) ?? [];
  const path = ['.mjs', '.js', '.cjs']
    .map((ending) => join(variable('LAMBDA_TASK_ROOT'), file + ending))
    .find((candidate) => existsSync(candidate));
  if (path === undefined) throw new Error(`there is no file ${file}`);
  const { [name]: handler } = await import(pathToFileURL(path).href);
  if (typeof handler !== 'function') throw new Error(`${path} has no function ${name}`);
  return handler;
}

/** An answer in one piece: its head as JSON, eight NULs and its body. */
class WholeAnswer extends FunctionStream {
  readonly #parts: Buffer[] = [];

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: () => void): void {
    this.#parts.push(chunk);
    done();
  }

  bytes(): Uint8Array<ArrayBuffer> {
    return new Uint8Array(Buffer.concat(this.#parts));
  }
}

const id = variable('LOCALSTACK_RUNTIME_ID');
// As in Lambda, it is there from before the handler is loaded until the process ends.
Object.assign(globalThis, { awslambda: { ...LOCAL_STREAMING } });

const handler = await load().catch(async (error: unknown) => {
  console.error(error);
  await post(`/status/${id}/error`, described(error));
  process.exit(1);
});

async function answerOf(event: unknown, context: object): Promise<string | Uint8Array<ArrayBuffer>> {
  if (!isStreaming(handler)) return JSON.stringify((await handler(event, context)) ?? null);
  const answer = new WholeAnswer();
  await Promise.all([finished(answer), handler(event, answer, context)]);
  return answer.bytes();
}

async function invoke(invocation: Invocation): Promise<void> {
  const { 'invoke-id': requestId, payload } = invocation;
  const endsMs = Date.now() + Number(variable('AWS_LAMBDA_FUNCTION_TIMEOUT')) * 1_000;
  const context = {
    awsRequestId: requestId,
    invokedFunctionArn: invocation['invoked-function-arn'],
    functionName: process.env.AWS_LAMBDA_FUNCTION_NAME,
    functionVersion: process.env.AWS_LAMBDA_FUNCTION_VERSION,
    memoryLimitInMB: process.env.AWS_LAMBDA_FUNCTION_MEMORY_SIZE,
    getRemainingTimeInMillis: () => endsMs - Date.now(),
  };
  try {
    await post(`/invocations/${requestId}/response`, await answerOf(JSON.parse(payload), context));
  } catch (error) {
    console.error(error);
    await post(`/invocations/${requestId}/error`, described(error));
  }
}

createServer(async (request, response) => {
  const invocation = (await json(request)) as Invocation;
  response.end();
  await invoke(invocation);
}).listen(
  Number(variable('MILLRACE_INVOKE_PORT')),
  '127.0.0.1',
  () => void post(`/status/${id}/ready`, '{}'),
);
