// Writes the outcomes of a batch's rows at one platform: many answers in one write, with retries on concurrent writes.
// Guarantees: a success is never lost and never overwritten; an answer waits at most two seconds for others.
import { CONFLICT, retryConflicts } from '#lib/core/work/retry-conflicts.ts';
import { type BatchOutcomes, batchId } from '#lib/events/domain/deliveries/batch.ts';
import { deliveryAt, emptyOutcomes, nextOutcomes } from '#lib/events/domain/deliveries/batch-outcomes.ts';
import type { Delivery } from '#lib/events/domain/deliveries/delivery.ts';
import type { DeliverPorts } from './ports.ts';
import { inTurn, type Transition } from './transitions.ts';

/** If a worker crashes, answers it has not written count as unknown. */
const UNRECORDED_MAX_MS = 2_000;

export interface OutcomeWriter {
  /** Returns at once; noted answers are written together. */
  note(position: number, transition: Transition): void;
  /** True until an answer is noted. */
  isUntouched(): boolean;
  /** Resolves when everything noted is written. Rejects if some of it could not be. */
  finish(): Promise<void>;
}

export interface OutcomeWriterOptions {
  /** The item as last read or written. */
  readonly seen: BatchOutcomes;
  /** Number of answers to come. */
  readonly expected: number;
  readonly ports: Pick<DeliverPorts, 'batches' | 'pause'>;
  /** Called with positions whose outcome was written. */
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
  let isUntouched = true;
  let pending = new Map<number, Transition>();
  let writing: Promise<void> = Promise.resolve();
  const flush = (): void => {
    const transitions = pending;
    if (transitions.size === 0) return;
    pending = new Map();
    const before = writing;
    const written = (async () => {
      // Writes run one after the other, each on the item that the previous one left. A failure is reported at the end.
      await before.catch(() => undefined);
      const result = await changeOutcomes(current, (item) => applied(transitions, item), ports);
      current = result.outcomes;
      onWritten(result.positions);
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
      // Left behind at the cutoff and answered before that was written: both count.
      const earlier = pending.get(position);
      pending.set(position, earlier === undefined ? transition : inTurn([earlier, transition]));
      isUntouched = false;
      left -= 1;
      if (left === 0) flush();
      else if (pending.size === 1) flushLater(pending).catch(() => undefined);
    },
    isUntouched: () => isUntouched,
    finish() {
      flush();
      return writing;
    },
  };
}

export interface Changed {
  readonly outcomes: BatchOutcomes;
  /** Positions whose outcome was written. */
  readonly positions: ReadonlySet<number>;
}

/**
 * Writes the changes that `changesOf` makes to the current item, and tries again after a concurrent write. No change:
 * no write.
 */
export async function changeOutcomes(
  seen: BatchOutcomes,
  changesOf: (current: BatchOutcomes) => ReadonlyMap<number, Delivery>,
  { batches }: Pick<DeliverPorts, 'batches'>,
): Promise<Changed> {
  let current = seen;
  return await retryConflicts({ what: 'outcomes of a batch' }, async () => {
    const changes = changesOf(current);
    if (changes.size === 0) return { outcomes: current, positions: new Set() };
    const next = nextOutcomes(current, changes);
    if (await batches.writeOutcomes(next, current.version))
      return { outcomes: next, positions: new Set(changes.keys()) };
    current = await readOutcomes(current, batches);
    return CONFLICT;
  });
}

function applied(
  transitions: ReadonlyMap<number, Transition>,
  current: BatchOutcomes,
): Map<number, Delivery> {
  const changes = new Map<number, Delivery>();
  for (const [position, transition] of transitions) {
    const delivery = transition(deliveryAt(current, position));
    if (delivery !== null) changes.set(position, delivery);
  }
  return changes;
}

async function readOutcomes(
  { batch, platform }: Pick<BatchOutcomes, 'batch' | 'platform'>,
  batches: Pick<DeliverPorts['batches'], 'readMany'>,
): Promise<BatchOutcomes> {
  const items = await batches.readMany({ outcomes: [{ batch, platform }] }, 'strong');
  const [problem] = items.unreadable;
  if (problem !== undefined)
    throw new Error(`outcomes of batch ${batchId(batch)} cannot be read: ${problem.problem}`);
  return items.outcomes[0] ?? emptyOutcomes(batch, platform);
}
