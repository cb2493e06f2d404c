// Nothing personal in any request: 14 places of an event, every platform, values encoded up to three times, looked for in
// address, headers and body, decoded or not. What the merchant declared as identity arrives as before.
import { describe, expect, it } from 'vitest';
import type { NormalizedEvent } from '#lib/events/domain/event/normalized-event.ts';
import { outgoingFor } from '#lib/events/pipeline/outgoing.ts';
import { CALLER, loadPlatformModules } from '#test/conformance/platforms/platform-modules.ts';
import { sampleEvent } from '#test/support/sample-event.ts';
import { ENCODINGS, PLACES } from './places.ts';

const modules = await loadPlatformModules();

/** The part of each value that occurs nowhere else. */
const CANARIES = [
  { canary: 'canary.person', value: 'canary.person@mail.example', name: '' },
  { canary: '30 7654321', value: '+49 30 7654321', name: '' },
  { canary: '4539 1488 0343', value: '4539 1488 0343 6467', name: '' },
  { canary: '3704 0044 0532', value: 'DE89 3704 0044 0532 0130 00', name: '' },
  { canary: '078-05-1120', value: '078-05-1120', name: '' },
  { canary: 'c4n4ry9f21', value: 'c4n4ry9f21', name: 'reset_token' },
  { canary: 'Canarina', value: 'Canarina', name: 'last_name' },
] as const;

/** Everything that a reader of the request may make of it. */
function readings(text: string): string {
  const all = [text];
  for (let round = 0; round < 4; round++) {
    const last = all.at(-1) ?? '';
    all.push(last.replace(/(?:%[\da-f]{2})+/gi, (part) => decoded(part)));
  }
  for (const [token] of text.matchAll(/[\w+/-]{12,}/g)) all.push(Buffer.from(token, 'base64url').toString());
  return all.join('\n').normalize('NFKC').replaceAll('+', ' ');
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

const NAMES = ['Purchase', 'Search', 'PageView', 'Lead', 'ViewContent'] as const;

describe.each(modules)('a request to $slug', ({ platform, examples }) => {
  const credentials = platform.credentials.parse(examples[0].credentials);
  const requestFor = (event: NormalizedEvent): string | null => {
    const outgoing = outgoingFor(platform.slug, event);
    if (platform.unsendable(outgoing, credentials) !== null) return null;
    const { url, headers, body } = platform.buildRequest([outgoing], credentials, CALLER);
    return `${url}\n${JSON.stringify(headers)}\n${body}`;
  };

  it.each(Object.keys(PLACES))('has nothing personal from: %s', (place) => {
    const put = PLACES[place];
    let built = 0;
    for (const name of NAMES)
      for (const { canary, value, name: parameter } of CANARIES)
        for (const [encoding, encode] of Object.entries(ENCODINGS)) {
          const written = encode(value);
          if (encoding === 'base64url' && written.length < 16) continue;
          const event: NormalizedEvent = { ...sampleEvent({ name }), ...put?.(written, parameter) };
          const request = requestFor(event);
          if (request === null) continue;
          built += 1;
          expect(readings(request), `${name}, ${encoding}: ${written}`).not.toContain(canary);
          expect(request).not.toContain(written);
        }
    expect(built).toBeGreaterThan(0);
  });

  it('may be sent, and says the same of the person, whatever stands beside', () => {
    const clean = sampleEvent();
    for (const put of Object.values(PLACES)) {
      const event: NormalizedEvent = { ...clean, ...put('canary.person@mail.example', '') };
      const outgoing = outgoingFor(platform.slug, event);
      expect(platform.unsendable(outgoing, credentials)).toEqual(platform.unsendable(event, credentials));
      for (const part of ['hashed', 'raw', 'plaintext'] as const) expect(outgoing[part]).toBe(event[part]);
    }
  });
});

it('would have it, if events were sent as they came: the test can fail', () => {
  const [meta] = modules.filter(({ slug }) => slug === 'meta');
  const event = {
    ...sampleEvent(),
    ...PLACES['query of the address']?.('canary.person%2540mail.example', ''),
  };
  const credentials = meta?.platform.credentials.parse(meta.examples[0].credentials);
  const ungated = event as Parameters<NonNullable<typeof meta>['platform']['buildRequest']>[0][number];
  expect(readings(meta?.platform.buildRequest([ungated], credentials, CALLER).body ?? '')).toContain(
    'canary.person@',
  );
});
