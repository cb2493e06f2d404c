// One worker at a time on a record: taking it is a conditional write that sets the end of a lease and counts the taking. Pure but
// for `writeWhileHeld`. Guarantees: a record whose worker died is free once its lease ends; a worker that was overtaken
// meanwhile is known by the count, and writes nothing more.
import { CONFLICT, retryConflicts } from './retry-conflicts.ts';

export interface LeasePolicy {
  /** Longer than the work of one taking and the write behind it. */
  readonly ms: number;
}

export interface Leased {
  readonly leaseUntilMs?: number | null;
  /** Takings so far. */
  readonly attempts: number;
}

/** True while a worker has it. One millisecond later, at its end, it is free. */
export const isHeld = ({ leaseUntilMs }: Pick<Leased, 'leaseUntilMs'>, nowMs: number): boolean =>
  (leaseUntilMs ?? 0) > nowMs;

/** As it is to be written on the condition that it is still as it was read. */
export const takeLease = <R extends Leased>(record: R, { ms }: LeasePolicy, nowMs: number): R => ({
  ...record,
  attempts: record.attempts + 1,
  leaseUntilMs: nowMs + ms,
});

/** `found` is still in the hands of the worker that wrote `mine`: nobody has taken it since. */
export const isSameTaking = (found: Leased, mine: Leased): boolean => found.attempts === mine.attempts;

export interface HeldWrite<S> {
  /** What is written, for the error: "a delivery". */
  readonly what: string;
  /** As this worker wrote it last; absent: it is read first. */
  readonly seen?: S;
  readonly read: () => Promise<S | null>;
  /** False where another worker has it by now, or it is over. */
  readonly isMine: (found: S) => boolean;
  /** One conditional write; false where the record is no longer `found`. */
  readonly write: (found: S) => Promise<boolean>;
}

/** False where the record is gone or no longer this worker's: nothing was written. Throws where others keep writing it. */
export async function writeWhileHeld<S>({ what, seen, read, isMine, write }: HeldWrite<S>): Promise<boolean> {
  let known: S | null = seen ?? null;
  return await retryConflicts({ what }, async () => {
    const found = known ?? (await read());
    if (found === null || (found !== seen && !isMine(found))) return false;
    known = null;
    return (await write(found)) ? true : CONFLICT;
  });
}
