// Marks a minute slot as due before rows of that minute and shard are written, once per minute, shard and process. The
// slot stays due until every row in it is over, so rows with lost messages are always found again. The mark also makes
// a shard counted and listed: no configuration says how many there are.
// Guarantees: a caller that continues knows that the slot is due and stays due, by its own write, or by reading another
// process's mark while the minute lasts. A fold removes the due time an hour after the end of the minute, never before.

import type { Clock, Random } from '#lib/core/ports/clock.ts';
import { DAY_MS, floorTo, MINUTE_MS, minuteOf } from '#lib/core/work/time-slot.ts';
import { inShard, shardOf } from '../../domain/shard.ts';
import type { CounterStore, SlotKey } from '../../ports/counter-store.ts';

/** Slots are folded for an hour after their end, so within that time a mark need not be repeated. */
const REMEMBERED_MS = 45 * 60_000;
const REMEMBERED_MAX = 10_000;
/** The next minute is marked between the first and the third quarter of the current one. */
const AHEAD_MS = MINUTE_MS / 4;
/**
 * If a thousand processes start at once, it is for one merchant; after this time only processes of busy merchants read
 * first.
 */
const YOUNG_MS = 10_000;
/** The latest due time of a mark of the current minute: its end, and the time a commit may take. */
const SOON_MS = 2 * MINUTE_MS;

/** Where a row is counted. */
export interface CountedAt {
  readonly merchantId: string;
  readonly receivedAtMs: number;
  /** Absent = 0. */
  readonly shard?: number;
}

export function countedAt({
  key,
  receivedAtMs,
  shard = 0,
}: Omit<CountedAt, 'merchantId'> & { readonly key: { readonly merchantId: string } }): CountedAt {
  return inShard({ merchantId: key.merchantId, receivedAtMs }, shard);
}

/** The minute slot that counts a row. */
export function slotOf({ merchantId, receivedAtMs, shard = 0 }: CountedAt): SlotKey {
  return inShard({ merchantId, grain: 'minute', startMs: minuteOf(receivedAtMs) }, shard);
}

export interface SlotMarker {
  /** Resolves once the slots of all these rows are due; a slot this process has marked before costs nothing. */
  markDue(rows: readonly CountedAt[]): Promise<void>;
  /** The same for a row whose commit took so long that its slot may have been folded without it. */
  markDueAgain(row: CountedAt): Promise<void>;
}

/**
 * `commitMs`: rows of a slot that is already over are committed within this time of the mark. `among`: the process is
 * one of many that serve the same merchants. While it is young it reads before it writes, and rows of busy merchants
 * mark the next minute as well, each process at a random moment, so that not all of them write when it begins.
 */
export function createSlotMarker(
  counters: Pick<CounterStore, 'markDue' | 'openShard' | 'read' | 'openedShards'>,
  clock: Clock,
  commitMs = 0,
  among?: Pick<Random, 'next'>,
): SlotMarker {
  const aheadMs = among === undefined ? Number.POSITIVE_INFINITY : AHEAD_MS * (1 + 2 * among.next());
  const youngUntilMs = among === undefined ? Number.NEGATIVE_INFINITY : clock.now() + YOUNG_MS;
  /** Merchants that many processes serve: they write to several shards, or a mark of theirs was throttled. */
  const busy = new Set<string>();
  const isBusy = ({ merchantId }: SlotKey): boolean => busy.has(merchantId);
  const looksFirst = (key: SlotKey): boolean => clock.now() < youngUntilMs || isBusy(key);
  const noteBusy = ({ merchantId }: SlotKey): void => {
    if (busy.size >= REMEMBERED_MAX) busy.clear();
    busy.add(merchantId);
  };
  /**
   * For a busy merchant all processes mark the same few items of one partition in the same second: they read first. For
   * any other merchant the one process that serves it writes, and reads only if the write failed.
   */
  const unlessDone = async (
    key: SlotKey,
    isDone: () => Promise<boolean>,
    write: () => Promise<void>,
  ): Promise<void> => {
    const looked = (): Promise<boolean> => isDone().catch(() => false);
    if (looksFirst(key) && (await looked())) return;
    try {
      await write();
    } catch (error) {
      noteBusy(key);
      if (!(await looked())) throw error;
    }
  };
  const once = rememberingOnce(clock);
  /** The shard is listed before its slot is due, so that every counted row is in a listed shard. */
  const openDay = async (key: SlotKey): Promise<void> => {
    const { merchantId, startMs } = key;
    const shard = shardOf(key);
    if (shard === 0) return;
    noteBusy(key);
    const dayMs = floorTo(startMs, DAY_MS);
    const isOpen = async (): Promise<boolean> =>
      (await counters.openedShards(merchantId, dayMs, dayMs + DAY_MS)).some((day) => day.shard === shard);
    await once(`${merchantId}/day/${dayMs}/${shard}`, Number.POSITIVE_INFINITY, () =>
      unlessDone(key, isOpen, () => counters.openShard(merchantId, dayMs, shard)),
    );
  };
  const write = (key: SlotKey): Promise<void> =>
    counters.markDue(key, Math.max(key.startMs + MINUTE_MS, clock.now() + commitMs));
  /** While the minute lasts no fold removes its due time: reading it is as good as writing it. */
  const isMarked = async (key: SlotKey): Promise<boolean> => {
    const { dueAtMs = Number.POSITIVE_INFINITY } = (await counters.read(key)) ?? {};
    return dueAtMs <= key.startMs + SOON_MS && clock.now() < key.startMs + MINUTE_MS;
  };
  const markDue = async (key: SlotKey): Promise<void> => {
    await openDay(key);
    await unlessDone(
      key,
      () => isMarked(key),
      () => write(key),
    );
  };
  const markDueOnce = (key: SlotKey): Promise<void> =>
    once(slotId(key), key.startMs + MINUTE_MS + REMEMBERED_MS, () => markDue(key));
  const isTimeForNext = (key: SlotKey): boolean => {
    if (!isBusy(key)) return false;
    const nowMs = clock.now();
    return nowMs >= key.startMs + aheadMs && nowMs < key.startMs + MINUTE_MS;
  };
  /** Awaited, since a frozen process would not finish it; once a minute, and harmless if it fails. */
  const markNextMinute = async (key: SlotKey): Promise<void> => {
    const next = { ...key, startMs: key.startMs + MINUTE_MS };
    await once(`${slotId(key)}/ahead`, Number.POSITIVE_INFINITY, () =>
      markDueOnce(next).catch(() => undefined),
    );
  };
  return {
    markDue: async (rows) => {
      const slots = rows.map(slotOf);
      await Promise.all([...slots.map(markDueOnce), ...slots.filter(isTimeForNext).map(markNextMinute)]);
    },
    markDueAgain: async (row) => {
      await openDay(slotOf(row));
      await write(slotOf(row));
    },
  };
}

const slotId = (key: SlotKey): string => `${key.merchantId}/${key.startMs}/${shardOf(key)}`;

type Once = (id: string, untilMs: number, act: () => Promise<void>) => Promise<void>;

/**
 * Does something once until a given time, unless it failed. Concurrent callers share one run: a batch marks its minute
 * once.
 */
function rememberingOnce(clock: Clock): Once {
  const begunBefore = new Map<string, Promise<void>>();
  return (id, untilMs, act) => {
    const known = begunBefore.get(id);
    if (known !== undefined && clock.now() < untilMs) return known;
    if (begunBefore.size >= REMEMBERED_MAX) begunBefore.clear();
    const begun = act();
    begunBefore.set(id, begun);
    begun.catch(() => {
      if (begunBefore.get(id) === begun) begunBefore.delete(id);
    });
    return begun;
  };
}
