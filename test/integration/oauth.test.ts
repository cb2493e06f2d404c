// Platforms that want a short-lived token: asked for once, renewed when refused or old, and a refused refresh pauses.
import { beforeEach, describe, expect, it } from 'vitest';
import type { HttpRequest, HttpResult, Platform } from '../../lib/events/platforms/platform.ts';
import { SYNTHETIC_PLATFORMS, type WireEvent } from '../simulation/synthetic-platforms.ts';
import { createMemoryPipeline } from '../support/memory-pipeline.ts';

const [alpha] = SYNTHETIC_PLATFORMS;
if (alpha === undefined) throw new Error('no synthetic platform');

const TOKEN_URL = 'https://login.example/token';
const platform: Platform = {
  ...alpha,
  buildRequest: (events, credentials, context) => ({
    ...alpha.buildRequest(events, credentials, context),
    headers: { authorization: `Bearer ${context.accessToken}`, nonce: context.nonce ?? '' },
  }),
  oauth: {
    buildTokenRequest: () => ({ method: 'POST', url: TOKEN_URL, headers: {}, body: '', secrets: [] }),
    readTokenResponse: (result) =>
      result.kind === 'response' && result.status === 200
        ? { kind: 'token', ...(JSON.parse(result.body) as { accessToken: string; expiresInSec: number }) }
        : { kind: result.kind === 'response' && result.status === 400 ? 'auth' : 'retry', code: 'token' },
  },
};

const answerWith = (status: number, body: unknown): HttpResult => ({
  kind: 'response',
  status,
  headers: {},
  body: JSON.stringify(body),
});
const event = (id: string) => ({
  event_id: id,
  event_name: 'Purchase',
  event_time: Date.UTC(2026, 10, 21, 11, 59, 0) / 1000,
  user_data: {},
  order_id: id,
});

let issued: number;
let valid: string;
let tokenStatus: number;
let pipeline: ReturnType<typeof createMemoryPipeline>;

function answer(request: HttpRequest): HttpResult {
  if (request.url === TOKEN_URL) {
    if (tokenStatus !== 200) return answerWith(tokenStatus, {});
    issued += 1;
    valid = `token-${issued}`;
    return answerWith(200, { accessToken: valid, expiresInSec: 3_600 });
  }
  if (request.headers.authorization !== `Bearer ${valid}`) return answerWith(401, {});
  const events = JSON.parse(request.body) as WireEvent[];
  return answerWith(200, { results: Object.fromEntries(events.map((e) => [e.nonce, 'ok'])) });
}

const stateOf = (id: string) => {
  const row = pipeline.events.rows().find((r) => r.key.eventId === id);
  return row?.state === 'normalized' ? row.deliveries.alpha : undefined;
};

async function deliver(id: string): Promise<void> {
  await pipeline.accept(event(id));
  await pipeline.drain();
}

beforeEach(() => {
  issued = 0;
  valid = '';
  tokenStatus = 200;
  pipeline = createMemoryPipeline({ platforms: [platform], credentials: { alpha: { token: 'x' } }, answer });
});

describe('access tokens', () => {
  it('are asked for once and shared until shortly before they expire', async () => {
    await deliver('a');
    await deliver('b');
    expect(issued).toBe(1);
    pipeline.clock.advance(3_541_000);
    await deliver('c');
    expect(issued).toBe(2);
    for (const id of ['a', 'b', 'c']) expect(stateOf(id)?.state).toBe('DELIVERED');
    const nonces = pipeline.requests.map((r) => r.headers.nonce).filter((nonce) => nonce !== undefined);
    expect(new Set(nonces).size).toBe(3);
  });

  it('are renewed once when the platform refuses a kept one, at no attempt’s cost', async () => {
    await deliver('a');
    valid = 'revoked meanwhile';
    await deliver('b');
    expect(stateOf('b')).toMatchObject({ state: 'DELIVERED', attempts: 1 });
    expect(pipeline.connections.get('alpha')?.status).toBe('active');
  });

  it('pause the connection when the refresh token is refused', async () => {
    tokenStatus = 400;
    await deliver('a');
    expect(pipeline.connections.get('alpha')).toMatchObject({ status: 'paused', pausedReason: 'auth' });
    expect(stateOf('a')).toMatchObject({ state: 'RETRY', attempts: 0 });
  });

  it('are waited for when the token endpoint is unwell', async () => {
    tokenStatus = 503;
    await deliver('a');
    expect(stateOf('a')).toMatchObject({ state: 'RETRY', unknowns: 0 });
    expect(pipeline.connections.get('alpha')?.status).toBe('active');
    tokenStatus = 200;
    pipeline.clock.advance(60_000);
    await pipeline.sweep();
    await pipeline.drain();
    expect(stateOf('a')?.state).toBe('DELIVERED');
  });
});
