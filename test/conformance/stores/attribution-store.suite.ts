// What every AttributionStore must do, condition by condition and under races.
import { describe, expect, it } from 'vitest';
import { ATTRIBUTION_WINDOW_MS } from '#lib/events/domain/analytics/attribution.ts';
import type { AttributionStore } from '#lib/events/ports/attribution-store.ts';
import { freshMerchant, T0 } from './event-rows.ts';

const RACERS = 64;
const touch = (platform: string, atMs = T0) => ({ platform, atMs });
/** `makeStore` may hand out the same table every time: tests use merchants of their own. */
export function attributionStoreConformance(name: string, makeStore: () => Promise<AttributionStore>): void {
  describe(`${name}: attribution store`, () => {
    touches(makeStore);
  });
}

function touches(makeStore: () => Promise<AttributionStore>): void {
  it('finds the clicks of the keys asked for, of this merchant, and nothing for none', async () => {
    const store = await makeStore();
    const [mine, theirs] = [freshMerchant(), freshMerchant()];
    for (const key of ['a', 'b', 'ü#~']) await store.addTouch(mine, key, touch('meta'));
    await store.addTouch(theirs, 'a', touch('x'));
    expect(await store.touches(mine, [], 'strong')).toEqual(new Map());
    expect(await store.touches(mine, ['a', 'ü#~', 'a', 'unknown'], 'strong')).toEqual(
      new Map([
        ['a', touch('meta')],
        ['ü#~', touch('meta')],
      ]),
    );
    expect(await store.touches(theirs, ['a', 'b'], 'strong')).toEqual(new Map([['a', touch('x')]]));
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
    for (const [i, atMs] of times.entries()) await store.addTouch(merchant, 'k', touch(`p${i}`, atMs));
    const expected = touch(`p${times.indexOf(kept)}`, kept);
    expect(await store.touches(merchant, ['k'], 'strong')).toEqual(new Map([['k', expected]]));
  });

  it(`keeps the earliest of ${RACERS} at once`, async () => {
    const store = await makeStore();
    const merchant = freshMerchant();
    const add = (i: number) => store.addTouch(merchant, 'k', touch(`p${i}`, T0 + ((i * 37) % RACERS)));
    await Promise.all(Array.from({ length: RACERS }, (_, i) => add(i)));
    expect((await store.touches(merchant, ['k'], 'strong')).get('k')).toEqual(touch('p0', T0));
  });

  it('forgets the keys it is told to, and no other', async () => {
    const store = await makeStore();
    const merchant = freshMerchant();
    for (const key of ['a', 'b']) await store.addTouch(merchant, key, touch('meta'));
    await store.forgetTouches(merchant, ['a', 'never seen']);
    expect([...(await store.touches(merchant, ['a', 'b'], 'strong')).keys()]).toEqual(['b']);
  });
}
