// What a caller may hand on, to a new API key or to a person it invites: never more than it has itself. Otherwise a key that
// leaked could make a credential that outlives it or opens more.
import type { ApiKeyEnvironment, KeyProduct } from './api-key.ts';
import type { Caller } from './caller.ts';

/** What bounds a credential beside its scopes or role. What is absent bounds nothing. */
export interface Limits {
  /** The only product that it opens. */
  readonly product?: KeyProduct | undefined;
  /** `test`: it makes no live keys. */
  readonly environment?: 'test' | undefined;
  /** From then on it is refused. */
  readonly expiresAtMs?: number | undefined;
}

export const isOver = (limits: Limits | undefined, nowMs: number): boolean =>
  limits?.expiresAtMs !== undefined && limits.expiresAtMs <= nowMs;

/** True where these limits let it open the product now. */
export const opensProduct = (limits: Limits | undefined, product: KeyProduct, nowMs: number): boolean =>
  !isOver(limits, nowMs) && (limits?.product === undefined || limits.product === product);

export interface KeyGrant {
  readonly scopes: readonly string[];
  readonly environment: ApiKeyEnvironment;
  readonly expiresAtMs?: number | undefined;
}

/** What exceeds the caller's own rights, as the field that says so; null where nothing does. */
export function exceededBy(
  { scopes, limits: own = {} }: Pick<Caller, 'scopes' | 'limits'>,
  wanted: KeyGrant,
): 'scopes' | 'environment' | 'expires_at' | null {
  if (wanted.scopes.some((scope) => !scopes.includes(scope))) return 'scopes';
  if (own.environment === 'test' && wanted.environment === 'live') return 'environment';
  if (own.expiresAtMs !== undefined && (wanted.expiresAtMs ?? Number.POSITIVE_INFINITY) > own.expiresAtMs)
    return 'expires_at';
  return null;
}

/** True where what opens `wanted` opens nothing that the limits do not let through. */
export const isWithin = (wanted: Limits | undefined, limits: Limits | undefined): boolean =>
  (limits?.product === undefined || wanted?.product === limits.product) &&
  (limits?.environment === undefined || wanted?.environment === limits.environment) &&
  (limits?.expiresAtMs === undefined ||
    (wanted?.expiresAtMs ?? Number.POSITIVE_INFINITY) <= limits.expiresAtMs);
