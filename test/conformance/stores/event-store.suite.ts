// What every EventStore must do, condition by condition and under races. A store that passes is one the model of
// the protocol, the simulation and AWS agree on.
import { describe, expect, it } from 'vitest';
import type { AcceptedRow, EventKey, NormalizedRow } from '#lib/events/domain/event/row.ts';
import type { EventStore, RowErasure } from '#lib/events/ports/event-store.ts';
import {
  acceptedRow,
  delivered,
  dueIds,
  freshMerchant,
  leased,
  normalizedRow,
  retrying,
  T0,
} from './event-rows.ts';
import { eventStoreErasing } from './event-store-erasing.suite.ts';
import { eventStoreIndexConformance } from './event-store-index.suite.ts';

const RACERS = 64;
const merchant = freshMerchant();
let keys = 0;
const freshKey = (eventId = `order-${++keys}`): EventKey => ({
  merchantId: merchant,
  channel: 'server',
  eventId,
});

/** `makeStore` may hand out the same table every time: tests use merchants of their own. */
export function eventStoreConformance(name: string, makeStore: () => Promise<EventStore & RowErasure>): void {
  describe(`${name}: event store`, () => {
    claims(makeStore);
    replacing(makeStore);
    normalizing(makeStore);
    deliveries(makeStore);
    deliveryConflicts(makeStore);
    rescheduling(makeStore);
    eventStoreErasing(makeStore);
  });
  eventStoreIndexConformance(name, makeStore);
}

async function stored(store: EventStore, key: EventKey = freshKey()): Promise<AcceptedRow> {
  const row = acceptedRow(key);
  expect(await store.claim(row)).toBe('claimed');
  return row;
}

async function storedNormalized(store: EventStore): Promise<NormalizedRow> {
  const row = normalizedRow(await stored(store));
  expect(await store.normalize(row)).toBe(true);
  return row;
}

/** A browser event that waits for its server copy. */
async function storedHeld(store: EventStore): Promise<NormalizedRow> {
  const untilMs = T0 + 120_000;
  const row = { ...normalizedRow(await stored(store)), heldUntilMs: untilMs, dueAtMs: untilMs };
  expect(await store.normalize(row)).toBe(true);
  return row;
}

function claims(makeStore: () => Promise<EventStore>): void {
  it('claims a key once and returns what was written', async () => {
    const store = await makeStore();
    const row = await stored(store);
    expect(await store.read(row.key)).toEqual(row);
    expect(await store.claim(acceptedRow(row.key))).toBe('exists');
    expect(await store.read(row.key)).toEqual(row);
  });

  it('says null for a key never claimed', async () => {
    expect(await (await makeStore()).read(freshKey())).toBeNull();
  });

  it('keeps keys apart that differ in case, channel, merchant or a separator', async () => {
    const store = await makeStore();
    const other = freshMerchant();
    const twins: EventKey[] = [
      freshKey('Order'),
      freshKey('order'),
      { ...freshKey('order'), channel: 'browser' },
      { ...freshKey('order'), merchantId: other },
      freshKey('order/1'),
      freshKey('order#1'),
      freshKey('ordér \u{1f6d2} ~'),
      freshKey('x'.repeat(200)),
    ];
    for (const key of twins) expect(await store.claim(acceptedRow(key))).toBe('claimed');
    for (const key of twins) expect((await store.read(key))?.key).toEqual(key);
  });

  it('copies values in and out', async () => {
    const store = await makeStore();
    const row = acceptedRow(freshKey());
    const list = row.body.items ?? [];
    await store.claim(row);
    list.push({ id: 'smuggled', quantity: 1 });
    const first = await store.read(row.key);
    expect(first?.state === 'accepted' && first.body.items).toHaveLength(1);
  });

  it(`lets one of ${RACERS} concurrent claims win, and keeps the winner's row`, async () => {
    const store = await makeStore();
    const key = freshKey();
    const rows = Array.from({ length: RACERS }, () => acceptedRow(key));
    const answers = await Promise.all(rows.map((row) => store.claim(row)));
    expect(answers.filter((answer) => answer === 'claimed')).toHaveLength(1);
    expect(await store.read(key)).toEqual(rows[answers.indexOf('claimed')]);
  });

  it('reads up to 100 rows at once, leaving out the missing, and refuses more', async () => {
    const store = await makeStore();
    const rows = [await stored(store), await stored(store), await storedNormalized(store)];
    const missing = Array.from({ length: 96 }, () => freshKey());
    const twice = rows.slice(0, 1).map(({ key }) => key);
    const { rows: found } = await store.readMany([...missing, ...rows.map(({ key }) => key), ...twice]);
    const byId = (a: { ingestId: string }, b: { ingestId: string }) => (a.ingestId < b.ingestId ? -1 : 1);
    expect([...found].sort(byId)).toEqual([...rows].sort(byId));
    expect(await store.readMany([])).toEqual({ rows: [], unreadable: [] });
    await expect(store.readMany(Array.from({ length: 101 }, () => freshKey()))).rejects.toThrow(RangeError);
  });
}

function replacing(makeStore: () => Promise<EventStore>): void {
  it('replaces only the acceptance it was told to replace', async () => {
    const store = await makeStore();
    const old = await storedNormalized(store);
    const next = acceptedRow(old.key, T0 + 86_400_000);
    expect(await store.replace(next, acceptedRow(old.key).ingestId)).toBe(false);
    expect(await store.read(old.key)).toEqual(old);
    expect(await store.replace(next, old.ingestId)).toBe(true);
    expect(await store.read(old.key)).toEqual(next);
    expect(await store.replace(acceptedRow(old.key), old.ingestId)).toBe(false);
  });

  it('does not create a row by replacing', async () => {
    const store = await makeStore();
    const row = acceptedRow(freshKey());
    expect(await store.replace(row, row.ingestId)).toBe(false);
    expect(await store.read(row.key)).toBeNull();
  });

  it(`lets one of ${RACERS} concurrent replacements win`, async () => {
    const store = await makeStore();
    const old = await stored(store);
    const rows = Array.from({ length: RACERS }, () => acceptedRow(old.key, T0 + 86_400_000));
    const wins = await Promise.all(rows.map((row) => store.replace(row, old.ingestId)));
    expect(wins.filter(Boolean)).toHaveLength(1);
    expect(await store.read(old.key)).toEqual(rows[wins.indexOf(true)]);
  });

  it('archives as often as it is asked, readable under its own key, due no more, the live row unattempted', async () => {
    const store = await makeStore();
    const old = await storedNormalized(store);
    await store.archive(old);
    await store.archive(old);
    expect(await store.read(old.key)).toEqual(old);
    const { dueAtMs: _, ...rest } = old;
    const kept = { ...rest, key: { ...old.key, archivedAs: old.ingestId } };
    expect(await store.read(kept.key)).toEqual(kept);
    const next = acceptedRow(old.key, T0 + 86_400_000);
    expect(await store.replace(next, old.ingestId)).toBe(true);
    await store.archive(old);
    expect(await store.read(old.key)).toEqual(next);
    expect(await store.read(kept.key)).toEqual(kept);
  });
}

function normalizing(makeStore: () => Promise<EventStore>): void {
  it('keeps what the sender called its request', async () => {
    const store = await makeStore();
    const request = { trace: { traceId: 'a'.repeat(32), parentId: 'b'.repeat(16) } };
    const row = { ...acceptedRow(freshKey()), request };
    expect(await store.claim(row)).toBe('claimed');
    const normalized = { ...normalizedRow(row), request };
    expect(await store.normalize(normalized)).toBe(true);
    expect(await store.read(row.key)).toEqual(normalized);
  });

  it('normalizes once, raw body gone', async () => {
    const store = await makeStore();
    const accepted = await stored(store);
    const row = normalizedRow(accepted);
    expect(await store.normalize(row)).toBe(true);
    const after = await store.read(row.key);
    expect(after).toEqual(row);
    expect(after).not.toHaveProperty('body');
    expect(JSON.stringify(after)).not.toContain('Example.com');
    expect(await store.normalize({ ...row, routingVersion: 9 })).toBe(false);
    expect(await store.read(row.key)).toEqual(row);
  });

  it('refuses another acceptance and a row that does not exist', async () => {
    const store = await makeStore();
    const accepted = await stored(store);
    expect(await store.normalize(normalizedRow(acceptedRow(accepted.key)))).toBe(false);
    expect(await store.normalize(normalizedRow(acceptedRow(freshKey())))).toBe(false);
    expect(await store.read(accepted.key)).toEqual(accepted);
  });

  it(`lets one of ${RACERS} concurrent normalizations win`, async () => {
    const store = await makeStore();
    const accepted = await stored(store);
    const rows = Array.from({ length: RACERS }, (_, i) => ({
      ...normalizedRow(accepted),
      routingVersion: i,
    }));
    const wins = await Promise.all(rows.map((row) => store.normalize(row)));
    expect(wins.filter(Boolean)).toHaveLength(1);
    expect(await store.read(accepted.key)).toEqual(rows[wins.indexOf(true)]);
  });
}

const META = { platform: 'meta' };

function deliveries(makeStore: () => Promise<EventStore>): void {
  it('writes one delivery and returns the row after it', async () => {
    const store = await makeStore();
    const row = await storedNormalized(store);
    const delivery = retrying(T0 + 5);
    const after = await store.putDelivery(row, { ...META, delivery, dueAtMs: T0 + 10_005 });
    expect(after).toEqual({ ...row, deliveries: { meta: delivery }, dueAtMs: T0 + 10_005 });
    expect(await store.read(row.key)).toEqual(after);
  });

  it('returns what other platforms wrote meanwhile, and does not undo it', async () => {
    const store = await makeStore();
    const row = await storedNormalized(store);
    const other = delivered(T0 + 1);
    await store.putDelivery(row, { ...META, platform: 'tiktok', delivery: other, dueAtMs: null });
    const mine = retrying(T0 + 2);
    const after = await store.putDelivery(row, { ...META, delivery: mine, dueAtMs: T0 + 10_002 });
    expect(after?.deliveries).toEqual({ meta: mine, tiktok: other });
  });

  it('refuses when the delivery changed, appeared or was delivered since it was seen', async () => {
    const store = await makeStore();
    const row = await storedNormalized(store);
    const patch = (atMs: number) => ({ ...META, delivery: leased(atMs), dueAtMs: atMs + 120_000 });
    const first = await store.putDelivery(row, patch(T0 + 1));
    expect(first).not.toBeNull();
    if (!first) return;
    expect(await store.putDelivery(row, patch(T0 + 2))).toBeNull();
    const second = await store.putDelivery(first, { ...patch(T0 + 3), delivery: retrying(T0 + 3) });
    expect(second).not.toBeNull();
    if (!second) return;
    expect(await store.putDelivery(first, patch(T0 + 4))).toBeNull();
    const done = { ...META, delivery: delivered(T0 + 5), dueAtMs: null };
    const closed = await store.putDelivery(second, done);
    expect(closed?.deliveries).toEqual({ meta: delivered(T0 + 5) });
    if (!closed) return;
    expect(await store.putDelivery(closed, { ...done, delivery: retrying(T0 + 6) })).toBeNull();
    expect(await store.read(row.key)).toEqual(closed);
  });
}

function deliveryConflicts(makeStore: () => Promise<EventStore>): void {
  it('refuses another acceptance, another revision, an accepted and a missing row', async () => {
    const store = await makeStore();
    const row = await storedNormalized(store);
    const patch = { ...META, delivery: leased(T0 + 1), dueAtMs: T0 + 120_001 };
    expect(await store.putDelivery({ ...row, ingestId: acceptedRow(row.key).ingestId }, patch)).toBeNull();
    expect(await store.putDelivery({ ...row, revision: 1 }, patch)).toBeNull();
    expect(await store.putDelivery(normalizedRow(await stored(store)), patch)).toBeNull();
    expect(await store.putDelivery(normalizedRow(acceptedRow(freshKey())), patch)).toBeNull();
    expect(await store.read(row.key)).toEqual(row);
  });

  it('refuses a due time, or the end of one, where another writer moved it', async () => {
    const store = await makeStore();
    const row = await storedNormalized(store);
    const retry = { ...META, delivery: retrying(T0 + 1), dueAtMs: T0 + 10_001 };
    const due = await store.putDelivery(row, retry);
    expect(due?.dueAtMs).toBe(T0 + 10_001);
    if (!due) return;
    const later = { ...retry, platform: 'ga4', dueAtMs: T0 + 20_000 };
    expect(await store.putDelivery(row, later)).toBeNull();
    expect(await store.reschedule(due, T0 + 70_000, 1)).toBe(true);
    const end = { ...META, delivery: delivered(T0 + 2), dueAtMs: null };
    expect(await store.putDelivery(due, end)).toBeNull();
    // One that keeps the due time it saw is as sure of it.
    expect(await store.putDelivery(due, { ...later, dueAtMs: T0 + 10_001 })).toBeNull();
    // One that never had any leaves it where it is.
    const beside = await store.putDelivery(row, { ...end, platform: 'tiktok' });
    expect(beside?.dueAtMs).toBe(T0 + 70_000);
  });

  it('writes deliveries at several platforms at once, all of them or none', async () => {
    const store = await makeStore();
    const row = await storedNormalized(store);
    const also = { tiktok: retrying(T0 + 2), snapchat: delivered(T0 + 3) };
    const patch = { ...META, delivery: delivered(T0 + 1), also, dueAtMs: T0 + 10_000 };
    const after = await store.putDelivery(row, patch);
    expect(after?.deliveries).toEqual({ ...row.deliveries, meta: patch.delivery, ...also });
    expect(after?.dueAtMs).toBe(T0 + 10_000);
    expect(await store.read(row.key)).toEqual(after);
    if (after === null) return;
    // One that another process wrote meanwhile keeps all of them back.
    const taken = await store.putDelivery(after, {
      ...{ platform: 'tiktok', delivery: delivered(T0 + 4), dueAtMs: null },
    });
    const late = { tiktok: delivered(T0 + 5), pinterest: delivered(T0 + 5) };
    const refused = { platform: 'x', delivery: delivered(T0 + 5), also: late, dueAtMs: null };
    expect(await store.putDelivery(after, refused)).toBeNull();
    expect(await store.read(row.key)).toEqual(taken);
  });

  it('drops the due time with the delivery that had it, and keeps what is sealed', async () => {
    const store = await makeStore();
    const row = await storedNormalized(store);
    const begun = await store.putDelivery(row, { ...META, delivery: retrying(T0 + 1), dueAtMs: T0 + 5 });
    if (!begun) throw new Error('not written');
    const last = { ...META, delivery: delivered(T0 + 2), dueAtMs: null };
    const after = await store.putDelivery(begun, last);
    expect(after).not.toHaveProperty('dueAtMs');
    expect(after?.event).toEqual(row.event);
    expect(after?.verdicts).toEqual(row.verdicts);
    expect(await store.read(row.key)).toEqual(after);
  });

  it.each<[string, object]>([
    ['', {}],
    [' as another event', { credit: { touch: 'direct', early: { EUR: { orders: 1, minor: '5' } } } }],
  ])('holds a row until it is released%s, once, and finds it by its due time', async (_, change) => {
    const store = await makeStore();
    const held = await storedHeld(store);
    const event = Object.keys(change).length === 0 ? undefined : { ...held.event, ...change };
    expect(await store.read(held.key)).toEqual(held);
    expect(await dueIds(store, held.key.merchantId, T0 + 120_001)).toContain(held.key.eventId);
    expect(await store.release({ ...held, ingestId: acceptedRow(held.key).ingestId })).toBe(false);
    expect(await store.release({ ...held, revision: 1 })).toBe(false);
    const racing = await Promise.all(Array.from({ length: RACERS }, () => store.release(held, event)));
    expect(racing.filter((won) => won)).toHaveLength(1);
    const { heldUntilMs: _held, dueAtMs: _due, ...released } = held;
    expect(await store.read(held.key)).toEqual({ ...released, event: event ?? held.event });
    expect(await dueIds(store, held.key.merchantId, T0 + 120_001)).not.toContain(held.key.eventId);
    expect(await store.withdraw(held, { meta: 'server_copy' })).toBe(false);
  });

  it('withdraws a held row with its verdicts and its due time, in the place of a release', async () => {
    const store = await makeStore();
    const held = await storedHeld(store);
    const verdicts = { ...held.verdicts, meta: 'server_copy' };
    expect(await store.withdraw({ ...held, ingestId: acceptedRow(held.key).ingestId }, verdicts)).toBe(false);
    const [withdrawn, released] = await Promise.all([store.withdraw(held, verdicts), store.release(held)]);
    expect([withdrawn, released].filter((won) => won)).toHaveLength(1);
    if (!withdrawn) return;
    const { heldUntilMs: _held, dueAtMs: _due, ...rest } = held;
    expect(await store.read(held.key)).toEqual({ ...rest, verdicts });
    expect(await dueIds(store, held.key.merchantId, T0 + 120_001)).not.toContain(held.key.eventId);
  });

  it(`lets one of ${RACERS} concurrent writers of one delivery win, and all that end different ones`, async () => {
    const store = await makeStore();
    const row = await storedNormalized(store);
    const racing = await Promise.all(
      Array.from({ length: RACERS }, (_, i) =>
        store.putDelivery(row, { ...META, delivery: delivered(T0 + i), dueAtMs: null }),
      ),
    );
    expect(racing.filter((after) => after !== null)).toHaveLength(1);
    const beside = await Promise.all(
      Array.from({ length: RACERS }, (_, i) =>
        store.putDelivery(row, {
          ...META,
          platform: `p-${i}`,
          delivery: delivered(T0 + i),
          dueAtMs: null,
        }),
      ),
    );
    expect(beside.every((after) => after !== null)).toBe(true);
    const after = await store.read(row.key);
    expect(after?.state === 'normalized' && Object.keys(after.deliveries)).toHaveLength(RACERS + 1);
  });
}

function rescheduling(makeStore: () => Promise<EventStore>): void {
  it('moves the due time if it is the one seen, and takes it away', async () => {
    const store = await makeStore();
    const row = await storedNormalized(store);
    expect(await store.reschedule(row, T0 + 90_000, 1)).toBe(true);
    const moved = { ...row, dueAtMs: T0 + 90_000, sweeps: 1 };
    expect(await store.read(row.key)).toEqual(moved);
    expect(await store.reschedule(row, T0 + 120_000, 2)).toBe(false);
    expect(await store.reschedule(moved, null, 0)).toBe(true);
    expect(await store.read(row.key)).toEqual(row);
  });

  it('refuses another acceptance, another revision, an accepted and a missing row', async () => {
    const store = await makeStore();
    const row = await storedNormalized(store);
    expect(await store.reschedule({ ...row, ingestId: acceptedRow(row.key).ingestId }, T0, 1)).toBe(false);
    expect(await store.reschedule({ ...row, revision: 7 }, T0, 1)).toBe(false);
    expect(await store.reschedule(normalizedRow(await stored(store)), T0, 1)).toBe(false);
    expect(await store.reschedule(normalizedRow(acceptedRow(freshKey())), T0, 1)).toBe(false);
    expect(await store.read(row.key)).toEqual(row);
  });

  it(`lets one of ${RACERS} concurrent sweepers win`, async () => {
    const store = await makeStore();
    const row = await storedNormalized(store);
    const wins = await Promise.all(
      Array.from({ length: RACERS }, (_, i) => store.reschedule(row, T0 + 70_000 + i, 1)),
    );
    expect(wins.filter(Boolean)).toHaveLength(1);
    const after = await store.read(row.key);
    expect(after?.state === 'normalized' && after.dueAtMs).toBe(T0 + 70_000 + wins.indexOf(true));
  });
}
