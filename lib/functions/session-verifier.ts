import { systemClock } from '../adapters/clock/system-clock.ts';
import { createSessionVerifier } from '../adapters/oidc/session-verifier.ts';
import type { SessionVerifier } from '../core/ports/session-verifier.ts';

/** Null in a deployment without an identity provider: it still answers API keys. */
export function sessionVerifier({
  AUTH_ISSUER: issuer,
  AUTH_AUDIENCE: audience,
  AUTH_JWKS_URL: jwksUrl,
}: {
  readonly AUTH_ISSUER?: string | undefined;
  readonly AUTH_AUDIENCE?: string | undefined;
  readonly AUTH_JWKS_URL?: string | undefined;
}): SessionVerifier | null {
  if (issuer === undefined || audience === undefined || jwksUrl === undefined) return null;
  return createSessionVerifier({ issuer, audience, jwksUrl }, systemClock);
}
