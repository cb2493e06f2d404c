// Changed slots → counters. Each slot is counted once per batch of hints; a slot counted a moment ago is put off.
// Stranded or waiting rows that the count finds go to recovery before the slot is written. Hours of merchants with many
// shards are summed here as well, and the counts decide how many shards a merchant should have. Guarantees: an
// invocation begins nothing after its share of time; hints it did not begin are sent again.

import { inParallel } from '#lib/adapters/concurrency/in-parallel.ts';
import type { BatchResult, MessageSender, Received } from '#lib/core/ports/queue.ts';
import { CONFLICT, retryConflicts } from '#lib/core/work/retry-conflicts.ts';
import type { TaskWork } from '#lib/events/domain/deliveries/task-work.ts';
import { byTenant } from '#lib/events/domain/pointer.ts';
import { inShard, shardOf } from '#lib/events/domain/shard.ts';
import { type ChangedMinute, countMinute, storeCount } from '#lib/events/pipeline/counting/count-minute.ts';
import type { CountPorts } from '#lib/events/pipeline/counting/ports.ts';
import { rollUpHour } from '#lib/events/pipeline/counting/roll-up.ts';
import { createShardGrowth, type ShardGrowth } from '#lib/events/pipeline/counting/shard-growth.ts';
import type { RecoveryPorts } from '#lib/events/pipeline/recovery/ports.ts';
import { recover, waitedIn } from '#lib/events/pipeline/recovery/recover.ts';
import { type BucketKey, CountersTooLarge } from '#lib/events/ports/counter-store.ts';
import type { ShardStore } from '#lib/events/ports/merchant-store.ts';
import { createFailingWatch, type FailingWatch } from './failing-watch.ts';
import {
  bucketName,
  bucketRefreshes,
  type CounterRefreshMessage,
  minuteNamed,
  packRefreshes,
  refreshesIn,
} from './message.ts';
import { createTurns, OutOfTime, type Turn } from './turns.ts';

/** At most this many counts of one slot in a row, if other processes keep writing it. */
const TRIES_MAX = 12;
/** A message group of their own, so that late hints wait behind new ones. */
const LATE_GROUP = 'late';
/** Counting a slot of few rows is mostly waiting for I/O. */
const MERCHANTS_AT_ONCE = 16;
/** A slot too large for one item is read a few times a day: each read covers all of its rows. */
const TOO_LARGE_MS = 6 * 3_600_000;

export type AggregateStage = (messages: readonly Received<CounterRefreshMessage>[]) => Promise<BatchResult>;

export type AggregateStagePorts = CountPorts &
  RecoveryPorts & {
    /** Its own queue, for hints that come too soon after the last count. */
    readonly counterRefresh: MessageSender<CounterRefreshMessage>;
    readonly shards: ShardStore;
    /** Called with the number of rows of a slot that have waited for their stage for too long. Absent in models of the pipeline. */
    readonly waiting?: (rows: number) => void;
    /** Absent in models of the pipeline. */
    readonly taskWork?: MessageSender<TaskWork>;
  };

export function createAggregateStage(ports: AggregateStagePorts): AggregateStage {
  const after = { growth: createShardGrowth(ports), failing: createFailingWatch(ports) };
  return async (messages) => {
    const minutes = new Map<string, HintedBucket>();
    const hours = new Map<string, HintedBucket>();
    messages.forEach(({ body, sentAtMs }, index) => {
      for (const { merchant, slots, hours: ownHours = [] } of refreshesIn(body)) {
        const hint = (into: Map<string, HintedBucket>, startMs: number, shard: number): void => {
          const id = `${merchant}/${startMs}/${shard}`;
          const fresh = { merchantId: merchant, startMs, changedAtMs: 0, indexes: [] };
          const slot: HintedBucket = into.get(id) ?? inShard(fresh, shard);
          slot.changedAtMs = Math.max(slot.changedAtMs, sentAtMs);
          slot.indexes.push(index);
          into.set(id, slot);
        };
        for (const { startMs, shard } of slots.map(minuteNamed)) hint(minutes, startMs, shard);
        for (const startMs of ownHours) hint(hours, startMs, 0);
      }
    });
    const failed = new Set<number>();
    const turns = createTurns(ports.clock);
    const late: BucketKey[] = [];
    const each = async (
      grain: 'minute' | 'hour',
      slots: ReadonlyMap<string, HintedBucket>,
      refresh: (slot: HintedBucket, turn: Turn) => Promise<void>,
    ): Promise<void> => {
      // Minutes of one merchant share an hour: concurrent counts would only conflict.
      const merchants = [...Map.groupBy(slots.values(), ({ merchantId }) => merchantId).values()];
      await inParallel(merchants, MERCHANTS_AT_ONCE, async (own) => {
        for (const slot of own) {
          const turn = turns.next();
          try {
            if (turns.isOver()) throw new OutOfTime();
            await refresh(slot, turn);
          } catch (error) {
            const { merchantId, startMs } = slot;
            const key: BucketKey = inShard({ merchantId, grain, startMs }, shardOf(slot));
            if (error instanceof OutOfTime) {
              late.push(key);
              continue;
            }
            ports.report('a slot could not be folded', error);
            if (error instanceof CountersTooLarge && (await isPutOff(key, ports))) continue;
            for (const index of slot.indexes) failed.add(index);
          } finally {
            turn.end();
          }
        }
      });
    };
    await each('minute', minutes, async (slot, turn) => {
      const untilMs = await refreshMinute(slot, ports, after, turn);
      if (untilMs !== null) await putOff(slot, untilMs, ports);
    });
    await each('hour', hours, ({ merchantId, startMs }) =>
      rollUpHour({ merchantId, grain: 'hour', startMs }, ports),
    );
    // A crash before this loses hints of slots that are due anyway.
    if (late.length > 0)
      await ports.counterRefresh.send(
        packRefreshes(bucketRefreshes(late)).map((body) => ({ body, groupId: LATE_GROUP })),
      );
    return { failedIndexes: [...failed].sort((a, b) => a - b) };
  };
}

/** True if its due time was moved: another hint would read all of its rows for nothing. */
async function isPutOff(key: BucketKey, { counters, clock, report }: AggregateStagePorts): Promise<boolean> {
  try {
    await counters.markDue(key, clock.now() + TOO_LARGE_MS);
    return true;
  } catch (error) {
    report('a slot could not be put off', error);
    return false;
  }
}

interface HintedBucket extends ChangedMinute {
  /** When its newest hint was sent. */
  changedAtMs: number;
  readonly indexes: number[];
}

/** Until when the slot rests, null if it is up to date. Throws if other writers keep winning. */
async function refreshMinute(
  slot: ChangedMinute,
  ports: AggregateStagePorts,
  { growth, failing }: { readonly growth: ShardGrowth; readonly failing: FailingWatch },
  turn: Turn,
): Promise<number | null> {
  return await retryConflicts({ what: 'a slot', triesMax: TRIES_MAX }, async () => {
    const count = await countMinute(slot, ports, turn);
    if ('untilMs' in count) return count.untilMs;
    const { rowsChanged } = await recover(count, ports);
    if (rowsChanged || !(await storeCount(count, ports))) return CONFLICT;
    ports.waiting?.(waitedIn(count));
    await growth.counted(count);
    await failing.counted(count);
    return null;
  });
}

async function putOff(
  { merchantId, ...slot }: ChangedMinute,
  untilMs: number,
  { counterRefresh, clock }: AggregateStagePorts,
): Promise<void> {
  const delaySec = Math.max(1, Math.ceil((untilMs - clock.now()) / 1_000));
  await counterRefresh.send(byTenant([{ merchant: merchantId, slots: [bucketName(slot)] }]), { delaySec });
}
