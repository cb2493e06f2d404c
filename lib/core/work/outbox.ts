// Commit with outbox: one conditional write changes a record and carries, inside the record, what must follow from it. Whoever
// finds something there carries it out before anything else is decided, so that what follows happens in the order of the
// commits and an outbox never holds more than one of them.
// Whoever finds what a commit left a moment ago waits and reads again: its writer is at work, and a crowd that did that work once
// more each would hold it up.
// Guarantees: what is decided is decided on a record from which nothing must follow any more; a commit whose following could not
// be carried out is a commit all the same, is reported, and stays due. Ends as an outage where others keep writing, or
// where what an earlier commit left cannot be carried out.
import { Outage } from './outage.ts';
import { CONFLICT, retryConflicts } from './retry-conflicts.ts';

const TRIES_MAX = 16;

export interface OutboxCommit<S, T> {
  /** What is written, for the error: "a ticket". */
  readonly what: string;
  /** A consistent read. */
  readonly read: () => Promise<S | null>;
  /** True while something must follow from it. */
  readonly isOpen: (stored: S) => boolean;
  /** True once whoever committed this has had the time to carry it out. Absent: at once. */
  readonly isLeft?: ((stored: S) => boolean) | undefined;
  /** Carries out what must follow and takes it from the record. As often as one likes; throws where some of it was not done. */
  readonly carryOut: (stored: S) => Promise<void>;
  /** Pure, but for new ids: called anew with each try. `next` null: nothing is written. */
  readonly decide: (stored: S | null) => { readonly next: S | null; readonly result: T };
  /** One conditional write; false where the record is no longer `before`. */
  readonly put: (next: S, before: S | null) => Promise<boolean>;
  readonly report: (problem: string, error: unknown) => void;
  /** A try fails only where somebody else wrote; 16 where absent. */
  readonly triesMax?: number | undefined;
  /** Waits after the try of this number, the first being 0. */
  readonly pause?: ((attempt: number) => Promise<void>) | undefined;
  /** No try begins once it is true. */
  readonly isLate?: (() => boolean) | undefined;
}

export async function commitWithOutbox<S, T>(commit: OutboxCommit<S, T>): Promise<T> {
  const { what, read, decide, put, report, pause, isLate } = commit;
  const retries = {
    what,
    triesMax: commit.triesMax ?? TRIES_MAX,
    ...(pause === undefined ? {} : { pause }),
    ...(isLate === undefined ? {} : { isLate }),
  };
  return await retryConflicts(retries, async () => {
    const found = await read();
    const stored = found !== null && commit.isOpen(found) ? await once(commit, found) : found;
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

/** The record once nothing must follow from it; a conflict where that is somebody else's work, or somebody wrote it meanwhile. */
async function once<S, T>(commit: OutboxCommit<S, T>, found: S): Promise<S | null | typeof CONFLICT> {
  const { read, isOpen, isLeft } = commit;
  if (isLeft?.(found) === false) return CONFLICT;
  await helpAlong(commit, found);
  const stored = await read();
  return stored !== null && isOpen(stored) ? CONFLICT : stored;
}

async function helpAlong<S, T>({ what, carryOut }: OutboxCommit<S, T>, found: S): Promise<void> {
  try {
    await carryOut(found);
  } catch (error) {
    throw new Outage(`what follows from an earlier change of ${what} could not be carried out`, {
      cause: error,
    });
  }
}
