// Sends pointers for what is due: rows and batches whose retry has come or whose lease has expired, and slots to fold,
// where rows are found whose messages were lost before the first attempt.
// Guarantees: it ends in a third of its timeout with any backlog; the rest continues in the drain queue, each merchant
// for itself.
import { inParallel } from '#lib/adapters/concurrency/in-parallel.ts';
import { SendFailure } from '#lib/core/ports/queue.ts';
import { dueBatches } from '#lib/events/pipeline/recovery/due-batches.ts';
import { dueEvents } from '#lib/events/pipeline/recovery/due-events.ts';
import { type DueSource, WAITING_MS } from '#lib/events/pipeline/recovery/due-source.ts';
import {
  enqueueRest,
  type KnownConnections,
  rememberConnections,
  type Scan,
  scanShard,
} from '#lib/events/pipeline/recovery/scan-shard.ts';
import { BUCKET_SHARDS, type BucketKey } from '#lib/events/ports/counter-store.ts';
import { bucketRefreshes, packRefreshes } from '../aggregate/message.ts';
import type { SweepPorts } from './ports.ts';

/** A third of its timeout. */
const BUDGET_MS = 18_000;
/** The answer of one query holds no more keys. */
const BUCKETS_PER_PAGE = 8_000;
/** One group for all hints of the sweep: if there are many, hints of events delivered just now go first. */
const BUCKET_GROUP = 'sweep';
const HINTS_AT_ONCE = 500;
const SHARDS_AT_ONCE = 8;

export interface SweepReport {
  readonly rows: number;
  /** Outcomes of batches. */
  readonly batches: number;
  readonly slots: number;
  /** Of all of them, those that have waited for too long. */
  readonly waiting: number;
}

export async function runSweep(ports: SweepPorts): Promise<SweepReport> {
  const untilMs = ports.clock.now() + BUDGET_MS;
  const connection = rememberConnections(ports.config);
  const parked = ports.windows === undefined ? {} : { parked: ports.windows.parked };
  const sweep = (source: DueSource): Promise<Swept> =>
    overShards(source.index.dueShards, (shard) =>
      sweepShard(source, shard, { ...ports, ...parked }, connection, untilMs),
    );
  const [slots, rows, batches] = await Promise.all([
    overShards(BUCKET_SHARDS, (shard) => sweepBuckets(shard, ports, untilMs)),
    sweep(dueEvents(ports.events)),
    sweep(dueBatches(ports.batches)),
  ]);
  await ports.windows?.tell();
  const waiting = rows.waiting + batches.waiting + slots.waiting;
  return { rows: rows.due, batches: batches.due, slots: slots.due, waiting };
}

type Swept = Pick<Scan, 'due' | 'waiting'>;

async function overShards(shards: number, sweep: (shard: number) => Promise<Swept>): Promise<Swept> {
  const numbers = Array.from({ length: shards }, (_, shard) => shard);
  const counts = await inParallel(numbers, SHARDS_AT_ONCE, sweep);
  return counts.reduce((sum, { due, waiting }) => ({ due: sum.due + due, waiting: sum.waiting + waiting }));
}

async function sweepShard(
  source: DueSource,
  shard: number,
  ports: SweepPorts,
  connection: KnownConnections,
  untilMs: number,
): Promise<Swept> {
  const { due, waiting, past } = await scanShard(source, shard, undefined, ports, connection, untilMs);
  if (past !== undefined) await enqueueRest(source, shard, past, ports);
  return { due, waiting };
}

/** Page after page, since buckets that last ten minutes stay due as long. What there is no time for comes with the next sweep. */
async function sweepBuckets(shard: number, ports: SweepPorts, untilMs: number): Promise<Swept> {
  const nowMs = ports.clock.now();
  const swept = { due: 0, waiting: 0 };
  let cursor: string | undefined;
  do {
    const page = await ports.counters.due(shard, nowMs, { pageMax: BUCKETS_PER_PAGE, cursor });
    await sendHints(
      page.due.map(({ key }) => key),
      ports,
    );
    for (const { key } of page.due) if (key.grain === 'minute') ports.unfinished?.(key.startMs);
    swept.due += page.due.length;
    swept.waiting += page.due.filter(({ dueAtMs }) => dueAtMs <= nowMs - WAITING_MS).length;
    cursor = page.cursor;
  } while (cursor !== undefined && ports.clock.now() < untilMs);
  return swept;
}

async function sendHints(keys: readonly BucketKey[], ports: SweepPorts): Promise<void> {
  const hints = packRefreshes(bucketRefreshes(keys));
  for (let at = 0; at < hints.length; at += HINTS_AT_ONCE)
    try {
      const some = hints.slice(at, at + HINTS_AT_ONCE);
      await ports.counterRefresh.send(some.map((body) => ({ body, groupId: BUCKET_GROUP })));
    } catch (error) {
      if (!(error instanceof SendFailure && error.refused)) throw error;
      ports.report('a counter refresh was refused by its queue', error);
    }
}
