// Who is calling, and what the contract lets them do. Pure: the same rule decides requests, the reference and the tests,
// for every product. Which scopes there are, and what a role opens of them, is the product's to say.

import { ANY_SCOPE, type Route } from '../http/route.ts';
import type { Limits } from './key-grant.ts';
import { MEMBER_ROLES, type MemberRole } from './merchant.ts';

export type Caller =
  | {
      readonly kind: 'session';
      readonly sub: string;
      readonly merchantId: string;
      readonly role: MemberRole;
      /** What the role has of the product's scopes. */
      readonly scopes: readonly string[];
      /** Of a person whom a key invited. */
      readonly limits?: Limits;
    }
  | {
      readonly kind: 'key';
      readonly keyId: string;
      /** As people know the key. */
      readonly name?: string;
      readonly merchantId: string;
      /** All that the key opens: a scope that grants others is spelled out. */
      readonly scopes: readonly string[];
      readonly limits?: Limits;
    };

/** Signed in, and a member of no merchant. */
export interface Stranger {
  readonly kind: 'stranger';
  readonly sub: string;
}

/** Whoever is signed in. */
export type SignedIn = Stranger | Extract<Caller, { readonly kind: 'session' }>;

/** True when the caller may use the route. */
export function isAllowed(auth: Route['auth'], caller: Caller | Stranger): boolean {
  if (auth === 'public') return true;
  if (caller.kind === 'stranger') return auth.session === 'anyone';
  const hasScope = auth.key !== undefined && (auth.key === ANY_SCOPE || caller.scopes.includes(auth.key));
  if (caller.kind === 'key') return hasScope;
  if (auth.session === undefined) return false;
  if (auth.session === 'by_scope') return hasScope;
  if (auth.session === 'anyone') return true;
  return MEMBER_ROLES.indexOf(caller.role) >= MEMBER_ROLES.indexOf(auth.session);
}

/** How the caller is named in the audit trail. */
export function actorOf(caller: Caller): string {
  return caller.kind === 'session' ? `user:${caller.sub}` : `key:${caller.keyId}`;
}
