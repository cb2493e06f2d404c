// What it costs that Google is asked later, counted on the emulated tables as the bill counts it: an index entry with the success,
// and one write with the answer, of a row that stands alone as of a hundred in a batch. Other platforms write what they always did.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createBatchStore } from '../../lib/adapters/dynamodb/events/batches/store.ts';
import { createEventStore } from '../../lib/adapters/dynamodb/events/rows/event-store.ts';
import type { BatchOutcomes } from '../../lib/events/domain/deliveries/batch.ts';
import { emptyOutcomes, nextOutcomes } from '../../lib/events/domain/deliveries/batch-outcomes.ts';
import type { Said } from '../../lib/events/domain/deliveries/confirmation.ts';
import type { Delivery, Outcome } from '../../lib/events/domain/deliveries/delivery.ts';
import { nextDueMs } from '../../lib/events/domain/deliveries/progress.ts';
import { afterOutcome, confirmed } from '../../lib/events/domain/deliveries/transition.ts';
import type { NormalizedRow } from '../../lib/events/domain/event/row.ts';
import { dueBatches } from '../../lib/events/pipeline/recovery/due-batches.ts';
import { dueEvents } from '../../lib/events/pipeline/recovery/due-events.ts';
import { type EmulatedTables, openTables } from '../conformance/stores/emulated-table.ts';
import { normalizedRow, store } from '../contract/stored-rows.ts';
import { createDynamoMeter, type DynamoMeter } from '../support/metering/dynamodb-metering.ts';

const T0 = Date.UTC(2026, 10, 21, 12);
const REQUEST = 'bb2a7f2c-5d1f-4e8a-9d0e-3a2f';
const CONFIRMED: Said = { word: 'confirmed' };
const HALF_HOUR_MS = 1_800_000;

let tables: EmulatedTables;
let meter: DynamoMeter;
let events: ReturnType<typeof createEventStore>;
let batches: ReturnType<typeof createBatchStore>;

beforeAll(async () => {
  tables = await openTables(['events', 'batches']);
  meter = createDynamoMeter();
  meter.attach(tables.db, 'confirmed');
  events = createEventStore(tables.db, tables.nameOf('events'));
  batches = createBatchStore(tables.db, tables.nameOf('batches'));
}, 60_000);
afterAll(() => tables.close());

async function writeUnits(work: () => Promise<unknown>): Promise<number> {
  const before = meter.usage().writeUnits;
  expect(await work()).toBeTruthy();
  return meter.usage().writeUnits - before;
}

function taken(more: Partial<Outcome>): Delivery {
  const facts = { atMs: T0, latencyMs: 90, status: 200, batchSize: 1 };
  const window = { windowEndsAtMs: T0 + 1e9, keptUntilMs: T0 + 1e9 };
  const context = { nowMs: T0 + 100, random: 0.5, ...window };
  return afterOutcome(undefined, { kind: 'delivered', ...more }, facts, context);
}
const answered = (delivery: Delivery): Delivery =>
  confirmed(delivery, REQUEST, CONFIRMED, T0 + HALF_HOUR_MS + 200) ?? expect.unreachable();

it('is one unit more with the success of a row that stands alone, and two with the answer', async () => {
  const put = async (eventId: string, platform: string, delivery: Delivery, seen?: NormalizedRow) => {
    const verdicts = { [platform]: 'pending' };
    const row = seen ?? normalizedRow({ eventId, receivedAtMs: T0, verdicts });
    if (seen === undefined) await store(events, row);
    const dueAtMs = nextDueMs({ ...row, deliveries: { [platform]: delivery } });
    const written: (NormalizedRow | null)[] = [];
    const units = await writeUnits(async () =>
      written.push(await events.putDelivery(row, { platform, delivery, dueAtMs })),
    );
    return { units, row: written[0] ?? expect.unreachable() };
  };
  const other = await put('other', 'meta', taken({}));
  const waiting = await put('asked', 'google_ads', taken({ request: REQUEST }));
  expect([other.units, waiting.units]).toEqual([1, 2]);
  const nowMs = T0 + HALF_HOUR_MS + 60_000;
  // The sweep that finds it writes nothing.
  const [look] = await dueEvents(events).look([waiting.row.key], nowMs);
  expect(look?.isLate).toBe(true);
  const before = meter.usage().writeUnits;
  await look?.putOff();
  expect(meter.usage().writeUnits).toBe(before);
  const { google_ads: delivery = expect.unreachable() } = waiting.row.deliveries;
  const done = await put('asked', 'google_ads', answered(delivery), waiting.row);
  // The row, and its entry out of the index.
  expect(done.units).toBe(2);
  expect(done.row).not.toHaveProperty('dueAtMs');
});

it('is the same for a hundred rows of a batch', async () => {
  const write = async (seen: BatchOutcomes, delivery: Delivery) => {
    const changes = new Map(Array.from({ length: 100 }, (_, position) => [position, delivery]));
    const next = nextOutcomes(seen, changes);
    return { next, units: await writeUnits(() => batches.writeOutcomes(next, seen.version)) };
  };
  const batch = { merchantId: 'shop', minuteMs: T0, shard: 0, id: 'abcdefgh' };
  const other = await write(emptyOutcomes(batch, 'meta'), taken({}));
  const asked = await write(emptyOutcomes(batch, 'google_ads'), taken({ request: REQUEST }));
  expect([other.units, asked.units]).toEqual([1, 2]);
  const key = { batch, platform: 'google_ads' };
  const [look] = await dueBatches(batches).look([key], T0 + HALF_HOUR_MS + 60_000);
  expect(look?.isLate).toBe(true);
  const before = meter.usage().writeUnits;
  await look?.putOff();
  expect(meter.usage().writeUnits).toBe(before);
  const [group] = asked.next.groups;
  const done = await write(asked.next, answered(group?.delivery ?? expect.unreachable()));
  expect(done.units).toBe(2);
  expect(done.next).not.toHaveProperty('dueAtMs');
});
