// How long the client waits, and for what: the one place of it that looks at clocks and chance.

export interface Patience {
  readonly signal: AbortSignal;
  readonly start: () => void;
  readonly rest: () => void;
}

/** Aborts when it was not rested in time. */
export function patienceOf(maxMs: number): Patience {
  const controller = new AbortController();
  let timer: ReturnType<typeof setTimeout>;
  const rest = (): void => clearTimeout(timer);
  const start = (): void => {
    rest();
    timer = setTimeout(() => controller.abort(), maxMs);
  };
  start();
  return { signal: controller.signal, start, rest };
}

export function wait(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = (): void => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop);
      resolve();
    }, ms);
    if (signal?.aborted) stop();
    else signal?.addEventListener('abort', stop);
  });
}

/** From once to twice as long. */
export const spread = (ms: number): number => ms * (1 + Math.random());
