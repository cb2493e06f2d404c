// Who is calling, and what the contract lets them do. Pure: the same rule decides requests, the reference and the tests,
// for every product. Which scopes there are is the product's to say.

import { ANY_SCOPE, type Route } from '../http/route.ts';
import type { Grant } from './grant.ts';
import type { MemberRole } from './role.ts';

export type Caller =
  | {
      readonly kind: 'session';
      readonly sub: string;
      readonly merchantId: string;
      readonly role: MemberRole;
      readonly grant: Grant;
    }
  | {
      readonly kind: 'key';
      readonly keyId: string;
      /** As people know the key. */
      readonly name?: string;
      readonly merchantId: string;
      readonly grant: Grant;
    };

/** Signed in, and a member of no merchant, or not of the one that the request names. */
export interface Stranger {
  readonly kind: 'stranger';
  readonly sub: string;
  /** The request names none, and the person is a member of these. */
  readonly among?: readonly MerchantName[];
}

export interface MerchantName {
  readonly id: string;
  readonly name: string;
}

/** Of a merchant that the operator has suspended: nothing is allowed. */
export interface Suspended {
  readonly kind: 'suspended';
}

/** Whoever is signed in. */
export type SignedIn = Stranger | Extract<Caller, { readonly kind: 'session' }>;

/** True when the caller may use the route. */
export function isAllowed(auth: Route['auth'], caller: Caller | Stranger): boolean {
  if (auth === 'public') return true;
  if (caller.kind === 'stranger') return auth.session === 'anyone';
  const { opens } = caller.grant;
  const hasScope = auth.key !== undefined && (auth.key === ANY_SCOPE || opens.includes(auth.key));
  if (caller.kind === 'key' || auth.session === 'by_scope') return hasScope;
  return auth.session === 'anyone' || (auth.session !== undefined && opens.includes(auth.session));
}

/** What a caller who may not use the route lacks, in words. */
export function lackOf(
  { key, session }: Exclude<Route['auth'], 'public'>,
  { kind }: Caller | Stranger,
): string {
  if (kind === 'key')
    return key === undefined ? 'no API key may do this' : `the API key lacks the scope ${key}`;
  if (kind === 'stranger')
    return 'the person is a member of no merchant, or not of the one that Millrace-Merchant names';
  if (session === undefined) return `only an API key with the scope ${key} may do this`;
  return `the role lacks the right ${session === 'by_scope' ? key : session}`;
}

/** How the caller is named in the audit trail. */
export function actorOf(caller: Caller): string {
  return caller.kind === 'session' ? `user:${caller.sub}` : `key:${caller.keyId}`;
}
