// Goal: the hourly recount finds every figure that is wrong, names it, has it mended, and says nothing of what merely moves.
import { expect, it } from 'vitest';
import type { BucketCounters } from '#lib/events/domain/analytics/analytics.ts';
import type { BucketKey } from '#lib/events/ports/counter-store.ts';
import { SYNTHETIC_PLATFORMS } from '#test/simulation/synthetic-platforms.ts';
import { PIPELINE_MERCHANT } from '#test/support/memory-pipeline.ts';
import { recountAll } from '#test/support/recount-run.ts';
import { openSyntheticShop } from '#test/support/synthetic-shop.ts';

const MINUTE_MS = 60_000;

/** An hour with two purchases and a crawler in it, sealed and over; its slots are not due any more. */
async function sealedHour() {
  const pipeline = openSyntheticShop({ credentials: { alpha: { token: 'a' } } });
  const event_source_url = 'https://shop.example/';
  for (const id of ['e1', 'e2'])
    await pipeline.take(id, { event_source_url, user_data: { email: 'jane@example.com', phone: 'none' } });
  await pipeline.drain();
  await pipeline.pass(125);
  const rows = () => pipeline.counters.rows();
  const reconcile = () =>
    recountAll({
      ...pipeline,
      people: pipeline.attribution,
      taskWork: pipeline.queues.tasks,
      platforms: SYNTHETIC_PLATFORMS,
      counterRefresh: pipeline.queues.counterRefresh,
      report: (problem, error) => {
        throw new Error(problem, { cause: error });
      },
      merchantIds: async function* () {
        yield PIPELINE_MERCHANT;
      },
      merchant: async () => null,
    });
  return {
    pipeline,
    pass: pipeline.pass,
    reconcile,
    slot: (grain: BucketKey['grain']) => {
      const found = rows().find(({ key }) => key.grain === grain);
      if (found === undefined) throw new Error(`no ${grain}`);
      return found;
    },
  };
}

type Hour = Awaited<ReturnType<typeof sealedHour>>;

async function overwrite(
  hour: Hour,
  grain: BucketKey['grain'],
  change: Partial<BucketCounters>,
  dueAtMs?: number,
) {
  const { key, version, counters } = hour.slot(grain);
  const row = { key, version: version + 1, counters: { ...counters, ...change } };
  expect(await hour.pipeline.counters.write(dueAtMs === undefined ? row : { ...row, dueAtMs })).toBe(true);
}

const NO_REVENUE = { unlinked: 0, revenue: {} };
const ONE_CENT = { EUR: { orders: 2, minor: '1' } };
const wrong: readonly [string, Partial<BucketCounters>][] = [
  ['events', { events: 3 }],
  ['bots', { bots: 1 }],
  ['merged', { merged: 1 }],
  ['bySource.server', { bySource: { server: 1 } }],
  ['byName.Lead', { byName: { Purchase: 2, Lead: 1 } }],
  ['deliveries.alpha.Purchase.DELIVERED', { deliveries: { alpha: { Purchase: { DELIVERED: 1 } } } }],
  ['latency.sumMs', { latency: { count: 2, sumMs: 1_000_000 } }],
  ['revenue.EUR.minor', { revenue: { EUR: { orders: 2, minor: '2101' } } }],
  ['revenue.constructor.orders', { revenue: { constructor: { orders: 1, minor: '0' } } as never }],
  ['issues.phone:literal_null', { issues: {} }],
  ['credits.constructor.orders', { credits: { constructor: { orders: 1, ...NO_REVENUE } } as never }],
  [
    'credits.direct.revenue.EUR.minor',
    { credits: { direct: { ...NO_REVENUE, orders: 2, revenue: ONE_CENT } } },
  ],
  ['repeatedOrders', { repeatedOrders: 1 }],
  ['replays', { replays: 1 }],
  ['examples.missing:fbc.0.1', { examples: { 'missing:fbc': [[1, 'other']] } }],
  ['completeness.email', { completeness: { email: 1 } }],
];

it.each(wrong)('finds and mends a minute whose %s is wrong', async (figure, change) => {
  const hour = await sealedHour();
  expect(hour.slot('minute').dueAtMs).toBeUndefined();
  const right = hour.slot('minute').counters;
  expect(await hour.reconcile()).toMatchObject({ merchants: 1, drift: 0, late: 0, differences: [] });
  await overwrite(hour, 'minute', change);
  await overwrite(hour, 'hour', change);
  const report = await hour.reconcile();
  expect(report.drift).toBeGreaterThan(0);
  expect(report.differences.map((difference) => difference.figure)).toContain(figure);
  expect(report.differences[0]).toMatchObject({ merchantId: PIPELINE_MERCHANT, grain: 'minute' });
  await hour.pipeline.drain();
  await hour.pass(2);
  expect(hour.slot('minute').counters).toEqual(right);
  expect(await hour.reconcile()).toMatchObject({ drift: 0, late: 0 });
});

it('finds and mends an hour that is not the sum of its minutes', async () => {
  const hour = await sealedHour();
  await overwrite(hour, 'hour', { revenue: ONE_CENT });
  const differences = [{ grain: 'hour', figure: 'revenue.EUR.minor', left: '1', right: '2100' }];
  expect(await hour.reconcile()).toMatchObject({ drift: 1, differences });
  await hour.pipeline.drain();
  expect(await hour.reconcile()).toMatchObject({ drift: 0 });
});

it('calls a minute that is still due late, not wrong, and has it counted again', async () => {
  const hour = await sealedHour();
  const change = { events: 1 };
  await overwrite(hour, 'minute', change, hour.pipeline.clock.now() + MINUTE_MS);
  await overwrite(hour, 'hour', change);
  expect(await hour.reconcile()).toMatchObject({ drift: 0, late: 1, differences: [] });
  await hour.pass(2);
  expect(await hour.reconcile()).toMatchObject({ drift: 0, late: 0 });
});
