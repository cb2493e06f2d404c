// What every AttributionStore must do, condition by condition and under races.
import { describe, expect, it } from 'vitest';
import { ATTRIBUTION_WINDOW_MS } from '#lib/events/domain/analytics/attribution.ts';
import { type AttributionStore, NO_VERSION } from '#lib/events/ports/attribution-store.ts';
import { freshMerchant, T0 } from './event-rows.ts';

const RACERS = 64;
const DAY_MS = 86_400_000;
const touch = (platform: string, atMs = T0) => ({ platform, atMs });
const clicked = (platform: string) => ({ touch: touch(platform), version: NO_VERSION });
const sealed = (text: string, newestAtMs = T0) => ({
  sealed: Buffer.from(text).toString('base64'),
  newestAtMs,
});
/** `makeStore` may hand out the same table every time: tests use merchants of their own. */
export function attributionStoreConformance(name: string, makeStore: () => Promise<AttributionStore>): void {
  describe(`${name}: attribution store`, () => {
    touches(makeStore);
    clicks(makeStore);
    orders(makeStore);
    suppressed(makeStore);
  });
}

function touches(makeStore: () => Promise<AttributionStore>): void {
  it('finds the clicks of the keys asked for, of this merchant, and nothing for none', async () => {
    const store = await makeStore();
    const [mine, theirs] = [freshMerchant(), freshMerchant()];
    for (const key of ['a', 'b', 'ü#~']) await store.addTouch(mine, key, touch('meta'), T0);
    await store.addTouch(theirs, 'a', touch('x'), T0);
    expect(await store.people(mine, [], 'strong')).toEqual(new Map());
    expect(await store.people(mine, ['a', 'ü#~', 'a', 'unknown'], 'strong')).toEqual(
      new Map([
        ['a', clicked('meta')],
        ['ü#~', clicked('meta')],
      ]),
    );
    expect(await store.people(theirs, ['a', 'b'], 'strong')).toEqual(new Map([['a', clicked('x')]]));
  });

  it.each([
    ['keeps the earlier one when a later one comes', [T0, T0 + 1], T0],
    ['keeps the earlier one when it comes later', [T0 + 1, T0], T0],
    ['keeps the first of two at once', [T0, T0], T0],
    ['keeps one for its window to the last millisecond', [T0, T0 + ATTRIBUTION_WINDOW_MS], T0],
    [
      'begins anew with the first click after it',
      [T0, T0 + ATTRIBUTION_WINDOW_MS + 1],
      T0 + ATTRIBUTION_WINDOW_MS + 1,
    ],
  ])('%s', async (_, times, kept) => {
    const store = await makeStore();
    const merchant = freshMerchant();
    for (const [i, atMs] of times.entries()) await store.addTouch(merchant, 'k', touch(`p${i}`, atMs), atMs);
    const expected = touch(`p${times.indexOf(kept)}`, kept);
    expect(await store.people(merchant, ['k'], 'strong')).toEqual(
      new Map([['k', { touch: expected, version: NO_VERSION }]]),
    );
  });

  it(`keeps the earliest of ${RACERS} at once`, async () => {
    const store = await makeStore();
    const merchant = freshMerchant();
    const add = (i: number) => store.addTouch(merchant, 'k', touch(`p${i}`, T0 + ((i * 37) % RACERS)), T0);
    await Promise.all(Array.from({ length: RACERS }, (_, i) => add(i)));
    expect((await store.people(merchant, ['k'], 'strong')).get('k')?.touch).toEqual(touch('p0', T0));
  });

  it('forgets the keys it is told to, and no other', async () => {
    const store = await makeStore();
    const merchant = freshMerchant();
    for (const key of ['a', 'b']) await store.addTouch(merchant, key, touch('meta'), T0);
    await store.forgetPeople(merchant, ['a', 'never seen']);
    expect([...(await store.people(merchant, ['a', 'b'], 'strong')).keys()]).toEqual(['b']);
  });
}

function clicks(makeStore: () => Promise<AttributionStore>): void {
  const ids = (text: string, writtenAtMs = T0) => {
    const { sealed: own } = sealed(text);
    return { sealed: own, writtenAtMs };
  };

  it('keeps click ids beside the first click, in one write, and forgets them with it', async () => {
    const store = await makeStore();
    const [mine, theirs] = [freshMerchant(), freshMerchant()];
    const how = { seen: undefined, touch: touch('meta'), nowMs: T0 };
    expect(await store.writeClicks(mine, 'k', ids('one'), how)).toBe(true);
    const known = { ...clicked('meta'), clicks: ids('one') };
    expect(await store.people(mine, ['k'], 'strong')).toEqual(new Map([['k', known]]));
    expect(await store.people(theirs, ['k'], 'strong')).toEqual(new Map());
    await store.writeOrders(mine, 'k', sealed('order'), { version: NO_VERSION, nowMs: T0 });
    const all = { ...known, orders: sealed('order'), version: 1 };
    expect((await store.people(mine, ['k'], 'strong')).get('k')).toEqual(all);
    await store.forgetPeople(mine, ['k']);
    expect(await store.people(mine, ['k'], 'strong')).toEqual(new Map());
  });

  it('writes none over those of another write, and none without a first click', async () => {
    const store = await makeStore();
    const merchant = freshMerchant();
    const kept = { seen: undefined, nowMs: T0 };
    expect(await store.writeClicks(merchant, 'k', ids('none'), kept)).toBe(false);
    await store.addTouch(merchant, 'k', touch('x'), T0);
    expect(await store.writeClicks(merchant, 'k', ids('late'), { ...kept, touch: touch('meta') })).toBe(
      false,
    );
    expect(await store.writeClicks(merchant, 'k', ids('one'), kept)).toBe(true);
    expect(await store.writeClicks(merchant, 'k', ids('late'), kept)).toBe(false);
    const next = ids('two', T0 + 60_000);
    expect(await store.writeClicks(merchant, 'k', next, { ...kept, seen: ids('other', T0 + 1) })).toBe(false);
    expect(await store.writeClicks(merchant, 'k', next, { ...kept, seen: ids('one') })).toBe(true);
    expect((await store.people(merchant, ['k'], 'strong')).get('k')).toEqual({
      ...clicked('x'),
      clicks: next,
    });
  });

  it('keeps the newest clicks with click ids and with orders, and writes none over those of another write', async () => {
    const store = await makeStore();
    const merchant = freshMerchant();
    const person = async () => (await store.people(merchant, ['k'], 'strong')).get('k');
    const how = { touch: touch('meta'), nowMs: T0, recent: { seen: undefined, next: 'one' } };
    expect(await store.writeClicks(merchant, 'k', ids('one'), { ...how, seen: undefined })).toBe(true);
    expect((await person())?.recent).toBe('one');
    const order = { version: NO_VERSION, nowMs: T0 };
    const late = { seen: undefined, next: 'late' };
    expect(await store.writeOrders(merchant, 'k', sealed('order'), { ...order, recent: late })).toBe(false);
    const next = { seen: 'one', next: 'two' };
    expect(await store.writeOrders(merchant, 'k', sealed('order'), { ...order, recent: next })).toBe(true);
    expect(await person()).toMatchObject({ recent: 'two', version: 1 });
    const other = { nowMs: T0, seen: ids('one'), recent: next };
    expect(await store.writeClicks(merchant, 'k', ids('two', T0 + 60_000), other)).toBe(false);
    expect(await person()).toMatchObject({ recent: 'two', clicks: ids('one') });
  });

  it(`lets one of ${RACERS} at once write`, async () => {
    const store = await makeStore();
    const merchant = freshMerchant();
    const how = { seen: undefined, touch: touch('meta'), nowMs: T0 };
    const won = await Promise.all(
      Array.from({ length: RACERS }, (_, i) => store.writeClicks(merchant, 'k', ids(`${i}`), how)),
    );
    expect(won.filter(Boolean)).toHaveLength(1);
  });
}

function orders(makeStore: () => Promise<AttributionStore>): void {
  it('keeps the orders of a person, by key and merchant, and answers them as they were written', async () => {
    const store = await makeStore();
    const [mine, theirs] = [freshMerchant(), freshMerchant()];
    const own = sealed('one');
    expect(await store.writeOrders(mine, 'a', own, { version: NO_VERSION, nowMs: T0 })).toBe(true);
    expect(await store.people(mine, ['a', 'b'], 'strong')).toEqual(
      new Map([['a', { orders: own, version: 1 }]]),
    );
    expect(await store.people(theirs, ['a'], 'strong')).toEqual(new Map());
  });

  it('writes no orders over those of another write', async () => {
    const store = await makeStore();
    const merchant = freshMerchant();
    const write = (text: string, version: number) =>
      store.writeOrders(merchant, 'k', sealed(text), { version, nowMs: T0 });
    expect(await write('one', NO_VERSION)).toBe(true);
    expect(await write('late', NO_VERSION)).toBe(false);
    expect(await write('two', 1)).toBe(true);
    expect(await write('late', 1)).toBe(false);
    expect((await store.people(merchant, ['k'], 'strong')).get('k')).toEqual({
      orders: sealed('two'),
      version: 2,
    });
  });

  it(`lets one of ${RACERS} at once write`, async () => {
    const store = await makeStore();
    const merchant = freshMerchant();
    const won = await Promise.all(
      Array.from({ length: RACERS }, (_, i) =>
        store.writeOrders(merchant, 'k', sealed(`${i}`), { version: NO_VERSION, nowMs: T0 }),
      ),
    );
    expect(won.filter(Boolean)).toHaveLength(1);
  });

  it.each([
    ['keeps a click that comes with an order, and the order', T0 + 1, T0, true],
    ['writes neither where an earlier click is kept', T0, T0 + 1, false],
  ])('%s', async (_, storedMs, clickedMs, isWritten) => {
    const store = await makeStore();
    const merchant = freshMerchant();
    await store.addTouch(merchant, 'k', touch('x', storedMs), T0);
    const how = { version: NO_VERSION, touch: touch('meta', clickedMs), nowMs: T0 };
    expect(await store.writeOrders(merchant, 'k', sealed('one'), how)).toBe(isWritten);
    expect((await store.people(merchant, ['k'], 'strong')).get('k')).toEqual(
      isWritten
        ? { touch: touch('meta', T0), orders: sealed('one'), version: 1 }
        : { touch: touch('x', T0), version: NO_VERSION },
    );
  });

  it('keeps orders where a click is added beside them, and forgets both', async () => {
    const store = await makeStore();
    const merchant = freshMerchant();
    await store.writeOrders(merchant, 'k', sealed('one'), { version: NO_VERSION, nowMs: T0 });
    await store.addTouch(merchant, 'k', touch('meta', T0 - 80 * DAY_MS), T0);
    expect((await store.people(merchant, ['k'], 'strong')).get('k')).toEqual({
      touch: touch('meta', T0 - 80 * DAY_MS),
      orders: sealed('one'),
      version: 1,
    });
    await store.forgetPeople(merchant, ['k']);
    expect(await store.people(merchant, ['k'], 'strong')).toEqual(new Map());
  });
}

function suppressed(makeStore: () => Promise<AttributionStore>): void {
  it('finds the digests that are on the list of this merchant, since when they are, and nothing for none', async () => {
    const store = await makeStore();
    const [mine, theirs] = [freshMerchant(), freshMerchant()];
    await store.suppress(mine, ['a', 'b'], T0);
    await store.suppress(mine, ['b', 'c'], T0 + 1);
    expect(await store.suppressed(mine, [])).toEqual(new Map());
    expect(await store.suppressed(mine, ['a', 'b', 'c', 'd', 'a'])).toEqual(
      new Map([
        ['a', T0],
        ['b', T0],
        ['c', T0 + 1],
      ]),
    );
    expect(await store.suppressed(theirs, ['a', 'b', 'c'])).toEqual(new Map());
  });

  it('counts the first digest of each call, once, up to a number; and not those that were taken off', async () => {
    const store = await makeStore();
    const merchant = freshMerchant();
    await store.suppress(merchant, ['a', 'a1', 'a2'], T0);
    await store.suppress(merchant, ['a', 'a1', 'a2'], T0);
    await store.suppress(merchant, ['b'], T0);
    expect(await store.countSuppressed(merchant, 10)).toBe(2);
    expect(await store.countSuppressed(merchant, 1)).toBe(1);
    await store.unsuppress(merchant, ['a', 'a1', 'a2', 'never there']);
    expect(await store.countSuppressed(merchant, 10)).toBe(1);
    expect([...(await store.suppressed(merchant, ['a', 'a1', 'b'])).keys()]).toEqual(['b']);
  });

  it('has a list that is no person, and stays when people are forgotten', async () => {
    const store = await makeStore();
    const merchant = freshMerchant();
    await store.suppress(merchant, ['a'], T0);
    expect(await store.people(merchant, ['a'], 'strong')).toEqual(new Map());
    await store.forgetPeople(merchant, ['a']);
    expect([...(await store.suppressed(merchant, ['a'])).keys()]).toEqual(['a']);
  });
}
