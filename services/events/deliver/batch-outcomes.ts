// Writes what became of a batch's rows at one platform: many answers in one write, whatever others write to the item
// meanwhile. Guarantees: a success is never lost and never overwritten; an answer waits two seconds for others, not longer.
import { type BatchOutcomes, batchId } from '../../../lib/events/domain/batch.ts';
import { fateOf, nextOutcomes, untouched } from '../../../lib/events/domain/batch-outcomes.ts';
import type { Delivery } from '../../../lib/events/domain/delivery.ts';
import type { DeliverPorts } from './ports.ts';
import type { Transition } from './record.ts';

const TRIES = 8;
/** A worker that dies leaves the answers it has not written as unknown. */
const UNRECORDED_MAX_MS = 2_000;

export interface OutcomeWriter {
  /** Returns at once; what the answers become is written together. */
  note(position: number, transition: Transition): void;
  /** Resolves when all that was noted is written. Rejects when some of it could not be. */
  finish(): Promise<void>;
}

export interface OutcomeWriterOptions {
  /** The item as it was last read or written. */
  readonly seen: BatchOutcomes;
  /** Answers that are to come. */
  readonly expected: number;
  readonly ports: Pick<DeliverPorts, 'batches' | 'pause'>;
  /** Told of positions whose fate was written. */
  readonly onWritten: (positions: Iterable<number>) => void;
}

export function createOutcomeWriter({
  seen,
  expected,
  ports,
  onWritten,
}: OutcomeWriterOptions): OutcomeWriter {
  let current = seen;
  let left = expected;
  let pending = new Map<number, Transition>();
  let writing: Promise<void> = Promise.resolve();
  const flush = (): void => {
    const transitions = pending;
    if (transitions.size === 0) return;
    pending = new Map();
    const before = writing;
    const written = (async () => {
      // One write after the other: each goes on from what the one before left. One that failed says so at the end.
      await before.catch(() => undefined);
      const result = await writeOutcomes(current, transitions, ports);
      current = result.outcomes;
      onWritten(result.changed);
    })();
    writing = Promise.all([before, written]).then(() => undefined);
    writing.catch(() => undefined);
  };
  const flushLater = async (transitions: typeof pending): Promise<void> => {
    await ports.pause(UNRECORDED_MAX_MS);
    if (pending === transitions) flush();
  };
  return {
    note(position, transition) {
      pending.set(position, transition);
      left -= 1;
      if (left === 0) flush();
      else if (pending.size === 1) flushLater(pending).catch(() => undefined);
    },
    finish() {
      flush();
      return writing;
    },
  };
}

/** Applies the transitions to the item as it is, again where somebody else wrote it first. */
async function writeOutcomes(
  seen: BatchOutcomes,
  transitions: ReadonlyMap<number, Transition>,
  { batches }: Pick<DeliverPorts, 'batches'>,
): Promise<{ readonly outcomes: BatchOutcomes; readonly changed: Iterable<number> }> {
  let current = seen;
  for (let attempt = 0; attempt < TRIES; attempt++) {
    const changes = new Map<number, Delivery>();
    for (const [position, transition] of transitions) {
      const delivery = transition(fateOf(current, position));
      if (delivery !== null) changes.set(position, delivery);
    }
    if (changes.size === 0) return { outcomes: current, changed: [] };
    const next = nextOutcomes(current, changes);
    if (await batches.writeOutcomes(next, current.version))
      return { outcomes: next, changed: changes.keys() };
    current = await readOutcomes(current, batches);
  }
  throw new Error('outcomes of a batch could not be recorded: they kept changing');
}

/** As they are now. Throws where they cannot be read. */
export async function readOutcomes(
  { batch, platform }: Pick<BatchOutcomes, 'batch' | 'platform'>,
  batches: Pick<DeliverPorts['batches'], 'readMany'>,
): Promise<BatchOutcomes> {
  const items = await batches.readMany({ outcomes: [{ batch, platform }] }, 'strong');
  const [problem] = items.unreadable;
  if (problem !== undefined)
    throw new Error(`outcomes of batch ${batchId(batch)} cannot be read: ${problem.problem}`);
  return items.outcomes[0] ?? untouched(batch, platform);
}
