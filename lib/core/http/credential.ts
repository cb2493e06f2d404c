// Which of a request's headers say who is calling, and what is said where none does. Guarantees: a key that is sent in a header
// of its own decides alone, empty or not; a route that takes keys only looks at no Authorization.
import type { Route, RouteAuth } from './route.ts';

export interface SentCredential {
  /** The `Authorization` header. */
  readonly authorization: string | undefined;
  /** From the header that the route names for keys. */
  readonly key: string | undefined;
}

type Headers = Readonly<Record<string, string | readonly string[] | undefined>>;

/** `headers` have lowercase names. One that came twice is no credential, and was sent all the same. */
export function credentialIn(headers: Headers, { keyHeader, session }: RouteAuth): SentCredential {
  const authorization = textOf(headers.authorization);
  if (keyHeader === undefined) return { authorization, key: undefined };
  const key = textOf(headers[keyHeader]);
  return key === undefined && session !== undefined
    ? { authorization, key: undefined }
    : { authorization: undefined, key };
}

const textOf = (value: string | readonly string[] | undefined): string | undefined =>
  typeof value === 'object' ? value.join(', ') : value;

/** Names the merchant for whom a person acts who is a member of several. */
export const MERCHANT_HEADER = 'millrace-merchant';

/** The merchant that a request names, whatever it holds; undefined where there is no header. */
export const merchantIn = (headers: Headers): string | undefined => textOf(headers[MERCHANT_HEADER]);

/** What `WWW-Authenticate` says. `ApiKey` is no registered scheme: it names a key in the header that the contract says. */
export function challengeOf(auth: Route['auth'] | undefined): string {
  if (auth === undefined || auth === 'public' || auth.keyHeader === undefined) return 'Bearer';
  return auth.session === undefined ? 'ApiKey' : 'Bearer, ApiKey';
}
