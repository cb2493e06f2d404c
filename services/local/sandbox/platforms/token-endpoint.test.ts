import { describe, expect, it } from 'vitest';
import { readTokenAnswer, refreshTokenRequest } from '#lib/events/platforms/refresh-token.ts';
import type { SandboxContext, SandboxRequest } from './platform-sandbox.ts';
import { bearerSecret, tokenAnswer } from './token-endpoint.ts';

const NOW_MS = 1_795_176_000_000;
const context: SandboxContext = {
  nowMs: NOW_MS,
  check: (_, secret) => (secret === 'good-refresh-token' ? 'unknown_account' : 'wrong_secret'),
};
const grant = { client_id: 'id', client_secret: 'secret', refresh_token: 'good-refresh-token' };

function asked(more: Partial<typeof grant> = {}, method: 'POST' | 'GET' = 'POST') {
  const { url, headers, body } = refreshTokenRequest('https://oauth.example/token', { ...grant, ...more });
  const request: SandboxRequest = {
    method,
    host: new URL(url).host,
    path: '/token',
    query: {},
    headers,
    body,
  };
  return readTokenAnswer({ kind: 'response', ...tokenAnswer(request, context) });
}

const bearing = (authorization?: string): SandboxRequest => ({
  method: 'POST',
  host: 'h',
  path: '/',
  query: {},
  headers: authorization === undefined ? {} : { authorization },
  body: '',
});

describe('the token endpoint of a stand-in', () => {
  it('gives a token for a grant it knows, good for its lifetime and no longer', () => {
    const token = asked();
    expect(token).toMatchObject({ kind: 'token', expiresInSec: 3_600 });
    const header = `Bearer ${token.kind === 'token' ? token.accessToken : ''}`;
    expect(bearerSecret(bearing(header), NOW_MS)).toBe('good-refresh-token');
    expect(bearerSecret(bearing(header), NOW_MS + 3_599_999)).toBe('good-refresh-token');
    expect(bearerSecret(bearing(header), NOW_MS + 3_600_000)).toBeUndefined();
  });

  it('refuses what a real one refuses', () => {
    expect(asked({ refresh_token: 'stolen' })).toMatchObject({ kind: 'auth', code: 'oauth.invalid_grant' });
    expect(asked({ client_secret: '' })).toMatchObject({ kind: 'auth', code: 'oauth.invalid_client' });
    expect(asked({}, 'GET')).toMatchObject({ kind: 'auth', code: 'oauth.invalid_request' });
  });

  it('takes a token from elsewhere for itself, and none for none', () => {
    expect(bearerSecret(bearing('bearer from-elsewhere'), NOW_MS)).toBe('from-elsewhere');
    expect(bearerSecret(bearing('Basic abc'), NOW_MS)).toBeUndefined();
    expect(bearerSecret(bearing(), NOW_MS)).toBeUndefined();
  });
});
