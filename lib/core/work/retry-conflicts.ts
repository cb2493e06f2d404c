// Optimistic concurrency: read, decide, write on the condition that nobody else wrote meanwhile; where somebody did, begin
// again with what is there now. Guarantees: ends, as an outage that may be over soon, where others keep writing; a failing
// read or write is no conflict and is thrown at once.
import { Outage } from './outage.ts';

/** What an attempt returns where its conditional write lost. */
export const CONFLICT = Symbol('conflict');

export interface Retries {
  /** What could not be written, for the error: "a delivery". */
  readonly what: string;
  /** 8 where absent. */
  readonly triesMax?: number;
  /** Waits after the attempt of this number, the first being 0. Without it the next one follows at once. */
  readonly pause?: (attempt: number) => Promise<void>;
  /** No attempt begins once it is true: whoever asked is waiting. */
  readonly isLate?: () => boolean;
}

export async function retryConflicts<T>(
  { what, triesMax = 8, pause, isLate }: Retries,
  attempt: () => Promise<T | typeof CONFLICT>,
): Promise<T> {
  for (let tried = 0; tried < triesMax; tried++) {
    const outcome = await attempt();
    if (outcome !== CONFLICT) return outcome;
    await pause?.(tried);
    if (isLate?.() === true) throw new Outage(`${what} could not be written in time: others wrote it first`);
  }
  throw new Outage(`${what} could not be written: others wrote it first, ${triesMax} times`);
}
