// The token endpoint of a stand-in vendor. An access token carries the refresh token it came from and the time it was
// issued, so that the stand-in needs no memory to know whose it is and when it expires.
import {
  jsonAnswer,
  type SandboxAnswer,
  type SandboxContext,
  type SandboxRequest,
} from './platform-sandbox.ts';

export const SANDBOX_TOKEN_LIFETIME_SEC = 3_600;

export interface TokenEndpoint {
  readonly hosts: readonly string[];
  readonly path: string;
  readonly lifetimeSec?: number;
}

/** Answers a refresh as RFC 6749 (5.1, 5.2) has it; `lifetimeSec` is what the vendor gives. */
export function tokenAnswer(
  request: SandboxRequest,
  context: SandboxContext,
  lifetimeSec = SANDBOX_TOKEN_LIFETIME_SEC,
): SandboxAnswer {
  if (request.method !== 'POST') return refused('invalid_request', 'Only POST is allowed.');
  const form = new URLSearchParams(request.body);
  if (form.get('grant_type') !== 'refresh_token')
    return refused('unsupported_grant_type', 'grant_type must be refresh_token.');
  if (!form.get('client_id') || !form.get('client_secret'))
    return refused('invalid_client', 'The OAuth client was not found.', 401);
  const refreshToken = form.get('refresh_token') ?? '';
  if (refreshToken === '' || context.check('', refreshToken) === 'wrong_secret')
    return refused('invalid_grant', 'Token has been expired or revoked.');
  return jsonAnswer(200, {
    access_token: sealed(refreshToken, Math.floor(context.nowMs / 1_000) + lifetimeSec),
    expires_in: lifetimeSec,
    token_type: 'Bearer',
  });
}

/**
 * What `context.check` is to be asked about the bearer of this request: the refresh token behind the access token. A
 * token from elsewhere stands for itself; undefined when there is none, or when it has expired.
 */
export function bearerSecret(request: SandboxRequest, nowMs: number): string | undefined {
  const token = /^Bearer ([!-~]+)$/i.exec(request.headers.authorization ?? '')?.[1];
  if (token === undefined) return undefined;
  const [, refreshToken, expires] = /^sandbox\.([A-Za-z0-9_-]+)\.(\d+)$/.exec(token) ?? [];
  if (refreshToken === undefined) return token;
  return Number(expires) * 1_000 > nowMs
    ? Buffer.from(refreshToken, 'base64url').toString('utf8')
    : undefined;
}

const sealed = (refreshToken: string, expiresSec: number): string =>
  `sandbox.${Buffer.from(refreshToken, 'utf8').toString('base64url')}.${expiresSec}`;

const refused = (error: string, error_description: string, status = 400): SandboxAnswer =>
  jsonAnswer(status, { error, error_description });
