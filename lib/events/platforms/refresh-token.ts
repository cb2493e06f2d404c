// OAuth 2.0 refresh as data, for platforms whose access tokens are short-lived (RFC 6749, sections 5 and 6).
// Guarantees: reading is total; a token that could not stand in a header is none.
import { failureOutcome, jsonObject, wholeNumber } from './answer.ts';
import type { HttpRequest, HttpResult, TokenResult } from './platform.ts';
import { redactMessage } from './redact.ts';

export interface RefreshGrant {
  readonly client_id: string;
  readonly client_secret: string;
  readonly refresh_token: string;
}

/** The request that trades a refresh token for an access token at `url`. `scope`: where the vendor asks for it again. */
export function refreshTokenRequest(url: string, grant: RefreshGrant, scope?: string): HttpRequest {
  const { client_id, client_secret, refresh_token } = grant;
  return {
    method: 'POST',
    url,
    headers: { 'content-type': 'application/x-www-form-urlencoded', accept: 'application/json' },
    body: new URLSearchParams({
      grant_type: 'refresh_token',
      client_id,
      client_secret,
      refresh_token,
      ...(scope === undefined ? {} : { scope }),
    }).toString(),
    secrets: [client_secret, refresh_token],
  };
}

/** Where the answer does not say how long the token lives (RFC 6749, 5.1 only recommends it). */
const LIFETIME_UNKNOWN_SEC = 300;
const TOKEN = /^[!-~]{1,8192}$/;
/** Refusals that say nothing about the grant. */
const PASSING: ReadonlySet<unknown> = new Set([
  'slow_down',
  'temporarily_unavailable',
  'server_error',
  'internal_failure',
]);

/** `auth` only where the token endpoint itself refused the grant; everything unclear is tried again. */
export function readTokenAnswer(result: HttpResult): TokenResult {
  if (result.kind === 'failure') {
    const { code = result.code, message } = failureOutcome(result);
    return { kind: 'retry', code, ...(message === undefined ? {} : { message }) };
  }
  const body = jsonObject(result);
  const ok = result.status >= 200 && result.status < 300;
  if (ok && typeof body?.access_token === 'string' && TOKEN.test(body.access_token)) {
    const lifetimeSec = wholeNumber(body.expires_in) ?? LIFETIME_UNKNOWN_SEC;
    return { kind: 'token', accessToken: body.access_token, expiresInSec: Math.max(0, lifetimeSec) };
  }
  const error = typeof body?.error === 'string' && /^[a-z_]{1,60}$/.test(body.error) ? body.error : undefined;
  const message =
    typeof body?.error_description === 'string' ? redactMessage(body.error_description) : undefined;
  const refused = [400, 401, 403].includes(result.status) && error !== undefined && !PASSING.has(error);
  return {
    kind: refused ? 'auth' : 'retry',
    code: error === undefined ? (ok ? 'unreadable_answer' : `http_${result.status}`) : `oauth.${error}`,
    ...(message === undefined ? {} : { message }),
  };
}
