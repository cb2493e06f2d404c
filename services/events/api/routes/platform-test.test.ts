// POST /v1/platforms/:id/test for every platform there is, over the transport that delivers, against the platforms' sandbox.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createTransport } from '#lib/adapters/http/transport.ts';
import type { HttpRequest, HttpResult, Platform } from '#lib/events/platforms/platform.ts';
import { credentialFields } from '#lib/events/routes/platforms/credential-form.ts';
import { testPlatform } from '#lib/events/routes/platforms/platform-checks.ts';
import { connectPlatform } from '#lib/events/routes/platforms/platforms.ts';
import { type RunningSandbox, startSandbox } from '#services/local/sandbox/server.ts';
import { loadPlatformModules } from '#test/conformance/platforms/platform-modules.ts';
import { type ApiHost, type ApiReply, bodyOf, codeOf, MINE, NOW, openApi } from '#test/contract/api-host.ts';

interface Counted {
  readonly platforms: readonly { readonly platform: string; readonly total: number; readonly test: number }[];
}

const modules = await loadPlatformModules();
const META = { pixel_id: '1234567890', access_token: 'EAAB-very-secret', test_event_code: 'TEST1' };

let sandbox: RunningSandbox;
let close: () => Promise<void>;
let transport: ReturnType<typeof createTransport>;
let host: ApiHost;
beforeAll(async () => {
  const valid = [...Map.groupBy(modules, ({ slug }) => slug)].map(
    ([slug, some]) => [slug, some.flatMap(({ examples }) => examples.map((e) => e.credentials))] as const,
  );
  sandbox = await startSandbox({
    now: () => NOW,
    validCredentials: Object.fromEntries(valid) as Record<string, Record<string, unknown>[]>,
  });
  transport = createTransport({ sandboxUrl: sandbox.url });
  close = async () => {
    await transport.close();
    await sandbox.close();
  };
});
afterAll(() => close());
beforeEach(async () => {
  await fetch(`${sandbox.url}/received`, { method: 'DELETE' });
  await fetch(`${sandbox.url}/faults`, { method: 'DELETE' });
  host = await openApi(() => ({ transport: async () => transport }));
});

const connect = async (platform: string, credentials: unknown, at = host) => {
  const body = { platform, credentials, confirm_experimental: true };
  const request = { method: 'POST', token: host.session('owner'), body };
  return bodyOf(connectPlatform, await at.call('/v1/platforms', request)).platform.id;
};
const test = (id: string, at = host): Promise<ApiReply> =>
  at.call(`/v1/platforms/${id}/test`, { method: 'POST', token: host.session('admin') });
const tested = async (id: string, at = host) => bodyOf(testPlatform, await test(id, at));
const tally = async (slug: string) => {
  const answer = await fetch(`${sandbox.url}/counted?platform=${slug}`);
  const body = (await answer.json()) as Counted | Counted['platforms'][number];
  return 'platforms' in body ? body.platforms.find(({ platform }) => platform === slug) : body;
};
const fault = async (platform: string, kind: string) => {
  const body = JSON.stringify({ platform, kind, count: 10 });
  const reply = await fetch(`${sandbox.url}/faults`, { method: 'POST', body });
  expect(reply.status).toBe(200);
};
const secretsIn = (platform: Platform, credentials: Readonly<Record<string, unknown>>): string[] =>
  credentialFields(platform)
    .filter(({ secret, name }) => secret && typeof credentials[name] === 'string')
    .map(({ name }) => String(credentials[name]));

describe.each(modules.map((module) => [module.slug, module] as const))('%s', (slug, module) => {
  const { platform, examples } = module;
  const all = examples.map(({ credentials }) => credentials as Readonly<Record<string, unknown>>);
  const testable = all.find((one) => platform.testable?.(platform.credentials.parse(one)) !== false);

  it('takes the made-up event in its test mode and counts nothing, or says that it has none', async () => {
    const credentials = testable ?? all[0] ?? {};
    const reply = await test(await connect(slug, credentials));
    if (testable === undefined) {
      expect([reply.status, codeOf(reply)]).toEqual([409, 'test_mode_unavailable']);
      expect((reply.body as { details: unknown[] }).details).toHaveLength(1);
      expect(await tally(slug)).toMatchObject({ total: 0, test: 0 });
      return;
    }
    const body = bodyOf(testPlatform, reply);
    expect(body, reply.text).toMatchObject({ ok: true, stage: 'event', platform: slug });
    expect(body.outcomes).toEqual([
      expect.objectContaining({ event_id: body.event_id, outcome: 'delivered' }),
    ]);
    expect(body.latency_ms).toBeGreaterThanOrEqual(0);
    expect(body.http_status).toBeLessThan(300);
    expect(body.request?.body_json).not.toBeNull();
    for (const secret of secretsIn(platform, credentials)) {
      expect(reply.text).not.toContain(secret);
      expect(reply.text).not.toContain(encodeURIComponent(secret));
    }
    expect(await tally(slug)).toMatchObject({ total: 0, test: 1 });
  });

  it('refusing the credentials is a result, and pauses nothing', async () => {
    if (testable === undefined) return;
    const id = await connect(slug, testable);
    await fault(slug, '401');
    const body = await tested(id);
    expect(body.ok).toBe(false);
    // A 401 without the vendor's own words may be a proxy's: unclear, and said so. GA4 has no words for it at all.
    const isUnclear = body.stage === 'token' || slug === 'ga4';
    const [first, ...others] = body.outcomes.map(({ outcome }) => outcome);
    expect([others, isUnclear ? ['auth', 'retry'] : ['auth']]).toEqual([[], expect.arrayContaining([first])]);
    expect((await host.config.connection(MINE, slug))?.status).toBe('active');
  });

  it('being down is a result', async () => {
    if (testable === undefined) return;
    const id = await connect(slug, testable);
    await fault(slug, '500');
    const body = await tested(id);
    expect(body.ok).toBe(false);
    expect(body.outcomes.map(({ outcome }) => outcome)).toEqual(['retry']);
    expect(host.reports).toEqual([]);
  });
});

describe('a test', () => {
  it('is refused where the platform would count it, with the reason', async () => {
    const { test_event_code: _, ...live } = META;
    const reply = await test(await connect('meta', live));
    expect([reply.status, codeOf(reply)]).toEqual([409, 'test_mode_unavailable']);
    const message = expect.stringContaining('Meta') as string;
    const details = [{ path: 'credentials.test_event_code', message }];
    expect(reply.body).toEqual(expect.objectContaining({ details }));
    expect(await host.config.listAudit(MINE, 10)).toHaveLength(1);
  });

  it('is in the audit trail, and does not resume a paused connection', async () => {
    const id = await connect('meta', META);
    const seen = await host.config.connection(MINE, 'meta');
    if (seen === null) throw new Error('not connected');
    await host.config.pauseConnection(seen, 'auth', NOW);
    host.clock.advance(1);
    const body = await tested(id);
    expect(body.warnings.map(({ code }) => code)).toEqual(['connection_paused']);
    expect((await host.config.connection(MINE, 'meta'))?.status).toBe('paused');
    const [entry] = await host.config.listAudit(MINE, 10);
    expect(entry).toMatchObject({ action: 'connection.test', subject: id });
  });

  it('is answered when nobody is there', async () => {
    const alone = await openApi();
    const id = await connect('meta', META, alone);
    const body = await tested(id, alone);
    const outcomes = [{ outcome: 'retry' }];
    expect(body).toMatchObject({ ok: false, stage: 'event', response: null, outcomes });
    expect(body).not.toHaveProperty('http_status');
  });

  it('says that what was entered is not enough any more', async () => {
    const id = await connect('meta', META);
    const asksMore = host.ports.platforms.map((platform) => ({
      ...platform,
      credentials: { ...platform.credentials, safeParse: () => ({ success: false }) },
    })) as unknown as readonly Platform[];
    const later = await openApi(() => ({ ...host.ports, platforms: asksMore }));
    const outcomes = [{ code: 'credentials_outdated' }];
    expect(await tested(id, later)).toMatchObject({ ok: false, stage: 'credentials', outcomes });
  });
});

describe('a platform that wants a token', () => {
  const TOKEN_URL = 'https://login.example/token';
  const ACCESS = 'access-token-0123456789';
  const meta = modules.find(({ slug }) => slug === 'meta')?.platform;
  if (meta === undefined) throw new Error('Meta is gone');
  const platform: Platform = {
    ...meta,
    oauth: {
      buildTokenRequest: () => ({ method: 'POST', url: TOKEN_URL, headers: {}, body: '', secrets: [] }),
      readTokenResponse: (result) =>
        result.kind === 'response' && result.status === 200
          ? { kind: 'token', accessToken: ACCESS, expiresInSec: 3_600 }
          : { kind: 'auth', code: 'token.invalid_grant', message: 'the refresh token is refused' },
    },
    buildRequest: (events, credentials, context) => ({
      ...meta.buildRequest(events, credentials, context),
      headers: { authorization: `Bearer ${context.accessToken}`, 'x-nonce': context.nonce ?? '' },
    }),
  };
  const TAKEN = `{"events_received":1,"echo":"${ACCESS}"}`;
  const REFUSED = '{"error":{"type":"OAuthException","code":190,"message":"Error validating access token"}}';
  const answer = (status: number, body: string): HttpResult & { latencyMs: number } => ({
    kind: 'response',
    status,
    headers: {},
    body,
    latencyMs: 7,
  });
  const open = async (statuses: { token: number; event: number }) => {
    const requests: HttpRequest[] = [];
    const at = await openApi(() => ({
      platforms: [platform],
      transport: async () => ({
        send: async (request) => {
          requests.push(request);
          return request.url === TOKEN_URL
            ? answer(statuses.token, '')
            : answer(statuses.event, statuses.event === 200 ? TAKEN : REFUSED);
        },
      }),
    }));
    return { at, requests, id: await connect('meta', META, at) };
  };

  it('is asked for one, once, and neither shows nor repeats it', async () => {
    const { at, requests, id } = await open({ token: 200, event: 200 });
    const replies = [await test(id, at), await test(id, at)];
    expect(requests.map(({ url }) => url === TOKEN_URL)).toEqual([true, false, false]);
    expect(requests[1]?.headers.authorization).toBe(`Bearer ${ACCESS}`);
    expect(new Set(requests.slice(1).map(({ headers }) => headers['x-nonce'])).size).toBe(2);
    for (const reply of replies) {
      expect(bodyOf(testPlatform, reply)).toMatchObject({ ok: true, http_status: 200, latency_ms: 7 });
      expect(reply.text).not.toContain(ACCESS);
    }
  });

  it('refusing the refresh token is a result of the stage token', async () => {
    const { at, requests, id } = await open({ token: 400, event: 200 });
    const body = await tested(id, at);
    const nothing = { request: null, response: null, latency_ms: null };
    expect(body).toMatchObject({ ok: false, stage: 'token', ...nothing });
    const refused = { code: 'token.invalid_grant', message: 'the refresh token is refused' };
    expect(body.outcomes).toEqual([expect.objectContaining({ outcome: 'auth', ...refused })]);
    expect(requests).toHaveLength(1);
    expect((await at.config.connection(MINE, 'meta'))?.status).toBe('active');
  });

  it('refusing a kept one is asked for another, once', async () => {
    const statuses = { token: 200, event: 200 };
    const { at, requests, id } = await open(statuses);
    await test(id, at);
    statuses.event = 401;
    expect(await tested(id, at)).toMatchObject({ ok: false, stage: 'event', http_status: 401 });
    expect(requests.map(({ url }) => url === TOKEN_URL)).toEqual([true, false, false, true, false]);
  });
});
