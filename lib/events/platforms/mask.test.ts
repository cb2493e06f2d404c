import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MASK, maskSecrets } from './mask.ts';

const request = (secret: string) => ({
  method: 'POST' as const,
  url: `https://vendor.example/?token=${encodeURIComponent(secret)}&${new URLSearchParams({ key: secret })}`,
  headers: { authorization: `Bearer ${secret}` },
  body: JSON.stringify({ nested: { secret } }),
  secrets: [secret],
});

describe('maskSecrets', () => {
  it('hides a secret in every spelling', () => {
    const shown = maskSecrets(request('a/b+c "d"&é'));
    expect(shown.url).toBe(`https://vendor.example/?token=${MASK}&key=${MASK}`);
    expect(shown.headers.authorization).toBe(`Bearer ${MASK}`);
    expect(shown.body).toBe(`{"nested":{"secret":"${MASK}"}}`);
    expect(shown.secrets).toEqual([]);
  });

  it('hides any secret', () => {
    const text = fc
      .string({ minLength: 8, maxLength: 40, unit: 'grapheme' })
      .filter((s) => /[A-Za-z0-9]{3}/.test(s) && !MASK.includes(s));
    fc.assert(
      fc.property(text, (secret) => {
        const shown = maskSecrets(request(secret));
        expect(`${shown.url}${shown.headers.authorization}${shown.body}`).not.toContain(secret);
      }),
      { numRuns: 300, seed: 3 },
    );
  });

  it('hides the longer of two secrets that begin alike, and nothing for an empty one', () => {
    const shown = maskSecrets({
      ...request('x'),
      url: 'https://v.example/abcdef/abc',
      body: '',
      secrets: ['abc', 'abcdef', ''],
    });
    expect(shown.url).toBe(`https://v.example/${MASK}/${MASK}`);
  });
});
