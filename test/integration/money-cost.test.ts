// What pages of figures read in the days of a time zone, at a rate for every day, counted on the emulated tables as the bill counts
// it. Half a year of a merchant of ten thousand events a day, with orders in two currencies credited to three places.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createCounterStore } from '../../lib/adapters/dynamodb/events/counter-store.ts';
import { createConfigStores } from '../../lib/adapters/dynamodb/events/routing/config-stores.ts';
import { DAY_MS, floorTo, HOUR_MS } from '../../lib/core/work/time-slot.ts';
import type { BucketCounters } from '../../lib/events/domain/analytics/analytics.ts';
import { digestOf, partsOfDay, partsOfHour } from '../../lib/events/domain/analytics/series.ts';
import { sumCounters } from '../../lib/events/domain/analytics/sum.ts';
import { type EmulatedTables, openModelledTables } from '../conformance/stores/emulated-table.ts';
import { type ApiHost, MINE, NOW, openApi } from '../contract/api-host.ts';
import { testMerchant } from '../support/ingestion.ts';
import { createSeededRandom } from '../support/memory/random.ts';
import { createDynamoMeter, type DynamoMeter } from '../support/metering/dynamodb-metering.ts';

const MINUTE_MS = 60_000;
const DAYS = 180;
const TODAY = floorTo(NOW, DAY_MS);
const CURRENCIES = ['EUR', 'USD'] as const;
const TOUCHES = ['direct', 'meta', 'google_ads'] as const;

let tables: EmulatedTables;
let meter: DynamoMeter;
let host: ApiHost;
const random = createSeededRandom('money');

beforeAll(async () => {
  tables = await openModelledTables(['analytics', 'config']);
  const { db, nameOf } = tables;
  const counters = createCounterStore(db, nameOf('analytics'));
  const config = createConfigStores(db, nameOf('config'), random);
  host = await openApi((ports) => ({
    counters,
    config: { ...ports.config, exchangeRates: config.exchangeRates },
  }));
  for (const currency of ['USD', 'GBP']) {
    const days = Array.from({ length: DAYS }, (_, i) => [
      new Date(TODAY - i * DAY_MS).toISOString().slice(0, 10),
      (0.5 + random.next()).toFixed(6),
    ]);
    await config.changeExchangeRates(MINE, 'EUR', currency, Object.fromEntries(days));
  }
  for (let dayMs = TODAY - (DAYS - 1) * DAY_MS; dayMs <= TODAY; dayMs += DAY_MS)
    await plantDay(counters, dayMs);
  meter = createDynamoMeter();
  meter.attach(db, 'pages');
}, 240_000);
afterAll(() => tables.close());

async function plantDay(counters: ReturnType<typeof createCounterStore>, dayMs: number): Promise<void> {
  const hours = Array.from({ length: 24 }, (_, hour) => dayMs + hour * HOUR_MS)
    .filter((startMs) => startMs + HOUR_MS <= NOW)
    .map((startMs) => {
      const pieces = [0, 10, 30, 40].map((minute) => ({
        startMs: startMs + minute * MINUTE_MS,
        counters: someCounters(),
      }));
      const parts = partsOfHour(pieces, startMs);
      return {
        startMs,
        counters: sumCounters(pieces.map((piece) => piece.counters)),
        ...(parts === undefined ? {} : { parts }),
      };
    });
  const ofToday = dayMs === TODAY || dayMs === TODAY - DAY_MS;
  if (ofToday)
    for (const { startMs, ...hour } of hours)
      await counters.write({ key: { merchantId: MINE, grain: 'hour', startMs }, version: 1, ...hour });
  const parts = partsOfDay(hours);
  await counters.write({
    key: { merchantId: MINE, grain: 'day', startMs: dayMs },
    version: 1,
    counters: sumCounters(hours.map((hour) => hour.counters)),
    ...{ parts, cut: digestOf(parts) },
  });
}

/** Of a quarter of an hour or so. */
function someCounters(): BucketCounters {
  const money = () =>
    Object.fromEntries(
      CURRENCIES.slice(0, 1 + random.below(CURRENCIES.length)).map((currency) => [
        currency,
        { orders: 1 + random.below(5), minor: String(random.below(60_000)) },
      ]),
    );
  const credits = Object.fromEntries(
    TOUCHES.slice(0, 1 + random.below(TOUCHES.length)).map((touch) => [
      touch,
      { orders: random.below(5), unlinked: 0, revenue: money() },
    ]),
  );
  const delivered = (): number => random.below(100);
  const events = 80 + random.below(50);
  const deliveries = Object.fromEntries(
    ['meta', 'google_ads', 'tiktok', 'klaviyo'].map((slug) => [
      slug,
      {
        PageView: { DELIVERED: delivered(), consent_denied: delivered() },
        Purchase: { DELIVERED: delivered() },
      },
    ]),
  );
  return {
    ...sumCounters([]),
    ...{ events, deliveries, credits, revenue: money() },
    byName: { PageView: events - 10, Purchase: 10 },
    bySource: { server: 40, browser: events - 40 },
    latency: { count: delivered(), sumMs: random.below(100_000) },
    completeness: { email: delivered(), phone: delivered(), fbp: delivered() },
  };
}

/** Zones of quarter hours read the minutes of midnight beside, and more units. */
const ZONES = ['UTC', 'Europe/Berlin', 'America/New_York', 'Asia/Kolkata', 'Pacific/Auckland'];
const PAGES = [
  ['analytics/volume?range=90d', 60],
  ['analytics/revenue-attribution?range=90d', 60],
  // Two times ninety days, each day at its own rates.
  ['analytics/overview?range=90d', 80],
  ['analytics/overview?range=30d', 60],
] as const;

it.each(ZONES.flatMap((zone) => PAGES.map(([page, most]) => [zone, page, most] as const)))(
  'in %s, %s reads at most %i units',
  async (timeZone, page, most) => {
    await host.config.putMerchant({
      ...testMerchant(),
      merchantId: MINE,
      timeZone,
      reportingCurrency: 'EUR',
    });
    const before = meter.usage().readUnits;
    const reply = await host.call(`/v1/${page}`, { token: host.session('member') });
    const units = meter.usage().readUnits - before;
    expect([reply.status, units > 0]).toEqual([200, true]);
    expect(units).toBeLessThanOrEqual(most);
  },
);
