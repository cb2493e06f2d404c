// OAuth 1.0a with HMAC-SHA1: the signature of one request (RFC 5849, section 3.4) and the header that carries it.
// Guarantees: the same input gives the same signature; time and nonce come from outside. The JSON body is not signed.
import { createHmac } from 'node:crypto';

export interface OauthKeys {
  readonly consumerKey: string;
  readonly consumerSecret: string;
  readonly token: string;
  readonly tokenSecret: string;
}

export type Parameter = readonly [name: string, value: string];

/** RFC 3986: everything but letters, digits and -._~ as upper-case percent escapes of its UTF-8 bytes. */
export function percentEncode(text: string): string {
  return encodeURIComponent(text.toWellFormed()).replace(
    /[!'()*]/g,
    (mark) => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

/** Method, base URL without query, and all parameters (of query, form and header), sorted by encoded name, then value. */
export function signatureBase(method: string, url: string, parameters: readonly Parameter[]): string {
  const encoded = parameters.map(([name, value]) => [percentEncode(name), percentEncode(value)] as const);
  const sorted = encoded.sort(([a, x], [b, y]) => compare(a, b) || compare(x, y));
  const text = sorted.map(([name, value]) => `${name}=${value}`).join('&');
  return [method.toUpperCase(), percentEncode(url), percentEncode(text)].join('&');
}

/** Base64 of the HMAC-SHA1 of the base string under both secrets. */
export function sign(base: string, consumerSecret: string, tokenSecret: string): string {
  const key = `${percentEncode(consumerSecret)}&${percentEncode(tokenSecret)}`;
  return createHmac('sha1', key).update(base).digest('base64');
}

export interface SignedHeader {
  readonly authorization: string;
  readonly signature: string;
}

/** The `Authorization` header of a request without query and form parameters. `timestampSec`: Unix time. */
export function signedHeader(
  method: string,
  url: string,
  keys: OauthKeys,
  fresh: { readonly nonce: string; readonly timestampSec: number },
): SignedHeader {
  const parameters: readonly Parameter[] = [
    ['oauth_consumer_key', keys.consumerKey],
    ['oauth_nonce', fresh.nonce],
    ['oauth_signature_method', 'HMAC-SHA1'],
    ['oauth_timestamp', String(fresh.timestampSec)],
    ['oauth_token', keys.token],
    ['oauth_version', '1.0'],
  ];
  const signature = sign(signatureBase(method, url, parameters), keys.consumerSecret, keys.tokenSecret);
  const shown = [...parameters, ['oauth_signature', signature] as const].sort(([a], [b]) => compare(a, b));
  const text = shown.map(([name, value]) => `${percentEncode(name)}="${percentEncode(value)}"`).join(', ');
  return { authorization: `OAuth ${text}`, signature };
}

/** By code units, as encoded text is ASCII; never by locale. */
const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
