// What a page of analytics waits for: every read over 90 days of a merchant who sent a million events, from the embedded host
// over HTTP. The counters are those of the real fold of rows, of each hour of a day, written through the store for 90 days.
import { Agent, request } from 'undici';
import { createCounterStore } from '#lib/adapters/dynamodb/events/counter-store.ts';
import { DAY_MS, floorTo, HOUR_MS, MINUTE_MS } from '#lib/core/work/time-slot.ts';
import type { BucketCounters } from '#lib/events/domain/analytics/analytics.ts';
import { FUNNEL } from '#lib/events/domain/analytics/funnel.ts';
import { sumCounters } from '#lib/events/domain/analytics/sum.ts';
import type { NormalizedRow } from '#lib/events/domain/event/row.ts';
import { foldBucket } from '#lib/events/pipeline/counting/count-rows.ts';
import { PLATFORMS } from '#lib/events/platforms/registry.ts';
import type { BucketKey } from '#lib/events/ports/counter-store.ts';
import { normalizedRow } from '../../contract/stored-rows.ts';
import { type EmbeddedHost, startEmbeddedHost, tablesOf } from '../embedded-host.ts';
import { atMost, figure, report, sized } from '../result.ts';
import { quantile } from '../rounds.ts';

const EVENTS = sized(1_000_000, 4_000);
/** Of the range that is asked for. */
const DAYS = 90;
const ROUNDS = sized(60, 2);
const READS = ['overview', 'volume', 'coverage', 'quality', 'funnel', 'revenue-attribution'] as const;
const CURRENCIES = ['EUR', 'USD', 'JPY', 'KWD'] as const;
const TOUCHES = [...PLATFORMS.map(({ slug }) => slug), 'direct'];
/** The current day is not over. */
const PER_HOUR = Math.ceil(EVENTS / (DAYS - 1) / 24);

const host = await startEmbeddedHost();
try {
  const events = await plant(host);
  const times = await ask(host);
  report({
    benchmark: 'analytics over 90 days',
    rows: [
      ...READS.map((name) => atMost(`${name}, p95`, quantile(times.get(name) ?? [], 0.95), 'ms', 300)),
      ...READS.map((name) => figure(`${name}, median`, quantile(times.get(name) ?? [], 0.5), 'ms')),
      figure('events behind them', events, 'events'),
    ],
    notes: [`${ROUNDS} requests each, one after another, answered whole by the embedded host`],
  });
} finally {
  await host.close();
}

/** Returns how many events the range has. */
async function plant(host: EmbeddedHost): Promise<number> {
  const { db, tableOf } = await tablesOf(host);
  const store = createCounterStore(db, tableOf(/analytics/i));
  const { merchant_id: merchantId } = host.session;
  const write = async (
    grain: BucketKey['grain'],
    startMs: number,
    counters: BucketCounters,
  ): Promise<void> => {
    const key = { merchantId, grain, startMs };
    const version = ((await store.read(key))?.version ?? 0) + 1;
    if (!(await store.write({ key, version, counters })))
      throw new Error('somebody else counts this merchant');
  };
  const nowMs = Date.now();
  const hours = Array.from({ length: 24 }, (_, hour) => countersOf(hour, PER_HOUR));
  const minute = countersOf(24, Math.ceil(PER_HOUR / 60));
  let planted = 0;
  // As many days as there are in the range before it as well: overview compares the two.
  for (let dayMs = floorTo(nowMs, DAY_MS) - (2 * DAYS - 1) * DAY_MS; dayMs <= nowMs; dayMs += DAY_MS) {
    const isCurrent = dayMs > floorTo(nowMs, DAY_MS) - DAYS * DAY_MS;
    const own = hours.filter((_, hour) => dayMs + (hour + 1) * HOUR_MS <= nowMs);
    for (const [hour, counters] of own.entries()) await write('hour', dayMs + hour * HOUR_MS, counters);
    const day = sumCounters(own);
    await write('day', dayMs, day);
    if (isCurrent) planted += day.events;
  }
  for (let atMs = floorTo(nowMs, HOUR_MS); atMs + MINUTE_MS <= nowMs; atMs += MINUTE_MS) {
    await write('minute', atMs, minute);
    planted += minute.events;
  }
  return planted;
}

function countersOf(seed: number, events: number): BucketCounters {
  const rows = Array.from({ length: events }, (_, i) => rowOf(seed * events + i));
  return foldBucket({ rows, merged: new Set(), platforms: PLATFORMS }).counters;
}

/** A tenth of the events are orders, of all currencies and platforms; some lack what helps to match them. */
function rowOf(i: number): NormalizedRow {
  const isOrder = i % 10 === 0;
  const name = isOrder ? 'Purchase' : (FUNNEL[i % (FUNNEL.length - 1)] ?? 'PageView');
  const touch = TOUCHES[i % TOUCHES.length] ?? 'direct';
  const updatedAtMs = Date.UTC(2026, 0, 1);
  const delivery = { state: 'DELIVERED', attempts: 1, unknowns: 0, updatedAtMs, history: [] } as const;
  return normalizedRow({
    eventId: `event-${i}`,
    event: {
      name,
      value: '19.99',
      currency: CURRENCIES[i % CURRENCIES.length] ?? 'EUR',
      issues: i % 7 === 0 ? [{ field: 'phone', code: 'phone_without_country_code' }] : [],
      ...(isOrder ? { credit: { touch } } : {}),
    },
    deliveries: Object.fromEntries(PLATFORMS.map(({ slug }) => [slug, delivery])),
  });
}

async function ask({ session }: EmbeddedHost): Promise<ReadonlyMap<string, number[]>> {
  const agent = new Agent({ connections: 1 });
  const times = new Map<string, number[]>(READS.map((name) => [name, []]));
  // The first round warms up.
  for (let round = 0; round <= ROUNDS; round++)
    for (const name of READS) {
      const beforeMs = performance.now();
      const answer = await request(`${session.api_url}/v1/analytics/${name}?range=90d`, {
        dispatcher: agent,
        headers: { authorization: `Bearer ${session.session_jwt}` },
      });
      const text = await answer.body.text();
      if (answer.statusCode !== 200) throw new Error(`${name}: ${answer.statusCode} ${text}`);
      if (round > 0) times.get(name)?.push(performance.now() - beforeMs);
    }
  await agent.close();
  return times;
}
