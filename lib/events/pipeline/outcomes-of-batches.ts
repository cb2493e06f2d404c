// Rows joined with their outcomes: a row of a batch only names the item that has them. Reads through this module return
// all rows in one form, with `deliveries` and due time filled in.
// Guarantees: a row whose outcomes cannot be read counts as unreadable, never as unattempted.
import { CONFLICT, retryConflicts } from '../../core/work/retry-conflicts.ts';
import { type BatchOutcomes, type BatchPlace, batchId } from '../domain/deliveries/batch.ts';
import { deliveryAt, emptyOutcomes, nextOutcomes } from '../domain/deliveries/batch-outcomes.ts';
import type { Delivery } from '../domain/deliveries/delivery.ts';
import { nextDueMs, openTargets, targetsOf } from '../domain/deliveries/progress.ts';
import { mayFollow } from '../domain/deliveries/transition.ts';
import {
  type EventRow,
  type NormalizedRow,
  type RowsRead,
  type UnreadableRow,
  UnreadableRowError,
} from '../domain/event/row.ts';
import type { BatchItems, BatchStore, OutcomesKey } from '../ports/batch-store.ts';
import type { Consistency, EventStore, RowPatch } from '../ports/event-store.ts';

type PlacedRow = NormalizedRow & { readonly place: BatchPlace };

/** A try fails only if another row's outcome was written: so many writes can run at once. */
const TRIES_MAX = 100;

/** The event store with joined rows; rows outside batches cost no extra read. */
export function createJoinedEventStore(
  events: EventStore,
  batches: Pick<BatchStore, 'readMany' | 'writeOutcomes'>,
): EventStore {
  return {
    ...events,
    async read(key, near) {
      const row = await events.read(key, near);
      return row === null ? null : joinedRow(row, batches);
    },
    async readMany(keys, consistency = 'strong', near) {
      const { rows, unreadable } = await events.readMany(keys, consistency, near);
      const joined = await joinOutcomes(rows, batches, consistency);
      return { rows: joined.rows, unreadable: [...unreadable, ...joined.unreadable] };
    },
    // The archive stores the row's place but not its joined outcomes: a late outcome is still seen through the place.
    archive: (row) => events.archive(withoutOutcomes(row)),
    putDelivery: (seen, patch) => putJoined(seen, patch, { events, batches }),
    // A row of a batch has no due time of its own, and is never held.
    reschedule: async (seen, dueAtMs, sweeps) =>
      !isPlaced(seen) && (await events.reschedule(seen, dueAtMs, sweeps)),
    release: async (seen, event) => !isPlaced(seen) && (await events.release(seen, event)),
    withdraw: async (seen, verdicts) => !isPlaced(seen) && (await events.withdraw(seen, verdicts)),
  };
}

/** Writes one delivery of a joined row, to the row or its batch. Null on conflict. */
export async function putJoined(
  seen: NormalizedRow,
  patch: RowPatch,
  {
    events,
    batches,
  }: {
    readonly events: Pick<EventStore, 'putDelivery' | 'hold'>;
    readonly batches: Pick<BatchStore, 'readMany' | 'writeOutcomes'>;
  },
): Promise<NormalizedRow | null> {
  const row = events.hold === undefined ? seen : await events.hold(seen);
  return isPlaced(row) ? await putOutcome(row, patch, batches) : await events.putDelivery(row, patch);
}

/** Read consistently. Throws `UnreadableRowError`. */
export async function joinedRow(row: EventRow, batches: Pick<BatchStore, 'readMany'>): Promise<EventRow> {
  const { rows, unreadable } = await joinOutcomes([row], batches, 'strong');
  const [joined] = rows;
  if (joined !== undefined) return joined;
  const [problem] = unreadable;
  throw problem === undefined ? new Error('a row got lost in the join') : new UnreadableRowError(problem);
}

/** The rows with their outcomes; rows whose outcomes cannot be read are set aside. */
export async function joinOutcomes(
  rows: readonly EventRow[],
  batches: Pick<BatchStore, 'readMany'>,
  consistency: Consistency,
): Promise<RowsRead> {
  const keys = outcomesKeys(rows.filter(isPlaced));
  if (keys.length === 0) return { rows, unreadable: [] };
  const items = await batches.readMany({ outcomes: keys }, consistency);
  const outcomes = Map.groupBy(items.outcomes, ({ batch }) => batchId(batch));
  const problems = problemsOf(items);
  const joined: EventRow[] = [];
  const unreadable: UnreadableRow[] = [];
  for (const row of rows) {
    const unread = unreadableIn(row, problems);
    if (unread !== undefined) unreadable.push(unread);
    else joined.push(isPlaced(row) ? withOutcomes(row, outcomes.get(batchId(row.place.batch)) ?? []) : row);
  }
  return { rows: joined, unreadable };
}

/** The row with its deliveries filled in. Items of other batches, and rows outside batches, are ignored. */
export function withOutcomes(row: NormalizedRow, outcomes: readonly BatchOutcomes[]): NormalizedRow {
  if (!isPlaced(row)) return row;
  const { batch, position } = row.place;
  const id = batchId(batch);
  const own = outcomes.filter((item) => batchId(item.batch) === id);
  const bare = withoutOutcomes(row);
  const deliveries: Record<string, Delivery> = {};
  for (const item of own) {
    const delivery = deliveryAt(item, position);
    if (delivery !== undefined) deliveries[item.platform] = delivery;
  }
  const joined = { ...bare, deliveries };
  // While a delivery is open, its item's due time is the row's.
  const open = new Set<string>(openTargets(joined).filter((slug) => deliveries[slug] !== undefined));
  const times = own.flatMap(({ platform, dueAtMs }) => (open.has(platform) ? (dueAtMs ?? []) : []));
  return times.length === 0 ? joined : { ...joined, dueAtMs: Math.min(...times) };
}

/** The row as it is stored. */
function withoutOutcomes<Row extends EventRow>(row: Row): Row;
function withoutOutcomes(row: EventRow): EventRow {
  if (!isPlaced(row)) return row;
  const { dueAtMs: _, ...rest } = row;
  return { ...rest, deliveries: {} };
}

/**
 * Writes one delivery of one row of a batch. Others of the batch may write at the same time: only a change of this
 * row's own delivery is a conflict. Returns the row after the write, with other platforms as they were read; null on
 * conflict.
 */
async function putOutcome(
  seen: PlacedRow,
  { platform, delivery }: RowPatch,
  batches: Pick<BatchStore, 'readMany' | 'writeOutcomes'>,
): Promise<NormalizedRow | null> {
  const { batch, position } = seen.place;
  const before = seen.deliveries[platform];
  if (!mayFollow(before, delivery)) return null;
  return await retryConflicts({ what: 'an outcome', triesMax: TRIES_MAX }, async () => {
    const items = await batches.readMany({ outcomes: [{ batch, platform }] }, 'strong');
    const [problem] = problemsOf(items).values();
    if (problem !== undefined) throw new UnreadableRowError(unreadableRow(seen, platform, problem));
    const stored = items.outcomes[0] ?? emptyOutcomes(batch, platform);
    if (!isSameFate(deliveryAt(stored, position), before)) return null;
    const next = nextOutcomes(stored, new Map([[position, delivery]]));
    if (!(await batches.writeOutcomes(next, stored.version))) return CONFLICT;
    const after = { ...withoutOutcomes(seen), deliveries: { ...seen.deliveries, [platform]: delivery } };
    const dueAtMs = nextDueMs(after);
    return dueAtMs === null ? after : { ...after, dueAtMs };
  });
}

/**
 * True if the stored delivery is the one that was read: every write has its own stamp, except an unknown that is noted
 * on a success.
 */
function isSameFate(a: Delivery | undefined, b: Delivery | undefined): boolean {
  return a?.updatedAtMs === b?.updatedAtMs && a?.state === b?.state && a?.unknowns === b?.unknowns;
}

const isPlaced = (row: EventRow): row is PlacedRow => row.state === 'normalized' && row.place !== undefined;

function outcomesKeys(rows: readonly PlacedRow[]): readonly OutcomesKey[] {
  const keys = rows.flatMap((row) =>
    targetsOf(row).map((platform) => ({ batch: row.place.batch, platform })),
  );
  return [...new Map(keys.map((key) => [outcomesText(key), key])).values()];
}

/** Outcome items that cannot be read, and why. */
const problemsOf = ({ unreadable }: BatchItems): ReadonlyMap<string, string> =>
  new Map(
    unreadable.flatMap(({ batch, platform, problem }) =>
      platform === undefined ? [] : [[outcomesText({ batch, platform }), problem] as const],
    ),
  );

function unreadableIn(row: EventRow, problems: ReadonlyMap<string, string>): UnreadableRow | undefined {
  if (!isPlaced(row)) return undefined;
  for (const platform of targetsOf(row)) {
    const problem = problems.get(outcomesText({ batch: row.place.batch, platform }));
    if (problem !== undefined) return unreadableRow(row, platform, problem);
  }
  return undefined;
}

const unreadableRow = ({ key, ingestId }: EventRow, platform: string, problem: string): UnreadableRow => ({
  key,
  ingestId,
  problem: `what became of it at ${platform}: ${problem}`,
  sweeps: 0,
});

const outcomesText = ({ batch, platform }: OutcomesKey): string => `${platform}/${batchId(batch)}`;
