// Signing session tokens, for hosts that bring no identity provider of their own. ES256 only.
// Guarantees: a token says who, by whom, for whom and until when; the public half of the key is all that is published.
import { calculateJwkThumbprint, exportJWK, generateKeyPair, importJWK, type JWK, SignJWT } from 'jose';

const ALGORITHM = 'ES256';

/** A private key as JSON, to be kept where only its owner reads it. */
export type SigningKey = JWK;

export interface SessionClaims {
  readonly issuer: string;
  readonly audience: string;
  /** Who signed in: names the membership, carries no right by itself. */
  readonly subject: string;
  readonly email?: string;
  readonly issuedAtSec: number;
  readonly lifetimeSec: number;
}

export interface SessionSigner {
  /** The JWKS document: `{keys: [...]}`. */
  readonly publicKeys: { readonly keys: readonly JWK[] };
  /** A compact JWT. */
  sign(claims: SessionClaims): Promise<string>;
}

export async function generateSigningKey(): Promise<SigningKey> {
  const { privateKey } = await generateKeyPair(ALGORITHM, { extractable: true });
  const key = await exportJWK(privateKey);
  return { ...key, alg: ALGORITHM, use: 'sig', kid: await calculateJwkThumbprint(key) };
}

export async function createSessionSigner(key: SigningKey): Promise<SessionSigner> {
  const { d: _private, ...publicKey } = key;
  const privateKey = await importJWK(key, ALGORITHM);
  return {
    publicKeys: { keys: [publicKey] },
    sign: ({ issuer, audience, subject, email, issuedAtSec, lifetimeSec }) =>
      new SignJWT({ token_use: 'id', ...(email === undefined ? {} : { email }) })
        .setProtectedHeader({
          alg: ALGORITHM,
          typ: 'JWT',
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
