// Session tokens, verified against the provider's published keys by the rules of RFC 8725. Guarantees: RS256 or ES256
// only, independent of the token's own claim; only access tokens, which differ from ID tokens by their type; issuer,
// audience, expiry, not-before and issue time are checked, with five seconds of tolerance; no token is valid for longer
// than a day. Refuses: keys named by the token (`jku`, `jwk`, `x5u`, `x5c`), tokens without a key id, and oversized
// ones before any work.
import { createRemoteJWKSet, errors, type JWTPayload, type JWTVerifyGetKey, jwtVerify } from 'jose';
import type { Clock } from '../../core/ports/clock.ts';
import type { SessionVerifier } from '../../core/ports/session-verifier.ts';
import { Outage } from '../../core/work/outage.ts';

const ALGORITHMS = ['RS256', 'ES256'];
const TOLERANCE_SEC = 5;
/** Independent of `exp`: the longest lifetime that Cognito allows for an access token. */
const TOKEN_AGE_MAX_SEC = 86_400;
const TOKEN_MAX_CHARS = 8_192;
const SUB_MAX_CHARS = 255;
const JWKS_TIMEOUT_MS = 3_000;
/** A token with an unknown key id triggers a new request for the keys, but not more often than this. */
const JWKS_COOLDOWN_MS = 30_000;
/** A key that the provider withdrew is dropped after this. */
const JWKS_AGE_MAX_MS = 600_000;
const KEYS_IN_HEADER = ['jku', 'jwk', 'x5u', 'x5c'];

export interface SessionSettings {
  readonly issuer: string;
  readonly audience: string;
  readonly jwksUrl: string;
}

export function createSessionVerifier(settings: SessionSettings, clock: Clock): SessionVerifier {
  const keys = createRemoteJWKSet(new URL(settings.jwksUrl), {
    timeoutDuration: JWKS_TIMEOUT_MS,
    cooldownDuration: JWKS_COOLDOWN_MS,
    cacheMaxAge: JWKS_AGE_MAX_MS,
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
        const { payload, protectedHeader } = await jwtVerify(token, named(outageAware(keys)), {
          algorithms: ALGORITHMS,
          issuer: settings.issuer,
          requiredClaims: ['exp', 'sub'],
          clockTolerance: TOLERANCE_SEC,
          maxTokenAge: TOKEN_AGE_MAX_SEC,
          currentDate: new Date(clock.now()),
        });
        const { sub } = payload;
        if (typeof sub !== 'string' || sub === '' || sub.length > SUB_MAX_CHARS) return null;
        return isAccessToken(protectedHeader.typ, payload, settings.audience) ? { sub } : null;
      } catch (error) {
        if (error instanceof Outage) throw error;
        return null;
      }
    },
  };
}

/**
 * Two profiles, so that no other token that an issuer signs for the same client passes as an access token. RFC 9068:
 * the header has `at+jwt`, and `aud` is the audience. Cognito: no type of its own, but `token_use`, and the client in
 * place of `aud`.
 */
function isAccessToken(typ: string | undefined, payload: JWTPayload, audience: string): boolean {
  const { aud, token_use: use, client_id: client } = payload;
  const type = (typ ?? 'jwt').toLowerCase().replace(/^application\//, '');
  if (type === 'at+jwt') return Array.isArray(aud) ? aud.includes(audience) : aud === audience;
  return type === 'jwt' && use === 'access' && aud === undefined && client === audience;
}

/** The key is looked up by the id in the token, and never taken from the token. */
function named(keys: JWTVerifyGetKey): JWTVerifyGetKey {
  return (header, token) => {
    const hasId = typeof header.kid === 'string' && header.kid !== '';
    if (!hasId || KEYS_IN_HEADER.some((name) => name in header)) throw new errors.JWKSNoMatchingKey();
    return keys(header, token);
  };
}

/** Distinguishes "no such key" (the token's fault) from "no keys at all" (an outage). */
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
