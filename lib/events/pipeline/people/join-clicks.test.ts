// Goal: a server's purchase gains the click ids of its person's earlier events, only where both allowed it, only those, and only of
// before it; nothing it carries is changed.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DAY_MS } from '#lib/core/work/time-slot.ts';
import { sampleEvent } from '#test/support/sample-event.ts';
import type { UnopenedEvent } from '../../domain/event/normalized-event.ts';
import { isClickId } from '../../domain/identity/click-ids.ts';
import { BROWSER_ID_KEYS, type BrowserIdKey, type BrowserIds } from '../../domain/identity/identity.ts';
import type { PersonClicks } from '../../domain/people/clicks.ts';
import { isJoinable, joinedFromPerson } from './join-clicks.ts';

const T0 = Date.UTC(2026, 10, 21, 12);
const { plaintext: _, ...SAMPLE } = sampleEvent();

const purchase = (browserIds: BrowserIds = {}, over: Partial<UnopenedEvent> = {}): UnopenedEvent => ({
  ...SAMPLE,
  ...{ name: 'Purchase', channel: 'server', eventTimeSec: T0 / 1_000, consent: {} },
  raw: { ...SAMPLE.raw, browserIds },
  ...over,
});
const seen = (...clicks: readonly [BrowserIdKey, string, number?][]): PersonClicks => ({
  keptDays: 90,
  clicks: clicks.map(([key, id, atMs = T0 - 1_000]) => ({ key, id, atMs })),
});
const gained = (event: UnopenedEvent, ...people: readonly PersonClicks[]) =>
  joinedFromPerson(event, people).raw.browserIds;

it('takes what it has not, and says what it took', () => {
  const event = purchase({ fbp: 'cookie', ttclid: 'own' });
  const joined = joinedFromPerson(event, [seen(['gclid', 'g'], ['ttclid', 'theirs'], ['fbc', 'f'])]);
  expect(joined.raw.browserIds).toEqual({ fbp: 'cookie', ttclid: 'own', gclid: 'g', fbc: 'f' });
  expect(joined.fromEarlier).toEqual(['fbc', 'gclid']);
  const { raw: _raw, fromEarlier: _taken, ...rest } = joined;
  const { raw: _own, ...said } = event;
  expect(rest).toEqual(said);
});

it('takes the newest of several identifiers, and of Google one click', () => {
  const byCookie = seen(['gclid', 'older', T0 - 5_000], ['twclid', 'x', T0 - 9_000]);
  const byMail = seen(['wbraid', 'newer', T0 - 1_000], ['twclid', 'y', T0 - 4_000]);
  expect(gained(purchase(), byCookie, byMail)).toEqual({ wbraid: 'newer', twclid: 'y' });
  expect(gained(purchase({ gbraid: 'own' }), byCookie, byMail)).toEqual({ gbraid: 'own', twclid: 'y' });
});

it.each<[string, PersonClicks]>([
  ['came after it', seen(['gclid', 'g', T0 + 1])],
  ['are of more than 90 days before', seen(['gclid', 'g', T0 - 90 * DAY_MS - 1])],
  ['are kept no longer', { ...seen(['gclid', 'g', T0 - 31 * DAY_MS]), keptDays: 30 }],
])('takes none that %s', (_why, clicks) => {
  const event = purchase();
  expect(joinedFromPerson(event, [clicks])).toBe(event);
});

describe('earlier clicks are looked up', () => {
  it.each<[string, Partial<UnopenedEvent>, boolean]>([
    ['for a purchase of a server', {}, true],
    ['and what does not matter here is denied', { consent: { ad_personalization: 'denied' } }, true],
    ['not for a page', { channel: 'browser' }, false],
    ['not for another event', { name: 'Lead' }, false],
    ['not for a crawler', { bot: true }, false],
    ['not for a replay', { replay: true }, false],
    ['not where analytics is denied', { consent: { analytics: 'denied' } }, false],
    ['not where ad_storage is denied', { consent: { ad_storage: 'denied' } }, false],
    ['not where ad_user_data is denied', { consent: { ad_user_data: 'denied' } }, false],
  ])('%s', (_what, over, looked) => {
    expect(isJoinable(purchase({}, over))).toBe(looked);
  });
});

it('changes nothing that the event carries, and adds nothing but click ids, whatever is known', () => {
  const key = fc.constantFrom(...BROWSER_ID_KEYS);
  const person = fc
    .array(fc.tuple(key.filter(isClickId), fc.string({ minLength: 1 }), fc.integer({ min: -100, max: 10 })))
    .map((clicks) =>
      seen(...clicks.map(([k, id, days]): [BrowserIdKey, string, number] => [k, id, T0 + days * DAY_MS])),
    );
  const own = fc.dictionary(key, fc.string({ minLength: 1 }));
  fc.assert(
    fc.property(own, fc.array(person, { maxLength: 4 }), (ids, people) => {
      const event = purchase(ids);
      const joined = joinedFromPerson(event, people);
      expect(joined.raw.browserIds).toMatchObject(ids);
      const taken = Object.keys(joined.raw.browserIds ?? {}).filter((name) => !(name in ids));
      expect([...(joined.fromEarlier ?? [])].sort()).toEqual(taken.sort());
      expect(taken.every(isClickId)).toBe(true);
      expect(taken.filter((name) => ['gclid', 'gbraid', 'wbraid'].includes(name)).length).toBeLessThanOrEqual(
        1,
      );
    }),
  );
});
