// The rows of a batch that still wait for the platform, and their lease: one write for all of them. Guarantees: a row
// that does not name this batch is neither sent nor given an outcome.
import {
  type BatchKey,
  type BatchOutcomes,
  batchId,
  type Manifest,
} from '#lib/events/domain/deliveries/batch.ts';
import { deliveryAt, emptyOutcomes } from '#lib/events/domain/deliveries/batch-outcomes.ts';
import type { Delivery } from '#lib/events/domain/deliveries/delivery.ts';
import { isAskDue, isParked, isSendable } from '#lib/events/domain/deliveries/progress.ts';
import { endWithout, isUnaccounted, lease, postpone } from '#lib/events/domain/deliveries/transition.ts';
import type { DeliveryWindow } from '#lib/events/domain/deliveries/window.ts';
import { readPlacedRows } from '#lib/events/pipeline/placed-rows.ts';
import type { Platform } from '#lib/events/platforms/platform.ts';
import { type Changed, changeOutcomes, createOutcomeWriter, type OutcomeWriter } from './batch-outcomes.ts';
import { type Candidate, ERASED, type JobReport, openInTime } from './candidates.ts';
import {
  type CircuitPermit,
  isSendableNow,
  type Parked,
  parkIfClosed,
  sameDelivery,
} from './circuit/circuit-permit.ts';
import type { DeliverPorts } from './ports.ts';
import { type Moment, unlessOver } from './transitions.ts';

export interface PointedBatch {
  readonly key: BatchKey;
  /** No worker can have sent any of its rows before. */
  readonly first: boolean;
}

export interface CollectedBatch {
  readonly candidates: readonly Candidate[];
  readonly writer: OutcomeWriter;
  /** Those express had no time left for: position → its window. */
  readonly unsent: ReadonlyMap<number, DeliveryWindow>;
}

/** Null if there is nothing to send. Throws if the batch cannot be read. */
export async function collectBatch(
  { key, first }: PointedBatch,
  {
    platform,
    target,
    permit: given,
  }: { readonly platform: Platform; readonly target: string; readonly permit: CircuitPermit },
  ports: DeliverPorts,
  report: JobReport,
): Promise<CollectedBatch | null> {
  const permit = platform.keepsBatches === true ? asOne(given) : given;
  const { manifest, outcomes } = await readBatch({ key, first }, target, ports);
  if (!first) noteAsked(manifest, outcomes, target, ports.clock.now(), report);
  const waits = (delivery: Delivery | undefined): boolean =>
    first ? delivery === undefined : isSendableNow(delivery, permit, ports.clock.now());
  const positions = manifest.rows.flatMap(({ targets }, position) =>
    targets.includes(target) && waits(deliveryAt(outcomes, position)) ? [position] : [],
  );
  if (positions.length === 0) return null;
  const rows = await readPlacedRows(manifest, target, positions, ports.events);
  const opened = new Map<number, Awaited<ReturnType<typeof openInTime>>>();
  const kept = new Map<number, Parked>();
  // Decrypt before the lease: a failure then costs no write and does not look like an attempt.
  for (const [position, row] of rows) {
    try {
      const how = { platform, target, isFirst: first, permit };
      const back = await parkIfClosed(row, deliveryAt(outcomes, position), how, ports);
      if (back === null) opened.set(position, await openInTime(row, how, permit.pursuit, ports));
      else if (back !== 'parked already') kept.set(position, back);
    } catch (error) {
      report.fail(batchId(key), error);
    }
  }
  const held = first
    ? { outcomes, positions: new Set(opened.keys()) }
    : await takeLease(outcomes, [...opened.keys()], ports);
  const mine = [...opened].filter(([position]) => held.positions.has(position));
  if (mine.length + kept.size === 0) return null;
  const writer = createOutcomeWriter({
    seen: held.outcomes,
    expected: mine.length + kept.size,
    ports,
    onWritten: (written) => {
      for (const position of written) {
        const row = rows.get(position);
        if (row !== undefined) report.changed(row);
      }
    },
  });
  const nowMs = ports.clock.now();
  const unsent = new Map<number, DeliveryWindow>();
  const to = (
    position: number,
    { window }: { readonly window: DeliveryWindow },
  ): Pick<Candidate, 'record' | 'fail' | 'unsent'> => ({
    record: async (transition) => writer.note(position, transition),
    fail: (error) => report.fail(batchId(key), error),
    unsent: () => void unsent.set(position, window),
  });
  const parked = [...kept].flatMap(([position, what]): Candidate[] => {
    const row = rows.get(position);
    return row === undefined
      ? []
      : [{ row, ...what, delivery: deliveryAt(outcomes, position), ...to(position, what) }];
  });
  const candidates = mine.flatMap(([position, event]): Candidate[] => {
    const row = rows.get(position);
    if (row === undefined) return [];
    if (event === null) {
      writer.note(
        position,
        unlessOver((previous) => endWithout(previous, 'ERROR', ERASED, nowMs)),
      );
      return [];
    }
    const delivery = deliveryAt(held.outcomes, position);
    return [
      {
        row,
        ...event,
        delivery,
        ...(first || delivery?.leaseUntilMs === undefined ? {} : { leaseUntilMs: delivery.leaseUntilMs }),
        ...to(position, event),
      },
    ];
  });
  return { candidates: [...candidates, ...parked], writer, unsent };
}

/** Of a batch that is kept together a probe sends all or nothing. */
function asOne(permit: CircuitPermit): CircuitPermit {
  let isAllowed: boolean | undefined;
  const allows = (): boolean => {
    isAllowed ??= permit.allows();
    return isAllowed;
  };
  return { ...permit, allows };
}

function noteAsked(
  { rows }: Manifest,
  outcomes: BatchOutcomes,
  target: string,
  nowMs: number,
  report: JobReport,
): void {
  const positions = rows.flatMap(({ targets, name }, position) => {
    const delivery = targets.includes(target) ? deliveryAt(outcomes, position) : undefined;
    const request = isAskDue(delivery, nowMs) ? delivery?.confirmation?.request : undefined;
    return request === undefined ? [] : [{ position, name, request }];
  });
  if (positions.length > 0) report.asked({ outcomes, positions });
}

/** On the first attempt a stale read is harmless: the conditional write of the outcome detects it. */
async function readBatch(
  { key, first }: PointedBatch,
  platform: string,
  { batches }: DeliverPorts,
): Promise<{ readonly manifest: Manifest; readonly outcomes: BatchOutcomes }> {
  const keys = { manifests: [key], outcomes: [{ batch: key, platform }] };
  // One combined query costs half; on a retry, when outcomes have grown, single reads cost less.
  let read = first ? await batches.ofBatch({ batch: key, platform }) : null;
  if (read === null || read.manifests.length === 0) read = await batches.readMany(keys, 'strong');
  const [manifest] = read.manifests;
  const problem = read.unreadable[0]?.problem ?? (manifest === undefined ? 'no manifest' : undefined);
  if (manifest === undefined || problem !== undefined)
    throw new Error(`batch ${batchId(key)} cannot be read: ${problem}`);
  return { manifest, outcomes: read.outcomes[0] ?? emptyOutcomes(key, platform) };
}

/** After a concurrent write, only rows that still wait are leased. */
function takeLease(seen: BatchOutcomes, positions: readonly number[], ports: DeliverPorts): Promise<Changed> {
  const leases = (current: BatchOutcomes): Map<number, Delivery> => {
    const nowMs = ports.clock.now();
    const changes = new Map<number, Delivery>();
    for (const position of positions) {
      const fate = deliveryAt(current, position);
      // A parked delivery that the gate let through is sent before its time, unless another process changed it
      // meanwhile.
      const isLetOut = isParked(fate) && sameDelivery(fate, deliveryAt(seen, position));
      if (isLetOut || isSendable(fate, nowMs)) changes.set(position, lease(fate, nowMs, isUnaccounted(fate)));
    }
    return changes;
  };
  return changeOutcomes(seen, leases, ports);
}

/**
 * A batch of which nothing was sent stays untouched. Of another one the rest is due at once, in the write that records the
 * answers: who sends it then knows that no other worker has.
 */
export function putOffUnsent(
  { key, writer, unsent }: CollectedBatch & { readonly key: BatchKey },
  ports: DeliverPorts,
  report: JobReport,
): void {
  if (unsent.size === 0) return;
  if (writer.isUntouched()) {
    report.unsent(batchId(key));
    return;
  }
  const moment: Moment = { nowMs: ports.clock.now(), random: 0.5 };
  for (const [position, window] of unsent)
    writer.note(position, (previous) =>
      previous === undefined ? postpone(previous, 'out_of_time', 0, { ...moment, ...window }) : null,
    );
  report.again(batchId(key));
}
