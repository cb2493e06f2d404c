import { describe, expect, it } from 'vitest';
import type { HttpResult } from './platform.ts';
import { readTokenAnswer, refreshTokenRequest } from './refresh-token.ts';

const answer = (status: number, body: unknown): HttpResult => ({
  kind: 'response',
  status,
  headers: {},
  body: typeof body === 'string' ? body : JSON.stringify(body),
});

describe('the request for an access token', () => {
  const request = refreshTokenRequest('https://oauth.example/token', {
    client_id: 'id',
    client_secret: 's&cret=',
    refresh_token: '1//token+x',
  });

  it('is a form with the refresh grant', () => {
    expect(request).toMatchObject({ method: 'POST', url: 'https://oauth.example/token' });
    expect(request.headers['content-type']).toBe('application/x-www-form-urlencoded');
    expect(Object.fromEntries(new URLSearchParams(request.body))).toEqual({
      grant_type: 'refresh_token',
      client_id: 'id',
      client_secret: 's&cret=',
      refresh_token: '1//token+x',
    });
  });

  it('names what is secret in it', () => expect(request.secrets).toEqual(['s&cret=', '1//token+x']));
});

describe('its answer', () => {
  it('is a token with its lifetime', () => {
    expect(
      readTokenAnswer(answer(200, { access_token: 'abc', expires_in: 3599, token_type: 'Bearer' })),
    ).toEqual({
      kind: 'token',
      accessToken: 'abc',
      expiresInSec: 3599,
    });
    expect(readTokenAnswer(answer(200, { access_token: 'abc' }))).toMatchObject({ expiresInSec: 300 });
    expect(readTokenAnswer(answer(200, { access_token: 'abc', expires_in: -5 }))).toMatchObject({
      expiresInSec: 0,
    });
  });

  it.each([
    [
      400,
      { error: 'invalid_grant', error_description: 'Token has been expired or revoked.' },
      'auth',
      'oauth.invalid_grant',
    ],
    [401, { error: 'invalid_client' }, 'auth', 'oauth.invalid_client'],
    [403, { error: 'access_denied' }, 'auth', 'oauth.access_denied'],
    [400, { error: 'internal_failure' }, 'retry', 'oauth.internal_failure'],
    [400, { error: 'slow_down' }, 'retry', 'oauth.slow_down'],
    [503, { error: 'temporarily_unavailable' }, 'retry', 'oauth.temporarily_unavailable'],
    [500, { error: 'invalid_grant' }, 'retry', 'oauth.invalid_grant'],
    [429, {}, 'retry', 'http_429'],
    [400, '<html>', 'retry', 'http_400'],
    [401, '', 'retry', 'http_401'],
    [200, '', 'retry', 'unreadable_answer'],
    [200, { access_token: '' }, 'retry', 'unreadable_answer'],
    [200, { access_token: 'a\r\nx-injected: 1' }, 'retry', 'unreadable_answer'],
    [200, { access_token: 5 }, 'retry', 'unreadable_answer'],
    [400, { error: { code: 1 } }, 'retry', 'http_400'],
    [302, { access_token: 'abc' }, 'retry', 'http_302'],
  ])('%i %j means %s', (status, body, kind, code) =>
    expect(readTokenAnswer(answer(status, body))).toMatchObject({ kind, code }),
  );

  it('passes on why there is none, without secrets', () => {
    expect(
      readTokenAnswer({ kind: 'failure', code: 'dns', maybeDelivered: false, message: 'no such host' }),
    ).toEqual({
      kind: 'retry',
      code: 'dns',
      message: 'no such host',
    });
    const said = { error: 'invalid_grant', error_description: `token=${'a'.repeat(40)} of jane@example.com` };
    expect(readTokenAnswer(answer(400, said))).toEqual({
      kind: 'auth',
      code: 'oauth.invalid_grant',
      message: 'token=[secret] of [email]',
    });
  });
});
