// The outcomes of a batch's rows at one platform, by position. Pure: from the stored groups to the next ones.
// Guarantees: positions with equal deliveries share one group, no position is in two, and DELIVERED is taken back by its
// platform's own later word alone.
import type { BatchKey, BatchOutcomes, OutcomeGroup } from './batch.ts';
import { spelledConfirmation } from './confirmation.ts';
import type { Attempt, Delivery } from './delivery.ts';
import { deliveryDueMs, isParked } from './progress.ts';
import { mayFollow } from './transition.ts';

/** The outcomes before an item exists: every position is QUEUED. */
export function emptyOutcomes(batch: BatchKey, platform: string): BatchOutcomes {
  return { batch, platform, version: 0, groups: [], sweeps: 0 };
}

/** Undefined: QUEUED. */
export function deliveryAt(
  outcomes: Pick<BatchOutcomes, 'groups'> | undefined,
  position: number,
): Delivery | undefined {
  return outcomes?.groups.find(({ positions }) => positions.includes(position))?.delivery;
}

/** The groups after these positions changed; other positions keep their delivery. */
export function applyDeliveries(
  { groups }: Pick<BatchOutcomes, 'groups'>,
  changes: ReadonlyMap<number, Delivery>,
): readonly OutcomeGroup[] {
  const byPosition = new Map<number, Delivery>();
  for (const { positions, delivery } of groups)
    for (const position of positions) byPosition.set(position, delivery);
  for (const [position, delivery] of changes)
    if (delivery.state === 'DELIVERED' || mayFollow(byPosition.get(position), delivery))
      byPosition.set(position, delivery);
  return groupEqual(byPosition);
}

/** The item to write after these positions changed. A write is progress: the sweeper's count starts again. */
export function nextOutcomes(outcomes: BatchOutcomes, changes: ReadonlyMap<number, Delivery>): BatchOutcomes {
  const { dueAtMs: _, ...rest } = outcomes;
  const groups = applyDeliveries(outcomes, changes);
  const dueAtMs = nextDueMs(groups);
  const next = { ...rest, version: outcomes.version + 1, groups, sweeps: 0 };
  return dueAtMs === null ? next : { ...next, dueAtMs };
}

/** When the earliest of them must be read again; null = never. */
export function nextDueMs(groups: readonly OutcomeGroup[]): number | null {
  const times = groups.map(({ delivery }) => deliveryDueMs(delivery)).filter((atMs) => atMs !== null);
  return times.length === 0 ? null : Math.min(...times);
}

/**
 * The platform, if some of its deliveries wait for its connection: the due index lists the item with those, even if
 * others wait for something else.
 */
export function parkedIn({
  platform,
  groups,
}: Pick<BatchOutcomes, 'platform' | 'groups'>): string | undefined {
  return groups.some(({ delivery }) => isParked(delivery)) ? platform : undefined;
}

/** In the order of their first positions, so that equal outcomes make equal items. */
function groupEqual(byPosition: ReadonlyMap<number, Delivery>): readonly OutcomeGroup[] {
  const groups = new Map<string, Group>();
  let last: Group | undefined;
  for (const [position, delivery] of [...byPosition].sort(([a], [b]) => a - b)) {
    // Neighbours often share a delivery: comparing with the previous one avoids spelling it out.
    if (last === undefined || !isAlike(last.delivery, delivery)) {
      const text = spelled(delivery);
      last = groups.get(text) ?? { positions: [], delivery };
      groups.set(text, last);
    }
    last.positions.push(position);
  }
  return [...groups.values()];
}

interface Group {
  readonly positions: number[];
  readonly delivery: Delivery;
}

function isAlike(a: Delivery, b: Delivery): boolean {
  if (a === b) return true;
  return (
    DELIVERY_KEYS.every((key) => a[key] === b[key]) &&
    spelledConfirmation(a.confirmation) === spelledConfirmation(b.confirmation) &&
    a.history.length === b.history.length &&
    a.history.every((one, i) => ATTEMPT_KEYS.every((key) => one[key] === b.history[i]?.[key]))
  );
}

type DeliveryKey = Exclude<keyof Delivery, 'history' | 'confirmation'>;

/**
 * In the order of their spelling. A missing key does not compile, because two different deliveries would be taken for
 * one.
 */
const DELIVERY_KEYS = Object.keys({
  state: true,
  attempts: true,
  unknowns: true,
  updatedAtMs: true,
  deliveredAtMs: true,
  nextAttemptAtMs: true,
  leaseUntilMs: true,
  reason: true,
} as const satisfies Readonly<Record<DeliveryKey, true>>) as DeliveryKey[];

const ATTEMPT_KEYS = Object.keys({
  atMs: true,
  latencyMs: true,
  status: true,
  outcome: true,
  code: true,
  message: true,
  batchSize: true,
  version: true,
} as const satisfies Readonly<Record<keyof Attempt, true>>) as (keyof Attempt)[];

/** The same text for equal deliveries, with any order of their keys. */
function spelled(delivery: Delivery): string {
  const history = delivery.history.map((attempt) => ATTEMPT_KEYS.map((key) => attempt[key]));
  const confirmation = spelledConfirmation(delivery.confirmation);
  return JSON.stringify([DELIVERY_KEYS.map((key) => delivery[key]), history, confirmation]);
}
