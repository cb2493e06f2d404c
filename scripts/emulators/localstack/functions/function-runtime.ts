// One Lambda function in a process of its own, invoked by LocalStack: what its runtime does in a container. Guarantees: loads the
// handler that `_HANDLER` names, says that it is ready or why it is not, and answers each invocation with what the handler
// returned, threw or streamed. A streamed answer is collected and given in one piece, as LocalStack's function URLs take it.
import { existsSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { buffer, json } from 'node:stream/consumers';
import { pathToFileURL } from 'node:url';

type Handler = (event: unknown, context: object) => unknown;
type StreamingHandler = (event: unknown, stream: PassThrough, context: object) => Promise<void>;

interface Invocation {
  readonly 'invoke-id': string;
  readonly 'invoked-function-arn': string;
  readonly payload: string;
}

const STREAMING = Symbol('streaming');

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
async function load(): Promise<Handler & { readonly [STREAMING]?: StreamingHandler }> {
  const [, file = '', name = ''] = /^(.+)\.([^.]+)$/.exec(variable('_HANDLER')) ?? [];
  const path = ['.mjs', '.js', '.cjs']
    .map((ending) => join(variable('LAMBDA_TASK_ROOT'), file + ending))
    .find((candidate) => existsSync(candidate));
  if (path === undefined) throw new Error(`there is no file ${file}`);
  const { [name]: handler } = await import(pathToFileURL(path).href);
  if (typeof handler !== 'function') throw new Error(`${path} has no function ${name}`);
  return handler;
}

Object.assign(globalThis, {
  awslambda: {
    streamifyResponse: (handler: StreamingHandler) =>
      Object.assign(() => undefined, { [STREAMING]: handler }),
    HttpResponseStream: {
      from: (stream: PassThrough, head: unknown) => {
        stream.write(JSON.stringify(head));
        stream.write(Buffer.alloc(8));
        return stream;
      },
    },
  },
});

const id = variable('LOCALSTACK_RUNTIME_ID');
const handler = await load().catch(async (error: unknown) => {
  console.error(error);
  await post(`/status/${id}/error`, described(error));
  process.exit(1);
});

async function answerOf(event: unknown, context: object): Promise<string | Uint8Array<ArrayBuffer>> {
  const streaming = handler[STREAMING];
  if (streaming === undefined) return JSON.stringify((await handler(event, context)) ?? null);
  const stream = Object.assign(new PassThrough(), { setContentType: () => undefined });
  const [answer] = await Promise.all([buffer(stream), streaming(event, stream, context)]);
  return new Uint8Array(answer);
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
