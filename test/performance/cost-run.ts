// A minute of steady traffic, or ten events where they take longer, through the metered pipeline, and all that follows: what came in
// is worked off as often as it is gathered, every five seconds the counters are folded, every minute is swept; then each minute is swept
// and folded as long as it is open, and audited.
import { SPARSE_BUCKET_MS } from '../../lib/events/domain/shard.ts';
import type { MeteredPipeline } from './metered-pipeline.ts';
import { type Cost, costOf, less } from './metered-usage.ts';
import { mixedEvent, standardEvent } from './standard-event.ts';

export interface CostRunOptions {
  readonly events: number;
  readonly perSec: number;
  /** In one of so many spans of gathering comes what comes in all of them. Default 1. */
  readonly sampled?: number;
  /** Nothing but orders of new people. Default what a shop sends. */
  readonly orders?: true | undefined;
  /** Default the merchant's servers. Browser events of a name that no server sends wait for no copy. */
  readonly source?: 'browser' | undefined;
  /** Other events than those. */
  readonly eventAt?: EventAt | undefined;
}

export type EventAt = (index: number, timeSec: number) => ReturnType<typeof mixedEvent>;

export interface CostRun {
  /** Of the events: what a sweep costs that finds nothing is not in it. */
  readonly events: Cost;
  /** One sweep of tables in which nothing is due. */
  readonly idleSweep: Cost;
}

const SECOND_MS = 1_000;
const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;
/** Between two and three hours after the start of its hour; the clock starts within the first minutes of one. */
const AUDITED_AFTER_MS = 2.5 * HOUR_MS;
/** The window in which the counter-refresh queue gathers messages. */
const FOLD_EVERY_SEC = 5;
/** Before a minute that is over is folded on its own, and before it is sealed; see lib/events/pipeline/counting. */
const FIRST_FOLD_MS = 120_000;

export async function runMinute(pipeline: MeteredPipeline, options: CostRunOptions): Promise<CostRun> {
  const { clock } = pipeline;
  clock.advanceTo(Math.ceil(clock.now() / SPARSE_BUCKET_MS) * SPARSE_BUCKET_MS + SECOND_MS);
  const startMs = clock.now();
  const idleSweep = await costOf(pipeline, async () => void (await pipeline.sweep()));
  let sweeps = 0;
  const sweep = async (): Promise<void> => {
    sweeps += 1;
    await pipeline.sweep();
    await pipeline.run('aggregate');
  };
  const cost = await costOf(pipeline, async () => {
    const minutes = await traffic(pipeline, options, sweep);
    for (const dueMs of [FIRST_FOLD_MS, HOUR_MS])
      for (let minute = 1; minute <= minutes; minute++) {
        const atMs = startMs + minute * MINUTE_MS + dueMs + MINUTE_MS;
        // The traffic of many minutes has had its sweeps.
        if (atMs <= clock.now()) continue;
        clock.advanceTo(atMs);
        await sweep();
      }
    // The audit looks at the newest hour that was sealed an hour ago.
    clock.advanceTo(startMs + AUDITED_AFTER_MS);
    const { drift } = await pipeline.reconcile();
    if (drift !== 0) throw new Error(`the counters are wrong by ${drift}`);
    if (pipeline.problems.length > 0) throw pipeline.problems[0];
  });
  return { events: less(cost, idleSweep, sweeps), idleSweep };
}

/** Returns the minutes that were begun. */
async function traffic(
  pipeline: MeteredPipeline,
  {
    events,
    perSec,
    source,
    orders,
    sampled = 1,
    eventAt = orders === true ? standardEvent : mixedEvent,
  }: CostRunOptions,
  sweep: () => Promise<void>,
): Promise<number> {
  const { clock, gatherSec } = pipeline;
  let sent = 0;
  let second = 1;
  for (; sent < events; second++) {
    // As many as are due by now: a rate below one a second has seconds without any.
    const isSampled = sampled === 1 || second % (sampled * gatherSec) === 0;
    const until = isSampled ? Math.min(events, Math.floor(second * perSec)) : sent;
    const timeSec = Math.floor(clock.now() / SECOND_MS) - 60;
    const batch = Array.from({ length: until - sent }, (_, i) => eventAt(sent + i, timeSec));
    sent = until;
    if (batch.length > 0) await (source === 'browser' ? pipeline.browse(batch) : pipeline.ingest(batch, 1));
    if (second % gatherSec === 0 || sent === events) {
      await pipeline.run('normalize');
      await pipeline.run('fan-out');
      await pipeline.run('deliver', 'side by side');
    }
    clock.advance(SECOND_MS);
    if (second % FOLD_EVERY_SEC === 0) await pipeline.run('aggregate');
    if (second % 60 === 0) await sweep();
  }
  await pipeline.run('aggregate');
  return Math.ceil(second / 60);
}
