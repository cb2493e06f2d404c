// Optimistic concurrency: read, decide, write on the condition that the record is unchanged; after a conflict, begin
// again with the current record. Guarantees: it ends, with a temporary outage if other writers keep winning; a failing
// read or write is not a conflict and is thrown at once.
import { Outage } from './outage.ts';

/** Returned by an attempt whose conditional write lost. */
export const CONFLICT = Symbol('conflict');

export interface Retries {
  /** What could not be written, for the error: "a delivery". */
  readonly what: string;
  /** 8 by default. */
  readonly triesMax?: number;
  /** Waits after attempt number `attempt`, counted from 0. Absent: no wait. */
  readonly pause?: (attempt: number) => Promise<void>;
  /** No attempt begins once it is true: the caller cannot wait any longer. */
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
