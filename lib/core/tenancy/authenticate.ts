// Who is calling: an API key by its hash, or the subject of a session token by our own membership records.
// Guarantees: both are read on every request, so a revoked key, a removed member and who acts for a suspended
// merchant are refused by the next one; role, scopes
// and merchant never come from claims of a token; a key of another product is nobody's.
import type { Clock } from '../ports/clock.ts';
import type { SessionVerifier } from '../ports/session-verifier.ts';
import { hashApiKey, isUsableKey, isWellFormedApiKey } from './api-key.ts';
import type { ApiKeyStore } from './api-key-store.ts';
import type { Caller, MerchantName, Stranger, Suspended } from './caller.ts';
import { grantOfPerson, grantOfRecord, isOver, opensProduct, type ProductAccess } from './grant.ts';
import type { MemberStore } from './member-store.ts';
import type { Membership } from './membership.ts';

export interface AuthenticationPorts {
  readonly config: Pick<ApiKeyStore, 'apiKey'> & Pick<MemberStore, 'memberships'>;
  /** Null where nobody signs in. */
  readonly sessions: SessionVerifier | null;
  readonly clock: Clock;
}

/** Null where the key is not one of this product that may be used. */
export async function keyCaller(
  key: string,
  access: ProductAccess,
  { config, clock }: Pick<AuthenticationPorts, 'config' | 'clock'>,
): Promise<Caller | Suspended | null> {
  if (!isWellFormedApiKey(key, access.product)) return null;
  const record = await config.apiKey(hashApiKey(key));
  if (record === null || !isUsableKey(record, clock.now())) return null;
  if (record.suspendedAtMs !== undefined) return { kind: 'suspended' };
  const { keyId, name, merchantId } = record;
  return { kind: 'key', keyId, name, merchantId, grant: grantOfRecord(record, access) };
}

/**
 * A stranger: a valid session of a person who is no member of any merchant, or not for this product, or no longer, or who has to
 * say of which of several. `wanted`: the merchant that the request names.
 */
export async function sessionCaller(
  token: string,
  wanted: string | undefined,
  access: ProductAccess,
  { config, sessions, clock }: AuthenticationPorts,
): Promise<Caller | Stranger | Suspended | null> {
  const session = (await sessions?.verify(token)) ?? null;
  if (session === null) return null;
  const stranger = { kind: 'stranger', sub: session.sub } as const;
  const standing = await standingOf(session.sub, wanted, { config, clock });
  if (standing.length > 1) return { ...stranger, among: standing.map(nameOf) };
  const [membership] = standing;
  if (membership === undefined || !opensProduct(membership, access.product, clock.now())) return stranger;
  if (membership.isSuspended === true) return { kind: 'suspended' };
  const { sub, merchantId, role } = membership;
  return { kind: 'session', sub, merchantId, role, grant: grantOfPerson(membership, access) };
}

/** Memberships that have not ended, by name. */
export async function standingOf(
  sub: string,
  wanted: string | undefined,
  {
    config,
    clock,
  }: Pick<AuthenticationPorts, 'clock'> & { readonly config: Pick<MemberStore, 'memberships'> },
): Promise<readonly Membership[]> {
  const all = await config.memberships(sub, wanted);
  return all
    .filter(({ limits }) => !isOver(limits, clock.now()))
    .sort((a, b) => (a.name ?? '').localeCompare(b.name ?? ''));
}

/** The id where the profile has no name. */
const nameOf = ({ merchantId: id, name = id }: Membership): MerchantName => ({ id, name });
