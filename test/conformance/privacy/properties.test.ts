// What holds for any event, however hostile: the look through it is total, changes nothing twice and nothing without a
// finding, and leaves addresses that parse.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { NormalizedEvent } from '#lib/events/domain/event/normalized-event.ts';
import { withoutPersonalParts } from '#lib/events/domain/privacy/address.ts';
import type { PersonalKind } from '#lib/events/domain/privacy/kinds.ts';
import { privacyIssues, toOutgoing } from '#lib/events/domain/privacy/outgoing-event.ts';
import { isPlainAddress, isPlainText } from '#lib/events/domain/privacy/plain.ts';
import { kindInText } from '#lib/events/domain/privacy/text.ts';
import { ANY_CHARACTER } from '#test/support/any-character.ts';
import { createSeededRandom } from '#test/support/memory/random.ts';
import { sampleEvent } from '#test/support/sample-event.ts';
import { personalValue } from './personal-values.ts';
import { ENCODINGS, eventWith, PLACES } from './places.ts';
import { shopAddress } from './shop-addresses.ts';

const RUNS = { numRuns: 400, seed: 22 } as const;

/** Values of every kind, parts of addresses, and whatever else text may be. */
const piece = fc.oneof(
  fc.nat(1_000_000).map((seed) => personalValue(createSeededRandom(seed)).value),
  fc.nat(1_000_000).map((seed) => shopAddress(createSeededRandom(seed))),
  fc.constantFrom(
    '%',
    '%25',
    '%2540',
    '@',
    '+',
    '=',
    '&',
    '?',
    '#',
    '/',
    '//',
    ':',
    '..',
    'token=',
    'reset',
    '\ud800',
    '\u0000',
    '=%',
    '%E0%A4%A',
    '[removed]',
  ),
  fc.string({ unit: ANY_CHARACTER, maxLength: 20 }),
);
const text = fc.array(piece, { maxLength: 6 }).map((pieces) => pieces.join(''));
const hostile: fc.Arbitrary<NormalizedEvent> = fc
  .record({
    eventSourceUrl: text,
    referrerUrl: text.map((path) => `https://shop.example/${path}`),
    customData: fc.dictionary(
      text,
      fc.oneof(text, fc.jsonValue({ maxDepth: 3 }), fc.array(text, { maxLength: 3 })),
      { maxKeys: 4 },
    ),
    words: fc.array(text, { maxLength: 3 }),
  })
  .map(({ words, ...event }) => ({
    ...sampleEvent(),
    ...event,
    items: words.map((name, i) => ({ id: String(i), quantity: '1', name, category: name })),
  }));

describe('an outgoing event', () => {
  it('is made of any event, and looking again changes nothing', () => {
    fc.assert(
      fc.property(hostile, (event) => {
        const outgoing = toOutgoing(event);
        expect(toOutgoing(outgoing)).toBe(outgoing);
        expect(privacyIssues(outgoing)).toEqual([]);
      }),
      RUNS,
    );
  });

  it('is the very same event exactly where there is no issue', () => {
    fc.assert(
      fc.property(hostile, (event) => {
        expect(toOutgoing(event) === event).toBe(privacyIssues(event).length === 0);
      }),
      RUNS,
    );
  });

  it('is left unread only where nothing would be found', () => {
    fc.assert(
      fc.property(text, fc.constantFrom('', ' ', '/', '.', '-', '?a=', '&name='), text, (a, between, b) => {
        const whole = `${a}${between}${b}`;
        if (isPlainText(whole)) expect(kindInText(whole)).toBeNull();
        for (const address of [`https://shop.example/${whole}`, `https://shop.example/?x=${whole}`]) {
          if (!isPlainAddress(address)) continue;
          const findings = { kinds: new Set<PersonalKind>(), allowed: new Set<string>() };
          expect(withoutPersonalParts(address, new Set(), findings)).toBe(address);
        }
      }),
      { ...RUNS, numRuns: 2_000 },
    );
  });

  it('has addresses that parse where those that came did', () => {
    fc.assert(
      fc.property(hostile, (event) => {
        const { eventSourceUrl = '', referrerUrl = '' } = toOutgoing(event);
        if (URL.canParse(event.eventSourceUrl ?? '')) expect(URL.canParse(eventSourceUrl)).toBe(true);
        if (URL.canParse(event.referrerUrl ?? '')) expect(URL.canParse(referrerUrl)).toBe(true);
      }),
      RUNS,
    );
  });

  it('has whatever a merchant allows by name, and no card, secret or national id by any name', () => {
    const random = createSeededRandom('allowed');
    const put = PLACES['query of the address'];
    if (put === undefined) throw new Error('no such place');
    for (let i = 0; i < 2_000; i++) {
      const { kind, value, names = ['x'] } = personalValue(random);
      const name = random.pick(names);
      const found = eventWith(put, ENCODINGS.once?.(value) ?? value, name);
      const event = { ...found, issues: privacyIssues(found, [name.toLowerCase()]) };
      const isAllowed = kind === 'email' || kind === 'phone' || kind === 'person';
      expect(toOutgoing(event) === event, `${kind} ${name}=${value}`).toBe(isAllowed);
    }
  });
});
