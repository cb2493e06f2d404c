// So many pieces of work at once, and the rest waits its turn for a bounded time. Guarantees: what waited too long, or
// whose caller has gone, is never begun, so that a crowd is answered in time or not at all, and is not worked for in vain.
import pLimit from 'p-limit';

export interface TurnsOptions {
  readonly atOnce: number;
  /** How long a piece may wait before it is begun. */
  readonly waitMaxMs: number;
  readonly now: () => number;
}

/** `isWanted` is asked when the turn has come. Resolves with `null` for work that was not begun. */
export type Turns = <T>(work: () => Promise<T>, isWanted?: () => boolean) => Promise<T | null>;

export function createTurns({ atOnce, waitMaxMs, now }: TurnsOptions): Turns {
  const limit = pLimit(atOnce);
  return (work, isWanted = () => true) => {
    const untilMs = now() + waitMaxMs;
    return limit(async () => (now() > untilMs || !isWanted() ? null : await work()));
  };
}
