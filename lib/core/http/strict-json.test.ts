import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { JSON_DEPTH_MAX, parseStrictJson } from './strict-json.ts';

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const read = (text: string) => parseStrictJson(bytes(text));
const nested = (depth: number): string => '['.repeat(depth) + ']'.repeat(depth);

describe('parseStrictJson', () => {
  const refusals: readonly (readonly [string, string, string | Uint8Array])[] = [
    ['nothing', 'syntax', ''],
    ['white space', 'syntax', ' \n'],
    ['a word', 'syntax', 'undefined'],
    ['NaN', 'syntax', '{"a":NaN}'],
    ['a trailing comma', 'syntax', '{"a":1,}'],
    ['two values', 'syntax', '{} {}'],
    ['a truncated body', 'syntax', '{"a":"b'],
    ['a raw control character', 'syntax', '{"a":"\u0001"}'],
    ['a raw NUL', 'syntax', '"\u0000"'],
    ['a byte order mark after another', 'syntax', '\ufeff\ufeff{}'],
    ['a byte order mark and nothing', 'syntax', '\ufeff'],
    ['a byte order mark behind a space', 'syntax', ' \ufeff{}'],
    ['a stray continuation byte', 'invalid_utf8', Uint8Array.of(0x22, 0x80, 0x22)],
    ['an overlong slash', 'invalid_utf8', Uint8Array.of(0x22, 0xc0, 0xaf, 0x22)],
    ['a surrogate as CESU-8', 'invalid_utf8', Uint8Array.of(0x22, 0xed, 0xa0, 0x80, 0x22)],
    ['UTF-16', 'invalid_utf8', Uint8Array.of(0xff, 0xfe, 0x7b, 0x00, 0x7d, 0x00)],
    ['arrays one too deep', 'too_deep', nested(JSON_DEPTH_MAX + 1)],
    ['objects one too deep', 'too_deep', `${'{"a":'.repeat(21)}1${'}'.repeat(21)}`],
    ['a million brackets', 'syntax', '['.repeat(1_000_000)],
    ['100,000 levels', 'too_deep', nested(100_000)],
    ['the same key twice', 'duplicate_key', '{"a":1,"a":2}'],
    ['the same key twice, equal values', 'duplicate_key', '{"a":"x","a":"x"}'],
    ['the same key twice, one escaped', 'duplicate_key', '{"a":1,"\\u0061":2}'],
    ['the same key twice, deep', 'duplicate_key', '{"z":[{"b":{"c":1,"d":2,"c":3}}]}'],
    ['the same number-like key twice', 'duplicate_key', '{"1":1,"1":2}'],
    ['a dropped member with strings inside', 'duplicate_key', '{"a":{"b":"c"},"a":{"b":"c"}}'],
    ['the empty key twice', 'duplicate_key', '{"":1,"":2}'],
    ['__proto__', 'forbidden_key', '{"__proto__":{"admin":true}}'],
    ['__proto__ escaped', 'forbidden_key', '{"\\u005f_proto__":1}'],
    ['__proto__ deep', 'forbidden_key', '[{"a":{"__proto__":null}}]'],
    ['NUL in a string', 'nul_character', '{"a":"x\\u0000y"}'],
    ['NUL in a key', 'nul_character', '{"\\u0000":1}'],
    ['a lone high surrogate', 'lone_surrogate', '{"a":"\\ud800"}'],
    ['a lone low surrogate', 'lone_surrogate', '["\\udc00"]'],
    ['surrogates in the wrong order', 'lone_surrogate', '"\\udc00\\ud800"'],
    ['a lone surrogate in a key', 'lone_surrogate', '{"\\ud83d":1}'],
    ['1e400', 'number_out_of_range', '{"value":1e400}'],
    ['-1e400', 'number_out_of_range', '[-1e400]'],
    ['400 digits', 'number_out_of_range', '9'.repeat(400)],
  ];
  for (const [name, reason, body] of refusals) {
    it(`refuses ${name} as ${reason}`, () => {
      const result = parseStrictJson(typeof body === 'string' ? bytes(body) : body);
      expect(result).toMatchObject({ ok: false, code: 'invalid_json', reason });
    });
  }

  it.each([
    ['null'],
    ['true'],
    ['-0.5e-3'],
    ['"plain"'],
    ['"\\ud83d\\ude00 \\" \\\\ \\n"'],
    ['{}'],
    ['[]'],
    [nested(JSON_DEPTH_MAX)],
    ['{"a":{"a":{"a":"a"}},"b":["a","a"]}'],
    ['{"a" : "x:y" , "b":"\\"a\\":1,\\"a\\":2"}'],
    ['{"constructor":1,"toString":2,"hasOwnProperty":3,"proto":4}'],
    ['{"é":"ünï","日本":"語"}'],
    ['{"trailing":"backslash\\\\"}'],
    ['5e-324'],
  ])('reads %s like JSON.parse', (text) => {
    expect(read(text)).toEqual({ ok: true, value: JSON.parse(text) });
  });

  it('reads back whatever JSON.stringify writes, up to the depth limit', () => {
    const clean = fc.string({ unit: 'grapheme' }).filter((s) => s !== '__proto__' && !s.includes('\u0000'));
    const value = fc.letrec((tie) => ({
      value: fc.oneof(
        { maxDepth: 6 },
        fc.constantFrom(null, true, false),
        fc.double({ noNaN: true, noDefaultInfinity: true }),
        clean,
        fc.array(tie('value'), { maxLength: 5 }),
        fc.dictionary(clean, tie('value'), { maxKeys: 5 }),
      ),
    })).value;
    fc.assert(
      fc.property(value, fc.constantFrom(0, 1, 2), (input, indent) => {
        const text = JSON.stringify(input, null, indent);
        const result = read(text);
        expect(result.ok && JSON.stringify(result.value)).toBe(JSON.stringify(JSON.parse(text)));
      }),
      { numRuns: 300 },
    );
  });

  it('refuses every object in which one member is repeated, wherever it is', () => {
    const members = fc.uniqueArray(fc.tuple(fc.string(), fc.json({ maxDepth: 2 })), {
      minLength: 1,
      maxLength: 6,
      selector: ([key]) => key,
    });
    fc.assert(
      fc.property(members, fc.nat(), fc.json(), fc.boolean(), (list, pick, other, wrap) => {
        const written = list.map(([key, json]) => `${JSON.stringify(key)}:${json}`);
        const again = list[pick % list.length]?.[0] ?? '';
        const text = `{${[...written, `${JSON.stringify(again)}:${other}`].join()}}`;
        expect(read(wrap ? `[${text}]` : text).ok).toBe(false);
      }),
      { numRuns: 300 },
    );
  });

  it('never throws, whatever the bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 64 }), (body) => {
        expect(typeof parseStrictJson(body).ok).toBe('boolean');
      }),
      { numRuns: 500 },
    );
  });
});
