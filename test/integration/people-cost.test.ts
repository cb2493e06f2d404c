// What a page of a person's orders reads, counted on the emulated tables as the bill counts it: the person, the key that opens what
// is sealed, and the orders shown, however many the person has.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createDayKeyStore } from '../../lib/adapters/dynamodb/core/keys/day-keys.ts';
import { createAttributionStore } from '../../lib/adapters/dynamodb/events/attribution-store.ts';
import { createOrderStore } from '../../lib/adapters/dynamodb/events/order-store.ts';
import { createEventVault } from '../../lib/adapters/vault/event-vault.ts';
import { createVault } from '../../lib/adapters/vault/vault.ts';
import { HOUR_MS } from '../../lib/core/work/time-slot.ts';
import { readPerson } from '../../lib/events/routes/orders/people.ts';
import { type EmulatedTables, openModelledTables } from '../conformance/stores/emulated-table.ts';
import { type ApiHost, bodyOf, MINE, NOW, openApi } from '../contract/api-host.ts';
import { peopleOf } from '../contract/people-rows.ts';
import { createManualClock } from '../support/memory/clock.ts';
import { createMemoryDataKeys } from '../support/memory/config-stores.ts';
import { PLAIN_WRAPPER } from '../support/memory/event-vault.ts';
import { createDynamoMeter, type DynamoMeter } from '../support/metering/dynamodb-metering.ts';

const READ_UNITS_MAX = 4;
const PERSON = { email: 'jane@example.com', phone: '+49301234567', customer_id: 'c-1' };

let tables: EmulatedTables;
let meter: DynamoMeter;
let host: ApiHost;
let take: ReturnType<typeof peopleOf>;

beforeAll(async () => {
  tables = await openModelledTables(['analytics', 'config']);
  meter = createDynamoMeter();
  meter.attach(tables.db, 'people');
  const { db, nameOf } = tables;
  const dayKeys = createDayKeyStore(db, nameOf('config'));
  const clock = createManualClock(NOW);
  const vault = createVault({ wrapper: PLAIN_WRAPPER, keys: createMemoryDataKeys(), clock });
  const eventVault = () => createEventVault({ vault, dayKeys, clock });
  const stores = {
    people: createAttributionStore(db, nameOf('analytics')),
    orders: createOrderStore(db, nameOf('analytics')),
  };
  // It knows the merchant's data key, as any process that serves it, and the key of no day.
  host = await openApi(() => ({ ...stores, eventVault: eventVault() }));
  take = peopleOf({ ...host, ...stores, eventVault: eventVault() });
  for (let i = 0; i < 30; i++) {
    const orderId = `a-long-order-id-of-a-shop-${i}`;
    await take(
      { eventId: `event-${i}`, merchantId: MINE, receivedAtMs: NOW - i * HOUR_MS, event: { orderId } },
      { ...PERSON, browser_ids: { ttclid: 'clicked' } },
    );
  }
});
afterAll(() => tables.close());

async function page(cursor: string | null) {
  const query = { email: PERSON.email, ...(cursor === null ? {} : { cursor }) };
  const url = `/v1/people?${new URLSearchParams(query)}`;
  return bodyOf(readPerson, await host.call(url, { token: host.session('member') }));
}

it('reads at most four units for a page, the key that opens it included, and at most that for the next', async () => {
  let cursor: string | null = null;
  const units: number[] = [];
  const seen: string[] = [];
  do {
    const before = meter.usage().readUnits;
    const body = await page(cursor);
    units.push(meter.usage().readUnits - before);
    seen.push(...body.orders.map(({ order_id }) => order_id));
    cursor = body.next_cursor;
  } while (cursor !== null);
  expect(seen).toHaveLength(20);
  expect(Math.max(...units)).toBeLessThanOrEqual(READ_UNITS_MAX);
  expect(Math.min(...units)).toBeGreaterThan(0);
});

it('reads half a unit where there is no such person', async () => {
  const before = meter.usage().readUnits;
  await host.call('/v1/people?email=nobody%40example.com', { token: host.session('member') });
  expect(meter.usage().readUnits - before).toBeLessThanOrEqual(0.5);
});

const LEA = { email: 'lea@example.com' };
const TWO = { email: 'lee@example.com', phone: '+49301234500' };
const VISITOR = { email: 'lou@example.com', browser_ids: { fbp: 'fb.1.1795250000000.1098115397' } };

it.each([
  ['a lead with an address', 'Lead', LEA, [1, 0.5]],
  ['a lead with an address and a number', 'Lead', TWO, [2, 1]],
  // The order itself is one.
  ['an order without click, with an address and a cookie', 'Purchase', VISITOR, [3, 2]],
] as const)('writes and reads so many units for %s', async (_, name, person, units) => {
  const noted = async (eventId: string) => {
    const before = meter.usage();
    await take({ eventId, receivedAtMs: NOW, event: { name, orderId: eventId } }, person);
    const { readUnits, writeUnits } = meter.usage();
    return [writeUnits - before.writeUnits, readUnits - before.readUnits];
  };
  await noted(`${person.email}-the-key-of-the-day`);
  expect(await noted(`${person.email}-5f3c1f0e-59a5-4c4e-9d9f`)).toEqual(units);
});
