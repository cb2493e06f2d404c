// How an invocation shares its time among slots: those of few rows are counted side by side, those of many one at a time.
// Guarantees: nothing is begun, and no slot of many rows goes on, once the share of time is over, so an invocation takes at
// most that and what one slot of a shard can hold.
import type { Clock } from '#lib/core/ports/clock.ts';

/** With the longest slot there is: a third of the function's timeout. */
const TIME_MS = 10_000;
/** A slot of more rows waits for its turn before it reads on. */
const FEW_ROWS = 500;

/** Thrown by a count that another invocation has to begin again. */
export class OutOfTime extends Error {}

export interface Turn {
  /** To be called with the rows that were read so far: waits for the turn, and throws `OutOfTime`. */
  readonly afterRows: (rows: number) => Promise<void>;
  readonly end: () => void;
}

export interface Turns {
  readonly next: () => Turn;
  readonly isOver: () => boolean;
}

export function createTurns({ now }: Clock): Turns {
  const overAtMs = now() + TIME_MS;
  const isOver = (): boolean => now() >= overAtMs;
  let last: Promise<void> = Promise.resolve();
  return {
    isOver,
    next: () => {
      let own: { readonly before: Promise<void>; readonly end: () => void } | undefined;
      return {
        afterRows: async (rows) => {
          if (rows <= FEW_ROWS || own !== undefined) return;
          const { promise, resolve } = Promise.withResolvers<void>();
          own = { before: last, end: resolve };
          last = promise;
          await own.before;
          if (isOver()) throw new OutOfTime('a slot of many rows is left to another invocation');
        },
        end: () => own?.end(),
      };
    },
  };
}
