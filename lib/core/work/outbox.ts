// Commit with outbox: one conditional write changes a record and stores, inside the record, the effects that must
// follow. A process that reads a record with a filled outbox drains it before it decides anything, so effects happen in
// the order of the commits and an outbox never holds those of more than one.
// If the commit is very recent, the reader waits and reads again: its writer is draining it, and many processes
// repeating that work would hold the writer up.
// Guarantees: decisions are made on a record with an empty outbox; a commit whose outbox could not be drained is still
// committed, is reported, and stays due. Throws `Outage` if other writers keep winning, or if the outbox of an earlier
// commit cannot be drained.
import { withoutUndefined } from '#lib/core/values/without-undefined.ts';
import { Outage } from './outage.ts';
import { CONFLICT, retryConflicts } from './retry-conflicts.ts';

const TRIES_MAX = 16;

export interface OutboxCommit<S, T> {
  /** What is written, for the error: "a ticket". */
  readonly what: string;
  /** A consistent read. */
  readonly read: () => Promise<S | null>;
  /** True while its outbox is not empty. */
  readonly isOpen: (stored: S) => boolean;
  /** True once the committing process has had the time to drain it. Absent: at once. */
  readonly isAbandoned?: ((stored: S) => boolean) | undefined;
  /** Carries out the effects and empties the outbox. Idempotent; throws if an effect failed. */
  readonly carryOut: (stored: S) => Promise<void>;
  /** Pure, except for new ids: called again with each try. `next` null: no write. */
  readonly decide: (stored: S | null) => { readonly next: S | null; readonly result: T };
  /** One conditional write; false if the record is no longer `before`. */
  readonly put: (next: S, before: S | null) => Promise<boolean>;
  readonly report: (problem: string, error: unknown) => void;
  /** A try fails only if another process wrote the record; 16 by default. */
  readonly triesMax?: number | undefined;
  /** Waits after try number `attempt`, counted from 0. */
  readonly pause?: ((attempt: number) => Promise<void>) | undefined;
  /** No try begins once it is true. */
  readonly isLate?: (() => boolean) | undefined;
}

export async function commitWithOutbox<S, T>(commit: OutboxCommit<S, T>): Promise<T> {
  const { what, read, decide, put, report, pause, isLate } = commit;
  const retries = { what, triesMax: commit.triesMax ?? TRIES_MAX, ...withoutUndefined({ pause, isLate }) };
  return await retryConflicts(retries, async () => {
    const found = await read();
    const stored = found !== null && commit.isOpen(found) ? await drainFirst(commit, found) : found;
    if (stored === CONFLICT) return CONFLICT;
    const { next, result } = decide(stored);
    if (next === null) return result;
    if (!(await put(next, stored))) return CONFLICT;
    if (commit.isOpen(next))
      try {
        await commit.carryOut(next);
      } catch (error) {
        report(`what follows from ${what} was not all carried out, and is tried again when it is due`, error);
      }
    return result;
  });
}

/** The record with an empty outbox; a conflict if another process is still draining it, or wrote it in the meantime. */
async function drainFirst<S, T>(commit: OutboxCommit<S, T>, found: S): Promise<S | null | typeof CONFLICT> {
  const { read, isOpen, isAbandoned } = commit;
  if (isAbandoned?.(found) === false) return CONFLICT;
  await finishPreviousCommit(commit, found);
  const stored = await read();
  return stored !== null && isOpen(stored) ? CONFLICT : stored;
}

async function finishPreviousCommit<S, T>({ what, carryOut }: OutboxCommit<S, T>, found: S): Promise<void> {
  try {
    await carryOut(found);
  } catch (error) {
    throw new Outage(`what follows from an earlier change of ${what} could not be carried out`, {
      cause: error,
    });
  }
}
