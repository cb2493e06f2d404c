import { hash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { NO_LOOKUPS } from '#test/support/no-lookups.ts';
import { normalizeIdentity } from './normalize.ts';

const normalize = (email: string) => normalizeIdentity({ email }, NO_LOOKUPS);
const sha = (text: string) => hash('sha256', text);

type Form = 'google' | 'ga4' | 'reddit' | 'microsoft' | 'amazon';

/** Input, the plain form, and the forms that differ from it; null = absent. */
const VARIANTS: readonly (readonly [string, string, Partial<Record<Form, string | null>>])[] = [
  [' Jane@Example.com\n', 'jane@example.com', {}],
  [
    'J.D+x@Gmail.com',
    'j.d+x@gmail.com',
    { ...forms('google reddit microsoft', 'jd@gmail.com'), ga4: 'jd+x@gmail.com' },
  ],
  [
    'a.b+c.d@googlemail.com',
    'a.b+c.d@googlemail.com',
    { ...forms('google reddit microsoft', 'ab@googlemail.com'), ga4: 'ab+cd@googlemail.com' },
  ],
  ['a.b+c@mygmail.com', 'a.b+c@mygmail.com', forms('reddit microsoft', 'ab@mygmail.com')],
  ['a_b-c@x.io', 'a_b-c@x.io', { reddit: 'abc@x.io', amazon: 'ab-c@x.io' }],
  ['+tag@gmail.com', '+tag@gmail.com', forms('google reddit microsoft', null)],
  ['...@gmail.com', '...@gmail.com', forms('google ga4 reddit microsoft', null)],
  ['__@x.io', '__@x.io', forms('reddit amazon', null)],
  ['josé@bücher.de', 'josé@bücher.de', { reddit: 'jos@bücher.de', amazon: null }],
  ['jose\u0301@x.io', 'jos\u00e9@x.io', forms('reddit amazon', 'jos@x.io')],
  ['\ufeffja\u200bne@x.io', 'jane@x.io', {}],
  ['foo..bar.@docomo.ne.jp', 'foo..bar.@docomo.ne.jp', forms('reddit microsoft', 'foobar@docomo.ne.jp')],
];

function forms(names: string, form: string | null): Partial<Record<Form, string | null>> {
  return Object.fromEntries(names.split(' ').map((name) => [name, form]));
}

describe('e-mail', () => {
  it.each(VARIANTS)('%j', (input, plainForm, differing) => {
    const { hashed, plain, issues } = normalize(input);
    const digestOf = (form: string | null = plainForm) => (form === null ? undefined : sha(form));
    expect(hashed).toEqual({
      emailPlain: digestOf(),
      emailGoogle: digestOf(differing.google),
      emailGa4: digestOf(differing.ga4),
      emailReddit: digestOf(differing.reddit),
      emailMicrosoft: digestOf(differing.microsoft),
      emailAmazon: digestOf(differing.amazon),
    });
    expect(plain.email).toBe(plainForm);
    expect(issues).toEqual([]);
  });

  it('loses the whitespace inside an address, with an issue', () => {
    const { hashed, issues } = normalize('jane . doe @ example.com');
    expect(hashed.emailPlain).toBe(sha('jane.doe@example.com'));
    expect(issues).toEqual([{ field: 'email', code: 'malformed' }]);
  });

  it.each([
    ['mailto:Jane@example.com', 'jane@example.com'],
    ['"Doe, Jane" <Jane@example.com>', 'jane@example.com'],
    ['<jane@example.com>', 'jane@example.com'],
    ['Jane Doe <mailto:jane@example.com.>', 'jane@example.com'],
    ['jane@example.com.', 'jane@example.com'],
    ['ｊａｎｅ＠ｅｘａｍｐｌｅ．ｃｏｍ', 'jane@example.com'],
    ['ｊａｎｅ@example.com', 'jane@example.com'],
  ])('%s is taken out of what it is wrapped in, with an issue', (text, address) => {
    const { hashed, plain, issues } = normalize(text);
    expect([hashed.emailPlain, plain.email]).toEqual([sha(address), address]);
    expect(issues).toEqual([{ field: 'email', code: 'malformed' }]);
  });

  it.each([
    'jane',
    '@example.com',
    'jane@',
    'jane@example',
    'jane@@example.com',
    'a@b@example.com',
    'jane@.com',
    'jane@example..com',
    'jane@example.com..',
    'jane@example.com <jane@example.org> <jane@example.net>',
    'mailto:',
    'Jane <>',
    'jane@-example.com',
    'jane@example.com-',
    'jane@127.0.0.1',
    'jane@[127.0.0.1]',
    'jane@exam_ple.com',
    '"jane doe"@example.com',
    'jane,doe@example.com',
    'jane@example.com,john@example.com',
    'jane\u0000@example.com',
    'jane@example.c',
    `${'a'.repeat(65)}@example.com`,
    `a@${'b'.repeat(250)}.com`,
    'd41d8cd98f00b204e9800998ecf8427e@',
  ])('refuses %s', (email) => {
    expect(normalize(email)).toEqual({
      hashed: {},
      raw: {},
      plain: {},
      issues: [{ field: 'email', code: 'not_an_email' }],
    });
  });

  it('takes a SHA-256 as it is for every variant and keeps nothing plain', () => {
    const digest = sha('jane@example.com');
    for (const email of [digest, digest.toUpperCase(), Buffer.from(digest, 'hex').toString('base64')]) {
      const { hashed, plain, issues } = normalize(` ${email} `);
      expect(new Set(Object.values(hashed))).toEqual(new Set([digest]));
      expect(Object.keys(hashed)).toHaveLength(6);
      expect(plain).toEqual({});
      expect(issues).toEqual([{ field: 'email', code: 'already_hashed' }]);
    }
  });
});
