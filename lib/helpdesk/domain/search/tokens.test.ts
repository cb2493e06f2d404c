// Goal: a word finds the record in any letter case, with or without accents, in any script, and with its end missing if
// it is the last word. Method: pairs of text and query, and the limits.
import { describe, expect, it } from 'vitest';
import { contactTokens, searchEntries, ticketTokens } from './search-tokens.ts';
import { likelyRarest, matchesQuery, queryOf, TOKEN_MAX_CHARS, TOKENS_MAX, tokensOf } from './tokens.ts';

const finds = (text: string, search: string): boolean => matchesQuery(tokensOf([text]), queryOf(search));

describe('a query', () => {
  it.each([
    ['Where is my order?', 'ORDER'],
    ['Where is my order?', 'where ord'],
    ['Crème brûlée', 'creme brulee'],
    ['creme brulee', 'Crème BRÛL'],
    ['Straße', 'STRASSE'],
    ['ΟΔΥΣΣΕΥΣ', 'οδυσσευς'],
    ['İstanbul', 'istanbul'],
    ['ﬁnance', 'finance'],
    ['Ｆｕｌｌ', 'full'],
    ['東京都の天気', '天気'],
    ['東京都の天気', '東京都'],
    ['東京都の天気', '気'],
    ['ガラス', 'カラス'],
    ['서울 날씨', '서울'],
    ['iPhone15ケース', 'ケース'],
    ['iPhone15ケース', 'iphone15'],
    ['write to Ada.Lovelace@Example.com, please', 'ada.lovelace@example.com'],
    ['ada@example.com', 'ada@exam'],
    ['ada@example.com', '@example.com'],
    ['ada@example.com', 'ada'],
    ['ada@example.com', 'example.com'],
    ['TKT-000042', 'tkt-000042'],
    ['TKT-000042', '000042'],
    ['O’Brien', "o'brien"],
  ])('%s is found by %s', (text, search) => {
    expect(finds(text, search)).toBe(true);
  });

  it.each([
    ['Where is my order?', 'rder'],
    ['Where is my order?', 'ord where'],
    ['Where is my order?', 'order refund'],
    ['東京都の天気', '京東'],
    ['ada@example.com', 'bob@example.com'],
    ['Where is my order?', '?!'],
    ['Where is my order?', '@'],
    ['', 'a'],
  ])('%s is not found by %s', (text, search) => {
    expect(finds(text, search)).toBe(false);
  });

  it('is looked up by its longest words first, of those alike by a whole one, by each once', () => {
    const words = (search: string) => likelyRarest(queryOf(search)).map(({ text }) => text);
    expect(words('tkt 000042')).toEqual(['000042', 'tkt']);
    expect(words('four more')).toEqual(['four', 'more']);
    expect(words('a four a a more a')).toEqual(['four', 'more', 'a', 'a']);
    expect(likelyRarest([])).toEqual([]);
  });
});

describe('tokens', () => {
  it('are few, short and never half a character', () => {
    const many = Array.from({ length: 100 }, (_, i) => `word${i}`).join(' ');
    expect(tokensOf([many])).toHaveLength(TOKENS_MAX);
    const long = '𝒳'.repeat(100);
    const [token] = tokensOf([`${'a'.repeat(31)}${'\u{10400}'.repeat(5)}`, long]);
    expect([...(token ?? '')]).toHaveLength(TOKEN_MAX_CHARS);
    expect(token?.isWellFormed()).toBe(true);
  });

  it('of a long word are found by the whole of it', () => {
    const word = 'x'.repeat(50);
    expect(finds(word, word)).toBe(true);
  });

  it('of a ticket begin with what names it, however long its subject', () => {
    const subject = Array.from({ length: 100 }, (_, i) => `word${i}`).join(' ');
    const tokens = ticketTokens({
      code: 'TKT-000042',
      customerEmail: 'ada@example.com',
      customerName: 'Ada',
      subject,
    });
    for (const search of ['TKT-000042', 'ada@example.com', 'ada', 'word0'])
      expect([search, matchesQuery(tokens, queryOf(search))]).toEqual([search, true]);
  });

  it('of a contact hold its telephone number in one piece and in its parts', () => {
    const contact = {
      email: 'a@b.co',
      name: null,
      firstname: null,
      lastname: null,
      company: null,
      metadata: '{}',
    };
    const tokens = contactTokens({ ...contact, phone: '+49 (170) 123-45' });
    for (const search of ['4917012345', '+49 170', '49 170 123 45'])
      expect([search, matchesQuery(tokens, queryOf(search))]).toEqual([search, true]);
  });
});

it('changes the index by what differs, and not at all where nothing does', () => {
  const of = { type: 'ticket', recordId: 'id', version: 2 } as const;
  expect(searchEntries(of, ['a', 'b'], ['b', 'c'])).toEqual([
    { kind: 'search', ...of, add: ['c'], remove: ['a'] },
  ]);
  expect(searchEntries(of, ['a', 'b'], ['b', 'a'])).toEqual([]);
});
