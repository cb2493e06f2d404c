// The functions of the template, in this process: the module and the environment Lambda would get, without the bundle.
// Guarantees: a function is set up once; an invocation that takes longer than the template allows counts as failed, though
// nothing can stop it. Refuses: to start when one of them does not.
import type { FunctionContext, StreamingHandler } from '#lib/adapters/fastify/lambda-streaming.ts';
import { LocalProblem } from '../problem.ts';
import type { FunctionSpec } from '../stack/topology.ts';
import { isStreaming, type ResponseStream, withLocalStreaming } from './response-streaming.ts';

export type Handler = (event: unknown, context?: unknown) => Promise<unknown>;

/** Of a function that answers by stream. */
export interface Streamed {
  readonly stream: (event: unknown, response: ResponseStream) => Promise<void>;
}

export interface LoadedFunction {
  readonly spec: FunctionSpec;
  readonly invoke: Handler;
  /** What its function URL calls. */
  readonly serve: Handler | Streamed;
}

interface HandlerModule {
  readonly createHandler?: (
    env: Readonly<Record<string, string | undefined>>,
  ) => Promise<Handler | StreamingHandler>;
}

const ROOT = new URL('../../../', import.meta.url);

/** By logical id. `environment` may change what a function gets to see. */
export async function loadFunctions(
  specs: readonly FunctionSpec[],
  environment: (spec: FunctionSpec) => Readonly<Record<string, string>>,
  ended: Ended = () => {},
): Promise<ReadonlyMap<string, LoadedFunction>> {
  const loaded = await withLocalStreaming(() =>
    Promise.all(specs.map((spec) => load(spec, environment(spec), ended))),
  );
  return new Map(loaded.map((fn) => [fn.spec.id, fn]));
}

/** Called after each invocation with the function's service. */
type Ended = (service: string, failed: boolean) => void;

async function load(
  spec: FunctionSpec,
  env: Readonly<Record<string, string>>,
  ended: Ended,
): Promise<LoadedFunction> {
  try {
    const module = (await import(new URL(spec.entry, ROOT).href)) as HandlerModule;
    if (module.createHandler === undefined) throw new Error('it exports no createHandler');
    const handler = await module.createHandler(env);
    if (!isStreaming(handler)) {
      const invoke: Handler = (event) => limited(spec, ended, (context) => handler(event, context));
      return { spec, invoke, serve: invoke };
    }
    const stream: Streamed['stream'] = (event, response) =>
      limited(spec, ended, (context) => handler(event, response, context));
    const invoke: Handler = () => Promise.reject(new Error(`${spec.service} answers by stream only`));
    return { spec, invoke, serve: { stream } };
  } catch (error) {
    throw new LocalProblem(`${spec.entry} cannot be started: ${String(error)}`, { cause: error });
  }
}

/** FUNCTION_TIME_FACTOR is for tests of whole hosts, which share a machine that may be much slower than Lambda. */
const timeLimitMs = ({ timeoutMs }: FunctionSpec): number =>
  timeoutMs * Number(process.env.FUNCTION_TIME_FACTOR ?? 1);

async function limited<T>(
  spec: FunctionSpec,
  ended: Ended,
  run: (context: FunctionContext) => Promise<T>,
): Promise<T> {
  const startedMs = performance.now();
  const limitMs = timeLimitMs(spec);
  const context = {
    functionName: spec.id,
    awsRequestId: crypto.randomUUID(),
    getRemainingTimeInMillis: () => Math.max(0, limitMs - (performance.now() - startedMs)),
  };
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(
      () => reject(new Error(`${spec.service} did not answer within ${limitMs / 1_000} s`)),
      limitMs,
    );
  });
  let failed = true;
  try {
    const answer = await Promise.race([run(context), timeout]);
    failed = false;
    return answer;
  } finally {
    clearTimeout(timer);
    ended(spec.service, failed);
  }
}
