// What a caller may put into a new API key: never more than it has itself. Otherwise a key that leaked could make one that
// outlives it or opens more.
import type { ApiKeyEnvironment } from './api-key.ts';
import type { Caller } from './caller.ts';

export interface KeyGrant {
  readonly scopes: readonly string[];
  readonly environment: ApiKeyEnvironment;
  readonly expiresAtMs?: number | undefined;
}

/** What exceeds the caller's own rights, as the field that says so; null where nothing does. */
export function exceededBy(
  caller: Caller,
  own: Omit<KeyGrant, 'scopes'> | null,
  wanted: KeyGrant,
): 'scopes' | 'environment' | 'expires_at' | null {
  if (wanted.scopes.some((scope) => !caller.scopes.includes(scope))) return 'scopes';
  if (own === null) return null;
  if (own.environment === 'test' && wanted.environment === 'live') return 'environment';
  if (own.expiresAtMs !== undefined && (wanted.expiresAtMs ?? Number.POSITIVE_INFINITY) > own.expiresAtMs)
    return 'expires_at';
  return null;
}
