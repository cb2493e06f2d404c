// Goal: the operator raises and lowers what a merchant may do, ingestion follows, and the merchant cannot pass it by itself.
// Method: the function, ingestion and the account of the API over one emulated table.
import { beforeEach, describe, expect, it } from 'vitest';
import { createMerchantStore } from '#lib/adapters/dynamodb/events/merchants.ts';
import { rememberMerchants } from '#lib/adapters/dynamodb/events/remembered-merchants.ts';
import { createBrowserWindows } from '#services/events/ingestion/browser-limits.ts';
import { createServerLimit } from '#services/events/ingestion/server-limit.ts';
import { BROWSER, purchase, request, send, testIngestion } from '#test/support/ingestion.ts';
import { createManualClock } from '#test/support/memory/clock.ts';
import { createMemoryLeaseStore } from '#test/support/memory/lease-store.ts';
import { createDynamoMeter } from '#test/support/metering/dynamodb-metering.ts';
import { OPERATED_MS, type OperatorTables, openOperator } from '#test/support/operator.ts';

interface Limit {
  readonly value: number;
  readonly set_for: string;
}
interface Answered {
  readonly changed: readonly string[];
  readonly limits: Readonly<
    Record<
      'server_events_per_minute' | 'server_events_per_day' | 'browser_events_per_minute' | 'replays_per_day',
      Limit
    >
  >;
  readonly details: readonly { readonly path: string }[];
}

let opened: Awaited<ReturnType<typeof openOperator>>;
let tables: OperatorTables;
let asked: ReturnType<(typeof opened)['operator']>;
let id: string;
let key: string;
beforeEach(async () => {
  opened = await openOperator();
  ({ tables } = opened);
  asked = opened.operator();
  const { body } = await asked.ask<{
    readonly merchant: { readonly id: string };
    readonly keys: readonly { readonly secret: string }[];
  }>({ name: 'Shop', owner: 'owner@shop.example', keys: ['send'] });
  id = body.merchant.id;
  key = body.keys[0]?.secret ?? '';
  return () => tables.close();
});

const limits = (change: object = {}) =>
  asked.ask<Answered>({ merchant: id, ...change }, { path: 'merchants/limits' });

/** What a process lets pass of a small limit before it asks how much is left. */
const FREE = 1;

/** Of events sent one by one, how many are taken in a minute. */
async function taken(path: '/v1/events' | '/v1/browser/events', events: number): Promise<number> {
  const at = createManualClock(OPERATED_MS);
  const leases = createMemoryLeaseStore();
  const merchants = rememberMerchants(createMerchantStore(tables.db, tables.table), at);
  const { app } = testIngestion({
    config: { ...asked.ports.keys.evk, ...merchants },
    clock: at,
    limit: createServerLimit(leases, { eventsPerMinute: 3, eventsPerDay: 1_000 }),
    windows: createBrowserWindows(leases, { reached: async () => undefined }, 3),
  });
  let count = 0;
  for (let i = 0; i < events; i++) {
    const body = purchase({ event_id: `e${i}`, event_time: OPERATED_MS / 1_000, merchant_id: id });
    const headers = path === '/v1/events' ? { authorization: `Bearer ${key}` } : { 'user-agent': BROWSER };
    if ((await send(app, request(path, body, headers))).status === 202) count += 1;
  }
  return count;
}

describe('limits of a merchant', () => {
  it('are those of the deployment until the operator says something else', async () => {
    const { status, body } = await limits();
    expect([status, body.changed, body.limits]).toEqual([
      200,
      [],
      {
        server_events_per_minute: { value: 1_200_000, set_for: 'deployment' },
        server_events_per_day: { value: 5_000_000, set_for: 'deployment' },
        browser_events_per_minute: { value: 12_000, set_for: 'deployment' },
        replays_per_day: { value: 1_000_000, set_for: 'deployment' },
      },
    ]);
  });

  it('hold for its servers with the next event, higher or lower than for all, and by default again', async () => {
    expect(await taken('/v1/events', 8)).toBe(FREE + 3);
    const { body } = await limits({ server_events_per_minute: 6 });
    expect([body.changed, body.limits.server_events_per_minute]).toEqual([
      ['server_events_per_minute'],
      { value: 6, set_for: 'merchant' },
    ]);
    expect(await taken('/v1/events', 8)).toBe(FREE + 6);
    await limits({ server_events_per_minute: 1 });
    expect(await taken('/v1/events', 8)).toBe(FREE + 1);
    await limits({ server_events_per_minute: null });
    expect(await taken('/v1/events', 8)).toBe(FREE + 3);
  });

  it('hold for its servers in a day as well, by keys that follow', async () => {
    await limits({ server_events_per_minute: 100, server_events_per_day: 2 });
    expect(await taken('/v1/events', 8)).toBe(2 + 2);
    await limits({ server_events_per_day: null });
    expect(await taken('/v1/events', 8)).toBe(8);
  });

  it('hold for keys that are made afterwards, of every product', async () => {
    await limits({ server_events_per_minute: 6 });
    const again = await asked.ask<{ readonly keys: readonly { readonly secret: string }[] }>({
      name: 'Shop',
      owner: 'owner@shop.example',
      keys: ['send'],
      new_keys: true,
    });
    key = again.body.keys[0]?.secret ?? '';
    expect(await taken('/v1/events', 8)).toBe(FREE + 6);
  });

  it('hold for its pages as far as it allows them as much itself', async () => {
    const own = createMerchantStore(tables.db, tables.table);
    await own.updateMerchant(id, { browserIngestion: { eventsPerMinuteMax: 5 } });
    expect(await taken('/v1/browser/events', 8)).toBe(FREE + 3);
    await limits({ browser_events_per_minute: 600_000 });
    expect(await taken('/v1/browser/events', 8)).toBe(FREE + 5);
    await limits({ browser_events_per_minute: 2 });
    expect(await taken('/v1/browser/events', 8)).toBe(FREE + 2);
  });

  it('stay when the merchant changes its profile, and when it is suspended and goes on', async () => {
    await limits({
      replays_per_day: 7,
      browser_events_per_minute: 9,
      server_events_per_minute: 8,
      server_events_per_day: 900,
    });
    await createMerchantStore(tables.db, tables.table).updateMerchant(id, { name: 'Renamed' });
    await asked.ask({ merchant: id, reason: 'x' }, { path: 'merchants/suspend' });
    await asked.ask({ merchant: id }, { path: 'merchants/resume' });
    const { body } = await limits();
    expect(Object.values(body.limits).map(({ value }) => value)).toEqual([8, 900, 9, 7]);
    expect(await taken('/v1/events', 12)).toBe(FREE + 8);
  });

  it('are in its log by name and value, once', async () => {
    await limits({ replays_per_day: 7 });
    expect((await limits({ replays_per_day: 7 })).body.changed).toEqual([]);
    const log = await asked.audit.listAudit(id, 20);
    expect(
      log.filter(({ action }) => action === 'merchant.limit').map(({ actor, subject }) => [actor, subject]),
    ).toEqual([['operator:anna', 'replays_per_day=7']]);
  });

  it('cost an event no call more than another one', async () => {
    await limits({ server_events_per_minute: 6 });
    const meter = createDynamoMeter();
    meter.attach(tables.db, 'events');
    expect(await taken('/v1/events', 2)).toBe(2);
    expect(meter.usage().calls).toEqual({ GetItem: 2 });
  });

  it.each([
    ['none', { server_events_per_minute: 0 }, 400, 'server_events_per_minute'],
    ['half an event', { browser_events_per_minute: 1.5 }, 400, 'browser_events_per_minute'],
    [
      'more than any deployment takes',
      { browser_events_per_minute: 600_001 },
      400,
      'browser_events_per_minute',
    ],
    ['a word', { replays_per_day: 'many' }, 400, 'replays_per_day'],
    ['another limit', { retention_days: 3 }, 400, 'retention_days'],
    [
      'no merchant',
      { merchant: '6f1c1a52-4a3e-4b8f-9d0a-0a4f5f4d2c11', replays_per_day: 1 },
      404,
      'merchant',
    ],
  ])('are not changed by what is refused: %s', async (_what, change, status, path) => {
    const before = await tables.keys();
    const refused = await limits(change);
    expect([refused.status, refused.body.details[0]?.path]).toEqual([status, path]);
    expect(await tables.keys()).toEqual(before);
  });
});
