// Goal: what one connection gets can be read without opening it, and connections have different names wherever they stand.
import { expect, it } from 'vitest';
import { labelOf, namedIn, type PlatformList } from '../platform-list.ts';
import { listOf, ownRulesText } from './own-rules-words.ts';

it.each([
  [null, null, null],
  [['Purchase', 'Lead'], null, 'gets only Purchase, Lead'],
  [null, { require: ['ad_storage'] as const }, 'only with consent to storage for ads'],
  [
    ['Ünïcode ✓'],
    { require: ['ad_storage', 'analytics'] as const, countries: ['DE', 'FR'] },
    'gets only Ünïcode ✓; only with consent to storage for ads, analytics of people in DE, FR',
  ],
])('events %j and consent %j: %j', (events, consent, text) => {
  const own = { events, consent: consent === null ? null : { ...consent, require: [...consent.require] } };
  expect(ownRulesText(own)).toBe(text);
});

it('a list is what is typed between commas, each once', () => {
  expect(listOf(' Purchase,, Lead ,Purchase,')).toEqual(['Purchase', 'Lead']);
  expect(listOf(' , ')).toEqual([]);
});

it('connections are named where a platform has several, and one that is gone by what it is', () => {
  const list = {
    available: [
      { platform: 'meta', label: 'Meta' },
      { platform: 'x', label: 'X' },
    ],
    platforms: [
      { id: 'con_1', platform: 'meta', name: 'First' },
      { id: 'con_2', platform: 'meta', name: 'meta#2' },
      { id: 'con_3', platform: 'x', name: 'X' },
    ],
  } as unknown as PlatformList;
  expect(
    namedIn(list, [
      ['meta', 'Meta'],
      ['x', 'X'],
    ]),
  ).toEqual([
    ['meta', 'Meta'],
    ['con_1', 'Meta · First'],
    ['con_2', 'Meta · meta#2'],
    ['x', 'X'],
  ]);
  expect(['meta', 'con_2', 'con_9', 'gone'].map((name) => labelOf(list, name))).toEqual([
    'Meta',
    'Meta · meta#2',
    'a removed connection',
    'gone',
  ]);
  // While the list is on its way nothing is said to be gone.
  expect(labelOf(undefined, 'con_1')).toBe('con_1');
});
