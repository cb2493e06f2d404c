import { hash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { IdentityLookups } from './lookups.ts';
import { normalizeIdentity } from './normalize.ts';

const lookups: IdentityLookups = {
  nationalPhone: () => null,
  countryCode: () => null,
  regionCode: () => null,
};
const normalize = (email: string) => normalizeIdentity({ email }, lookups);
const sha = (text: string) => hash('sha256', text);

/** Input → plain, Google, GA4, Reddit, Microsoft, Amazon; null = absent. */
const VARIANTS: readonly (readonly [string, ...(string | null)[]])[] = [
  [
    ' Jane@Example.com\n',
    'jane@example.com',
    'jane@example.com',
    'jane@example.com',
    'jane@example.com',
    'jane@example.com',
    'jane@example.com',
  ],
  [
    'J.D+x@Gmail.com',
    'j.d+x@gmail.com',
    'jd@gmail.com',
    'jd+x@gmail.com',
    'jd@gmail.com',
    'jd@gmail.com',
    'j.d+x@gmail.com',
  ],
  [
    'a.b+c.d@googlemail.com',
    'a.b+c.d@googlemail.com',
    'ab@googlemail.com',
    'ab+cd@googlemail.com',
    'ab@googlemail.com',
    'ab@googlemail.com',
    'a.b+c.d@googlemail.com',
  ],
  [
    'a.b+c@mygmail.com',
    'a.b+c@mygmail.com',
    'a.b+c@mygmail.com',
    'a.b+c@mygmail.com',
    'ab@mygmail.com',
    'ab@mygmail.com',
    'a.b+c@mygmail.com',
  ],
  ['a_b-c@x.io', 'a_b-c@x.io', 'a_b-c@x.io', 'a_b-c@x.io', 'abc@x.io', 'a_b-c@x.io', 'ab-c@x.io'],
  ['+tag@gmail.com', '+tag@gmail.com', null, '+tag@gmail.com', null, null, '+tag@gmail.com'],
  ['...@gmail.com', '...@gmail.com', null, null, null, null, '...@gmail.com'],
  ['__@x.io', '__@x.io', '__@x.io', '__@x.io', null, '__@x.io', null],
  [
    'josé@bücher.de',
    'josé@bücher.de',
    'josé@bücher.de',
    'josé@bücher.de',
    'jos@bücher.de',
    'josé@bücher.de',
    null,
  ],
  [
    'jose\u0301@x.io',
    'jos\u00e9@x.io',
    'jos\u00e9@x.io',
    'jos\u00e9@x.io',
    'jos@x.io',
    'jos\u00e9@x.io',
    'jos@x.io',
  ],
  ['\ufeffja\u200bne@x.io', 'jane@x.io', 'jane@x.io', 'jane@x.io', 'jane@x.io', 'jane@x.io', 'jane@x.io'],
  [
    'foo..bar.@docomo.ne.jp',
    'foo..bar.@docomo.ne.jp',
    'foo..bar.@docomo.ne.jp',
    'foo..bar.@docomo.ne.jp',
    'foobar@docomo.ne.jp',
    'foobar@docomo.ne.jp',
    'foo..bar.@docomo.ne.jp',
  ],
];

describe('e-mail', () => {
  it.each(VARIANTS.map(([input, ...forms]) => ({ input, forms })))('$input', ({ input, forms }) => {
    const { hashed, plain, issues } = normalize(input);
    const digests = [
      hashed.emailPlain,
      hashed.emailGoogle,
      hashed.emailGa4,
      hashed.emailReddit,
      hashed.emailMicrosoft,
      hashed.emailAmazon,
    ];
    expect(digests).toEqual(forms.map((form) => (form === null ? undefined : sha(form))));
    expect(plain.email).toBe(forms[0]);
    expect(issues).toEqual([]);
  });

  it('loses the whitespace inside an address, with an issue', () => {
    const { hashed, issues } = normalize('jane . doe @ example.com');
    expect(hashed.emailPlain).toBe(sha('jane.doe@example.com'));
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
    'jane@example.com.',
    'jane@-example.com',
    'jane@example.com-',
    'jane@127.0.0.1',
    'jane@[127.0.0.1]',
    'jane@exam_ple.com',
    'Jane <jane@example.com>',
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
