// One worker at a time on a record: taking it is a conditional write that sets the end of a lease and counts the
// takings. Pure, except for `writeWhileHeld`. Guarantees: a record whose worker crashed is free once its lease ends; a
// worker whose record was taken by another one is recognized by the count, and writes nothing more.
import { CONFLICT, retryConflicts } from './retry-conflicts.ts';

export interface LeasePolicy {
  /** Longer than the work of one taking and the write after it. */
  readonly ms: number;
}

export interface Leased {
  readonly leaseUntilMs?: number | null;
  /** Takings so far. */
  readonly attempts: number;
}

/** True while a worker has it. It is free from `leaseUntilMs` on. */
export const isHeld = ({ leaseUntilMs }: Pick<Leased, 'leaseUntilMs'>, nowMs: number): boolean =>
  (leaseUntilMs ?? 0) > nowMs;

/** The record to write, on the condition that it is unchanged. */
export const takeLease = <R extends Leased>(record: R, { ms }: LeasePolicy, nowMs: number): R => ({
  ...record,
  attempts: record.attempts + 1,
  leaseUntilMs: nowMs + ms,
});

/** True if `found` is still held by the worker that wrote `mine`. */
export const isSameTaking = (found: Leased, mine: Leased): boolean => found.attempts === mine.attempts;

export interface HeldWrite<S> {
  /** What is written, for the error: "a delivery". */
  readonly what: string;
  /** As this worker last wrote it; absent: it is read first. */
  readonly seen?: S;
  readonly read: () => Promise<S | null>;
  /** False if another worker has it by now, or it is over. */
  readonly isMine: (found: S) => boolean;
  /** One conditional write; false if the record is no longer `found`. */
  readonly write: (found: S) => Promise<boolean>;
}

/**
 * False if the record is gone or no longer this worker's: nothing was written. Throws if other writers keep winning.
 */
export async function writeWhileHeld<S>({ what, seen, read, isMine, write }: HeldWrite<S>): Promise<boolean> {
  let known: S | null = seen ?? null;
  return await retryConflicts({ what }, async () => {
    const found = known ?? (await read());
    if (found === null || (found !== seen && !isMine(found))) return false;
    known = null;
    return (await write(found)) ? true : CONFLICT;
  });
}
