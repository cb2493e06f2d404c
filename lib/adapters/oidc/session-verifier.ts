// Session tokens, verified against the provider's published keys. Guarantees: RS256 or ES256 only, whatever the token says
// of itself; issuer, audience, expiry and not-before hold, with five seconds of tolerance. Refuses: keys named by
// the token (`jku`, `jwk`, `x5u` are never looked at), tokens that never expire, and oversized ones before any work.
import { createRemoteJWKSet, errors, type JWTPayload, type JWTVerifyGetKey, jwtVerify } from 'jose';
import type { Clock } from '../../core/ports/clock.ts';
import type { SessionVerifier } from '../../core/ports/session-verifier.ts';
import { Outage } from '../../core/work/outage.ts';

const ALGORITHMS = ['RS256', 'ES256'];
const TOLERANCE_SEC = 5;
const TOKEN_MAX_CHARS = 8_192;
const SUB_MAX_CHARS = 255;
const JWKS_TIMEOUT_MS = 3_000;
/** A token with an unknown key id makes us ask for the keys again, but not more often than this. */
const JWKS_COOLDOWN_MS = 30_000;

export interface SessionSettings {
  readonly issuer: string;
  readonly audience: string;
  readonly jwksUrl: string;
}

export function createSessionVerifier(settings: SessionSettings, clock: Clock): SessionVerifier {
  const keys = createRemoteJWKSet(new URL(settings.jwksUrl), {
    timeoutDuration: JWKS_TIMEOUT_MS,
    cooldownDuration: JWKS_COOLDOWN_MS,
  });
  return verifierWith(settings, keys, clock);
}

/** The same with keys from anywhere. */
export function verifierWith(
  settings: Pick<SessionSettings, 'issuer' | 'audience'>,
  keys: JWTVerifyGetKey,
  clock: Clock,
): SessionVerifier {
  return {
    async verify(token) {
      if (token.length > TOKEN_MAX_CHARS) return null;
      try {
        const { payload } = await jwtVerify(token, outageAware(keys), {
          algorithms: ALGORITHMS,
          issuer: settings.issuer,
          requiredClaims: ['exp', 'sub'],
          clockTolerance: TOLERANCE_SEC,
          currentDate: new Date(clock.now()),
        });
        const { sub } = payload;
        if (typeof sub !== 'string' || sub === '' || sub.length > SUB_MAX_CHARS) return null;
        return isFor(payload, settings.audience) ? { sub } : null;
      } catch (error) {
        if (error instanceof Outage) throw error;
        return null;
      }
    },
  };
}

/** Providers name the audience in `aud`; Cognito's access tokens have none and name it in `client_id`. */
function isFor(payload: JWTPayload, audience: string): boolean {
  const { aud } = payload;
  if (aud === undefined) return payload.client_id === audience;
  return Array.isArray(aud) ? aud.includes(audience) : aud === audience;
}

/** Tells "no such key" (the token's fault) from "no keys at all" (an outage). */
function outageAware(keys: JWTVerifyGetKey): JWTVerifyGetKey {
  return async (header, token) => {
    try {
      return await keys(header, token);
    } catch (error) {
      const tokensFault =
        error instanceof errors.JWKSNoMatchingKey ||
        error instanceof errors.JWKSMultipleMatchingKeys ||
        error instanceof errors.JOSENotSupported;
      throw tokensFault
        ? error
        : new Outage('the keys of the identity provider cannot be had', { cause: error });
    }
  };
}
