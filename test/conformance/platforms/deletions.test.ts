// How a person's deletion is passed on, platform by platform: there is a word and a source for each, and what is sent is taken by the
// vendor's stand-in, which refuses what the vendor's documents do not have.
import { describe, expect, it } from 'vitest';
import { sha256 } from '#lib/events/domain/identity/digest.ts';
import type { HttpRequest } from '#lib/events/platforms/platform.ts';
import { CALLER, loadPlatformModules, NOW_MS, type PlatformModule } from './platform-modules.ts';

const modules = await loadPlatformModules();
const PERSON = {
  email: 'jane@shop.example',
  phone: '+447700900123',
  hashed: { emailAmazon: sha256('jane@shop.example'), phoneDigits: sha256('447700900123') },
};

function requestsOf({ platform, examples }: PlatformModule): readonly HttpRequest[] {
  const { deletion } = platform;
  if (deletion.offered !== 'yes') return [];
  expect(deletion.names({ hashed: {} })).toBe(false);
  expect(deletion.names(PERSON)).toBe(true);
  return deletion.buildRequests(PERSON, examples[0].credentials, CALLER);
}

function asked({ sandbox }: PlatformModule, request: HttpRequest, login: 'ok' | 'wrong_secret' = 'ok') {
  const { host, pathname } = new URL(request.url);
  return sandbox.handle(
    { ...request, host, path: pathname, query: {} },
    { nowMs: NOW_MS, check: () => login },
  );
}

it.each(modules)(
  '$slug says whether it deletes people, why not, and where that is documented',
  ({ platform }) => {
    const { deletion } = platform;
    expect(deletion.docs).toMatch(/^https:\/\//);
    expect(deletion.readOn).toMatch(/^2\d{3}-\d\d-\d\d$/);
    expect(deletion.offered === 'yes' ? deletion.finds : deletion.why).toMatch(/\w+ \w+/);
    if (deletion.offered !== 'yes') expect(deletion.why).toMatch(/\.$/);
  },
);

describe.each(modules.filter(({ platform }) => platform.deletion.offered === 'yes'))('$slug', (module) => {
  const { deletion } = module.platform;
  if (deletion.offered !== 'yes') throw new Error('filtered');

  it('is sent what its stand-in takes, and counts no event for it', () => {
    const requests = requestsOf(module);
    expect(requests.length).toBeGreaterThan(0);
    for (const request of requests) {
      const { answer, events } = asked(module, request);
      expect(deletion.readResponse({ kind: 'response', ...answer }), answer.body).toEqual({
        kind: 'delivered',
      });
      expect(events).toMatchObject([{ deletes: true, accepted: true }]);
    }
  });

  it('refuses another body, and is not taken to have agreed', () => {
    for (const request of requestsOf(module))
      for (const body of [
        '{}',
        'x',
        '{"data":{"type":"profile"}}',
        request.body.replace('"type"', '"typ"'),
      ]) {
        const { answer, events } = asked(module, { ...request, body });
        expect(answer.status, body).toBeGreaterThanOrEqual(400);
        expect(deletion.readResponse({ kind: 'response', ...answer }).kind).toBe('permanent');
        expect(events).toMatchObject([{ accepted: false }]);
      }
  });

  it.each([
    [503, ''],
    [429, 'slow down'],
    [403, '<html>a firewall</html>'],
    [200, '{}'],
    [500, '[]'],
  ])('asks again after %d %j', (status, body) => {
    const answer = { kind: 'response', status, headers: {}, body } as const;
    expect(['retry', 'rate_limited']).toContain(deletion.readResponse(answer).kind);
  });

  it('is known to refuse a stranger', () => {
    for (const request of requestsOf(module)) {
      const { answer } = asked(module, request, 'wrong_secret');
      expect(deletion.readResponse({ kind: 'response', ...answer }).kind).toBe('auth');
    }
  });
});
