// Signing session tokens for scripts, in hosts that bring no identity provider of their own. ES256 only.
// Guarantees: a token is an access token by RFC 9068: it says who, by whom, for whom, for which client and until when.
import { calculateJwkThumbprint, exportJWK, generateKeyPair, importJWK, type JWK, SignJWT } from 'jose';

const ALGORITHM = 'ES256';

/** A private key as JSON, to be kept where only its owner reads it. */
export type SigningKey = JWK;

export interface SessionClaims {
  readonly issuer: string;
  readonly audience: string;
  /** Who signed in: names the membership, carries no right by itself. */
  readonly subject: string;
  /** The program the token was made for. */
  readonly client: string;
  readonly issuedAtSec: number;
  readonly lifetimeSec: number;
}

export interface SessionSigner {
  /** A compact JWT. */
  sign(claims: SessionClaims): Promise<string>;
}

export async function generateSigningKey(): Promise<SigningKey> {
  const { privateKey } = await generateKeyPair(ALGORITHM, { extractable: true });
  const key = await exportJWK(privateKey);
  return { ...key, alg: ALGORITHM, use: 'sig', kid: await calculateJwkThumbprint(key) };
}

export async function createSessionSigner(key: SigningKey): Promise<SessionSigner> {
  const privateKey = await importJWK(key, ALGORITHM);
  return {
    sign: ({ issuer, audience, subject, client, issuedAtSec, lifetimeSec }) =>
      new SignJWT({ client_id: client, jti: crypto.randomUUID() })
        .setProtectedHeader({
          alg: ALGORITHM,
          typ: 'at+jwt',
          ...(key.kid === undefined ? {} : { kid: key.kid }),
        })
        .setIssuer(issuer)
        .setAudience(audience)
        .setSubject(subject)
        .setIssuedAt(issuedAtSec)
        .setExpirationTime(issuedAtSec + lifetimeSec)
        .sign(privateKey),
  };
}
