// What a credential opens and where it comes from: API keys, members, invitations and sessions stand under one grant.
// Guarantees: what is handed on is within what hands it on (`isWithin`, the only comparison there is), or a key that leaked could
// make a credential that opens more or outlives it; what one credential alone vouches for ends with it (`endsWith`).
import * as z from 'zod';
import { withoutUndefined } from '#lib/core/values/without-undefined.ts';
import type { StoredAs } from '../record/stored-type.ts';
import { type ApiKeyEnvironment, type ApiKeyRecord, environmentOf, type KeyProduct } from './api-key.ts';
import { type MemberRole, type Right, rightsOf } from './role.ts';

/** A limit that this release does not know cannot be kept: who has one has no right until it is read. */
export const STORED_LIMITS = z.strictObject({
  /** The only product that it opens. */
  product: z.enum(['evk', 'hdk']).optional(),
  /** `test`: it makes no live keys. */
  environment: z.literal('test').optional(),
  /** From then on it is refused. */
  expiresAtMs: z.number().optional(),
});
/** What bounds a credential beside its scopes or role. What is absent bounds nothing. */
export type Limits = StoredAs<typeof STORED_LIMITS>;

export interface Grant {
  /** Scopes of the product that is asked, and rights in all products. */
  readonly opens: readonly string[];
  /** Absent: a person's own word. */
  readonly limits?: Limits;
  /** Which revocation it ends with, as the audit trail names callers. Absent: none. */
  readonly from?: string;
}

/** What a product makes of scopes and rights. */
export interface ProductAccess {
  readonly product: KeyProduct;
  /** All that a key with these scopes opens: a scope that grants others, and rights that it amounts to, are spelled out. */
  readonly opensOf: (scopes: readonly string[]) => readonly string[];
  /** The product's scopes that these rights bring along. */
  readonly scopesOf: (rights: readonly Right[]) => readonly string[];
}

export interface WantedKey {
  readonly scopes: readonly string[];
  readonly environment: ApiKeyEnvironment;
  readonly expiresAtMs?: number | undefined;
}

export function grantOfKey(
  { scopes, environment, expiresAtMs }: WantedKey,
  { product, opensOf }: ProductAccess,
): Grant & { readonly limits: Limits } {
  const limits = {
    product,
    ...(environment === 'test' ? { environment } : {}),
    ...(expiresAtMs === undefined ? {} : { expiresAtMs }),
  };
  return { opens: opensOf(scopes), limits };
}

export const grantOfRecord = (
  { prefix, createdBy, ...record }: Pick<ApiKeyRecord, 'scopes' | 'prefix' | 'expiresAtMs' | 'createdBy'>,
  access: ProductAccess,
): Grant => ({
  ...grantOfKey({ ...record, environment: environmentOf(prefix) }, access),
  ...(createdBy === undefined ? {} : { from: createdBy }),
});

/** What members and invitations have in common. */
export interface Standing {
  readonly role: MemberRole;
  readonly limits?: Limits | undefined;
  readonly invitedBy?: string | undefined;
}

/** Which revocation a member or an invitation ends with. Without limits a person vouches, and it ends with none. */
export const ancestorOf = ({ limits, invitedBy }: Omit<Standing, 'role'>): string | undefined =>
  limits === undefined ? undefined : invitedBy;

export function grantOfPerson(standing: Standing, { scopesOf }: ProductAccess): Grant {
  const { role, limits } = standing;
  const from = ancestorOf(standing);
  const rights = rightsOf(role, limits?.product);
  return { opens: [...rights, ...scopesOf(rights)], ...withoutUndefined({ limits, from }) };
}

export const isOver = (limits: Limits | undefined, nowMs: number): boolean =>
  limits?.expiresAtMs !== undefined && limits.expiresAtMs <= nowMs;

/** True where a person has any right in the product now. */
export const opensProduct = ({ role, limits }: Standing, product: KeyProduct, nowMs: number): boolean =>
  !isOver(limits, nowMs) &&
  (limits?.product === undefined || limits.product === product) &&
  rightsOf(role, product).length > 0;

/** In what the first grant exceeds the second; null where it is within it. */
export function excessOf(wanted: Grant, own: Grant): 'opens' | keyof Limits | null {
  if (wanted.opens.some((name) => !own.opens.includes(name))) return 'opens';
  const [asked, limits] = [wanted.limits ?? {}, own.limits ?? {}];
  if (limits.product !== undefined && asked.product !== limits.product) return 'product';
  if (limits.environment !== undefined && asked.environment !== limits.environment) return 'environment';
  const endMs = limits.expiresAtMs ?? Number.POSITIVE_INFINITY;
  return (asked.expiresAtMs ?? Number.POSITIVE_INFINITY) > endMs ? 'expiresAtMs' : null;
}

export const isWithin = (wanted: Grant, own: Grant): boolean => excessOf(wanted, own) === null;

/** True where it came from one of these callers, and no one else vouches for it. */
export const endsWith = (from: string | undefined, callers: ReadonlySet<string>): boolean =>
  from !== undefined && callers.has(from);
