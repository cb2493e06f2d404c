// Who is calling, and what the contract lets them do. Pure: the same rule decides requests, the reference and the tests.

import type { Route } from '../http/route.ts';
import type { ApiKeyScope } from './api-key.ts';
import { MEMBER_ROLES, type MemberRole } from './merchant.ts';

export type Caller =
  | {
      readonly kind: 'session';
      readonly sub: string;
      readonly merchantId: string;
      readonly role: MemberRole;
    }
  | {
      readonly kind: 'key';
      readonly keyId: string;
      readonly merchantId: string;
      readonly scopes: readonly ApiKeyScope[];
    };

/** Signed in, and a member of no merchant. */
export interface Stranger {
  readonly kind: 'stranger';
  readonly sub: string;
}

/** Whoever is signed in. */
export type SignedIn = Stranger | Extract<Caller, { readonly kind: 'session' }>;

/** True when the caller may use the route. A scope grants what it names; `admin` grants every route that takes keys. */
export function isAllowed(auth: Route['auth'], caller: Caller | Stranger): boolean {
  if (auth === 'public') return true;
  if (caller.kind === 'stranger') return auth.session === 'anyone';
  if (caller.kind === 'key') {
    return auth.key !== undefined && (caller.scopes.includes(auth.key) || caller.scopes.includes('admin'));
  }
  if (auth.session === undefined) return false;
  if (auth.session === 'anyone') return true;
  return MEMBER_ROLES.indexOf(caller.role) >= MEMBER_ROLES.indexOf(auth.session);
}

/** How the caller is named in the audit trail. */
export function actorOf(caller: Caller): string {
  return caller.kind === 'session' ? `user:${caller.sub}` : `key:${caller.keyId}`;
}
