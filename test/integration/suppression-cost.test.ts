// What a list of suppressed people reads, counted on the emulated tables as the bill counts it, however long it is.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createAttributionStore } from '../../lib/adapters/dynamodb/events/attribution-store.ts';
import { nationalPhone } from '../../lib/adapters/phone/national-phone.ts';
import { countryCode, regionCode } from '../../lib/adapters/regions/region-codes.ts';
import { normalizeIdentity } from '../../lib/events/domain/identity/normalize.ts';
import { listed, namesOfEvent } from '../../lib/events/pipeline/people/suppressed.ts';
import { type EmulatedTables, openModelledTables } from '../conformance/stores/emulated-table.ts';
import { MERCHANT, NOW_MS } from '../support/ingestion.ts';
import { createDynamoMeter, type DynamoMeter } from '../support/metering/dynamodb-metering.ts';

const LIST = 10_000;
const AT_ONCE = 500;
const digestOf = (i: number): string => listed(MERCHANT, 'key', [`email:${i}`])[0] ?? '';

let tables: EmulatedTables;
let meter: DynamoMeter;
let store: ReturnType<typeof createAttributionStore>;

beforeAll(async () => {
  tables = await openModelledTables(['analytics']);
  meter = createDynamoMeter();
  meter.attach(tables.db, 'list');
  store = createAttributionStore(tables.db, tables.nameOf('analytics'));
  for (let at = 0; at < LIST; at += AT_ONCE)
    await Promise.all(
      Array.from({ length: AT_ONCE }, (_, i) => store.suppress(MERCHANT, [digestOf(at + i)], NOW_MS)),
    );
}, 60_000);
afterAll(() => tables.close());

async function cost<T>(work: Promise<T>): Promise<{ found: T; units: number; calls: number }> {
  const before = meter.usage();
  const found = await work;
  const after = meter.usage();
  return { found, units: after.readUnits - before.readUnits, calls: callsOf(after) - callsOf(before) };
}
const callsOf = ({ calls }: ReturnType<DynamoMeter['usage']>): number =>
  Object.values(calls).reduce((sum, some) => sum + some, 0);

it.each([
  [{ email: 'jane@shop.example' }, 0.5],
  [{ email: 'jane@shop.example', customer_id: 'c-1', phone: '+447700900123' }, 2],
])('looks for who is named by %j with one call and %s units', async (user, units) => {
  const identity = normalizeIdentity(user, { nationalPhone, countryCode, regionCode });
  const digests = listed(MERCHANT, 'key', namesOfEvent(identity));
  const looked = await cost(store.suppressed(MERCHANT, digests));
  expect(looked).toEqual({ found: new Map(), units, calls: 1 });
});

it('finds one of ten thousand by a half unit, and counts them all by less than two hundred', async () => {
  const looked = await cost(store.suppressed(MERCHANT, [digestOf(7_777)]));
  expect(looked).toMatchObject({ found: new Map([[digestOf(7_777), NOW_MS]]), units: 0.5 });
  const counted = await cost(store.countSuppressed(MERCHANT, 100_001));
  expect(counted.found).toBe(LIST);
  expect(counted.units).toBeLessThan(200);
  expect(counted.calls).toBeLessThanOrEqual(4);
});
