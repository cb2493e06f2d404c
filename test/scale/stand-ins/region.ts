// What the stand-ins in this folder stand for: the region that runs, and the instance whose handler is being made. The
// product's handlers are loaded as they are; only the modules that reach outside are exchanged (exchange.ts).
import { AsyncLocalStorage } from 'node:async_hooks';
import type { KeyWrapper } from '#lib/adapters/vault/key-wrapper.ts';
import type { Random } from '#lib/core/ports/clock.ts';
import type { Transport } from '#lib/core/ports/transport.ts';

/** What one instance is given instead of clients of AWS and of the internet. */
export interface Outside {
  /** A client that tries so often. */
  readonly dynamodb: (attempts: number) => object;
  readonly sqs: object;
  readonly transport: Transport;
  readonly wrapper: KeyWrapper;
}

export interface RunningRegion {
  readonly now: () => number;
  readonly pause: (ms: number) => Promise<void>;
  readonly random: Random;
}

const making = new AsyncLocalStorage<Outside>();
let region: RunningRegion | undefined;

/** Makes a handler whose adapters find this outside. */
export function madeFor<T>(outside: Outside, make: () => Promise<T>): Promise<T> {
  return making.run(outside, make);
}

export function outside(): Outside {
  const found = making.getStore();
  if (found === undefined) throw new Error('a client was asked for outside of a handler that is being made');
  return found;
}

export function openRegion(running: RunningRegion): void {
  region = running;
}

export function currentRegion(): RunningRegion {
  if (region === undefined) throw new Error('no region runs');
  return region;
}
