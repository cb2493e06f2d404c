// Goal: what one merchant's keys together make the tables do in a day is bounded, whatever they ask and however often. Method: the
// real API over emulated tables, a budget of a day, and two keys that ask for what reads most, minute after minute; counted by a
// meter of its own, as the bill counts.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createUnitMeter } from '../../lib/adapters/concurrency/unit-meter.ts';
import { createLeaseStore } from '../../lib/adapters/dynamodb/core/lease-store.ts';
import { meterUnits } from '../../lib/adapters/dynamodb/core/metered-client.ts';
import { createBatchStore } from '../../lib/adapters/dynamodb/events/batches/store.ts';
import { createCounterStore } from '../../lib/adapters/dynamodb/events/counter-store.ts';
import { createEventStore } from '../../lib/adapters/dynamodb/events/rows/event-store.ts';
import { createUnitBudget } from '../../lib/core/tenancy/unit-budget.ts';
import { DAY_MS, floorTo, HOUR_MS, MINUTE_MS } from '../../lib/core/work/time-slot.ts';
import { createJoinedEventStore } from '../../lib/events/pipeline/outcomes-of-batches.ts';
import { type EmulatedTables, openTables } from '../conformance/stores/emulated-table.ts';
import { type ApiHost, codeOf, NOW, openApi, THEIRS } from '../contract/api-host.ts';
import { storeTogether } from '../contract/counted-rows.ts';
import { normalizedRow } from '../contract/stored-rows.ts';
import { createMemoryOrderStore } from '../support/memory/order-store.ts';
import { createDynamoMeter, type DynamoMeter } from '../support/metering/dynamodb-metering.ts';

const READ = 1_000;
const ROWS = 100;

let tables: EmulatedTables;
let meter: DynamoMeter;
let host: ApiHost;

beforeAll(async () => {
  tables = await openTables(['events', 'batches', 'analytics', 'rates']);
  const { db, nameOf } = tables;
  const events = createEventStore(db, nameOf('events'));
  const batches = createBatchStore(db, nameOf('batches'));
  const atMs = floorTo(NOW - HOUR_MS, 10 * MINUTE_MS);
  const rows = Array.from({ length: ROWS }, (_, i) =>
    normalizedRow({ eventId: `${atMs}-${String(i).padStart(28, '0')}`, receivedAtMs: atMs + i * 100 }),
  );
  await storeTogether({ events, batches }, rows, 'batch-00');
  meter = createDynamoMeter();
  meter.attach(db, 'day');
  const own = createUnitMeter();
  meterUnits(db, own.add);
  const leases = createLeaseStore(db, nameOf('rates'));
  host = await openApi(() => ({
    events: createJoinedEventStore(events, batches),
    stored: { events, batches, orders: createMemoryOrderStore() },
    counters: createCounterStore(db, nameOf('analytics')),
    units: { meter: own, ...createUnitBudget(leases, { read: READ, write: READ }) },
  }));
});
afterAll(() => tables.close());

const SEARCH = '/v1/events?search=nothing&limit=100';
const untilUtcMidnightSec = (nowMs: number) => (DAY_MS - (nowMs % DAY_MS)) / 1_000;

it('ends for all keys of the merchant when the day’s units are spent, and goes on the next day', async () => {
  const keys = [await host.keyFor(['admin']), await host.keyFor(['admin'])];
  const ask = (n: number, url = SEARCH) => host.call(url, { token: keys[n % 2]?.key ?? '' });
  let dearest = 0;
  let answered = 0;
  for (let n = 0; n < 500; n++) {
    const before = meter.usage().readUnits;
    const reply = await ask(n);
    dearest = Math.max(dearest, meter.usage().readUnits - before);
    if (reply.status === 200) answered += 1;
    else if (Number(reply.headers['retry-after']) > 60) break;
    // The limit of a minute is not what is meant here.
    host.clock.advance(MINUTE_MS);
  }
  const spent = meter.usage().readUnits;
  expect(answered).toBeGreaterThan(3);
  expect(spent).toBeGreaterThan(READ / 2);
  // The emulator, unlike AWS, leaves out of what it answers what an index consumes: a quarter of it here.
  expect(spent).toBeLessThanOrEqual(1.4 * READ + READ / 500 + dearest);
  // Whatever they ask, and whichever key.
  for (const url of ['/v1/events', '/v1/platforms', '/v1/deliveries']) {
    const refused = await ask(1, url);
    expect([refused.status, codeOf(refused)]).toEqual([429, 'rate_limited']);
    const waitSec = Number(refused.headers['retry-after']);
    expect(waitSec).toBe(Math.ceil(untilUtcMidnightSec(host.clock.now())));
  }
  expect(meter.usage().readUnits).toBe(spent);
  const theirs = await host.keyFor(['events:read'], THEIRS);
  expect((await host.call(SEARCH, { token: theirs.key })).status).toBe(200);
  host.clock.advance(untilUtcMidnightSec(host.clock.now()) * 1_000);
  expect((await ask(0)).status).toBe(200);
});
