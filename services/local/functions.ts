// The functions of the template, in this process: the module and the environment Lambda would get, without the bundle.
// Guarantees: a function is set up once; an invocation that takes longer than the template allows counts as failed, though
// nothing can stop it. Refuses: to start when one of them does not.
import { LocalProblem } from './problem.ts';
import type { FunctionSpec } from './topology.ts';

export type Handler = (event: unknown, context?: unknown) => Promise<unknown>;

export interface LoadedFunction {
  readonly spec: FunctionSpec;
  readonly invoke: Handler;
}

interface HandlerModule {
  readonly createHandler?: (env: Readonly<Record<string, string | undefined>>) => Promise<Handler>;
}

const ROOT = new URL('../../', import.meta.url);

/** By logical id. `environment` may change what a function gets to see. */
export async function loadFunctions(
  specs: readonly FunctionSpec[],
  environment: (spec: FunctionSpec) => Readonly<Record<string, string>>,
): Promise<ReadonlyMap<string, LoadedFunction>> {
  const loaded = await Promise.all(
    specs.map(
      async (spec): Promise<LoadedFunction> => ({ spec, invoke: await load(spec, environment(spec)) }),
    ),
  );
  return new Map(loaded.map((fn) => [fn.spec.id, fn]));
}

async function load(spec: FunctionSpec, env: Readonly<Record<string, string>>): Promise<Handler> {
  try {
    const module = (await import(new URL(spec.entry, ROOT).href)) as HandlerModule;
    if (module.createHandler === undefined) throw new Error('it exports no createHandler');
    return limited(spec, await module.createHandler(env));
  } catch (error) {
    throw new LocalProblem(`${spec.entry} cannot be started: ${String(error)}`, { cause: error });
  }
}

function limited(spec: FunctionSpec, handler: Handler): Handler {
  return async (event) => {
    const startedMs = performance.now();
    const context = {
      functionName: spec.id,
      awsRequestId: crypto.randomUUID(),
      getRemainingTimeInMillis: () => Math.max(0, spec.timeoutMs - (performance.now() - startedMs)),
    };
    let timer: NodeJS.Timeout | undefined;
    const timeout = new Promise<never>((_resolve, reject) => {
      timer = setTimeout(
        () => reject(new Error(`${spec.service} did not answer within ${spec.timeoutMs / 1_000} s`)),
        spec.timeoutMs,
      );
    });
    try {
      return await Promise.race([handler(event, context), timeout]);
    } finally {
      clearTimeout(timer);
    }
  };
}
