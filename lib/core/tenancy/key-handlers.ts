// API keys of one product. Guarantees: a secret is in one answer and nowhere else (with an Idempotency-Key that answer is kept
// sealed for a day); a key grants no more than its creator has, and none is handed out by a creator who was revoked meanwhile;
// the answer to a revocation comes when no copy lets a request in, of the key nor of what came from it: keys that it made, people
// that it invited, and their keys; keys of other products are neither listed nor revoked.
import { audit } from '../audit-log/audit.ts';
import type { AuditPorts } from '../audit-log/audited.ts';
import type { ErrorDetail } from '../http/errors.ts';
import {
  ACTIVE_KEYS_MAX,
  type ApiKeyEnvironment,
  type ApiKeyRecord,
  environmentOf,
  isUsableKey,
  newApiKey,
} from './api-key.ts';
import type { ApiKeyStore, KeyUseStore } from './api-key-store.ts';
import { actorOf, type Caller } from './caller.ts';
import { endsWith, excessOf, grantOfKey, type ProductAccess } from './grant.ts';
import type { MemberStore } from './member-store.ts';
import { withoutInvitedBy } from './team.ts';

export interface KeyPorts extends AuditPorts {
  readonly config: AuditPorts['config'] &
    ApiKeyStore &
    Pick<KeyUseStore, 'keyUses'> &
    Pick<MemberStore, 'memberships' | 'changeTeam'>;
}

export interface KeyRules<Scope extends string> {
  readonly access: ProductAccess;
  readonly isScope: (scope: string) => scope is Scope;
}

interface WantedKey<Scope> {
  readonly name: string;
  readonly scopes: readonly Scope[];
  readonly environment: ApiKeyEnvironment;
  /** Milliseconds. */
  readonly expires_at?: number | undefined;
}

interface Refused<Code extends 'invalid_request' | 'grant_exceeded' | 'api_key_limit'> {
  readonly failure: Code;
  readonly details?: readonly ErrorDetail[];
}

const SECRET_BYTES = 32;
const LIFE_MAX_MS = 10 * 366 * 86_400_000;
const iso = (ms: number): string => new Date(ms).toISOString();

export function keyHandlers<Scope extends string>({ access, isScope }: KeyRules<Scope>, ports: KeyPorts) {
  const { config, clock } = ports;
  return {
    async list({ caller: { merchantId } }: { readonly caller: Caller }) {
      const [keys, uses] = await Promise.all([config.listApiKeys(merchantId), config.keyUses(merchantId)]);
      const nowMs = clock.now();
      const active = keys.filter((key) => isUsableKey(key, nowMs)).length;
      const views = keys.map((key) => viewOf(key, nowMs, uses.get(key.keyId), isScope));
      const body = {
        success: true,
        api_keys: views,
        active,
        active_max: ACTIVE_KEYS_MAX[access.product],
      } as const;
      return { status: 200, body } as const;
    },

    async create({ caller, body }: { readonly caller: Caller; readonly body: WantedKey<Scope> }) {
      const made = await makeKey(caller, body, access, ports);
      if ('failure' in made) return made;
      const { record, secret } = made;
      const view = viewOf(record, record.createdAtMs, undefined, isScope);
      return { status: 201, body: { success: true, api_key: view, secret } } as const;
    },

    async revoke({ caller, params }: { readonly caller: Caller; readonly params: { readonly id: string } }) {
      const revoked = await config.revokeApiKey(caller.merchantId, params.id, clock.now());
      if (revoked === null) return { failure: 'not_found' } as const;
      if (revoked.by === 'this') await audit(caller, 'api_key.revoke', params.id, ports);
      // Also where it was revoked earlier: that request may have ended in the middle.
      const ended = await revokeDescendants(caller, `key:${params.id}`, ports);
      const body = {
        success: true,
        id: params.id,
        revoked_at: iso(revoked.atMs),
        revoked_with_it: ended,
      } as const;
      return { status: 200, body } as const;
    },
  };
}

async function makeKey(
  caller: Caller,
  { name, scopes, environment, expires_at: expiresAtMs }: WantedKey<string>,
  access: ProductAccess,
  ports: KeyPorts,
): Promise<
  | { readonly record: ApiKeyRecord; readonly secret: string }
  | Refused<'invalid_request' | 'grant_exceeded' | 'api_key_limit'>
> {
  const { config, clock, random } = ports;
  const { merchantId } = caller;
  const nowMs = clock.now();
  const badTime = problemOf(expiresAtMs, nowMs);
  if (badTime !== null)
    return { failure: 'invalid_request', details: [{ path: 'expires_at', message: badTime }] };
  const wanted = grantOfKey({ scopes, environment, expiresAtMs }, access);
  const excess = (await isUsable(caller, ports)) ? excessOf(wanted, caller.grant) : 'opens';
  if (excess !== null) return exceeded(excess);
  const { secret, record } = newApiKey(`${access.product}_${environment}`, secretBytes(ports), {
    keyId: `key_${random.uuidv7(nowMs)}`,
    merchantId,
    name,
    scopes,
    createdAtMs: nowMs,
    createdBy: actorOf(caller),
    ...(expiresAtMs === undefined ? {} : { expiresAtMs }),
  });
  if (!(await config.claimKeyPlace(record))) return { failure: 'api_key_limit' };
  await config.putApiKey(record);
  await audit(caller, 'api_key.create', record.keyId, ports);
  // Whoever revoked the creator meanwhile does not know of this key: it goes with it.
  if (!(await isUsable(caller, ports))) {
    await config.revokeApiKey(merchantId, record.keyId, clock.now());
    await audit(caller, 'api_key.revoke', record.keyId, ports);
    return exceeded('opens');
  }
  return { record, secret };
}

const FIELDS = {
  opens: 'scopes',
  product: 'scopes',
  environment: 'environment',
  expiresAtMs: 'expires_at',
} as const;

const exceeded = (excess: keyof typeof FIELDS) =>
  ({
    failure: 'grant_exceeded',
    details: [{ path: FIELDS[excess], message: 'exceeds what the credential that asks for it has' }],
  }) as const;

/** False where the key that asks, or the person whom a key invited, was revoked since the request was let in. */
async function isUsable(caller: Caller, { config, clock }: KeyPorts): Promise<boolean> {
  if (caller.kind === 'key') {
    const keys = await config.listApiKeys(caller.merchantId);
    return keys.some((key) => key.keyId === caller.keyId && isUsableKey(key, clock.now()));
  }
  // A person for whom a person vouched is nothing that a revocation ends.
  if (caller.grant.limits === undefined) return true;
  return (await config.memberships(caller.sub, caller.merchantId)).length > 0;
}

/**
 * Ends what came from this caller, and what came from that. What is being made meanwhile is found in the next round, or
 * finds its maker revoked. Returns the ids of keys, members and invitations that ended.
 */
async function revokeDescendants(caller: Caller, root: string, ports: KeyPorts): Promise<string[]> {
  const { config, clock } = ports;
  const { merchantId } = caller;
  const makers = new Set([root]);
  const ended: string[] = [];
  for (;;) {
    const makersBefore = makers.size;
    const { subs, invitations } = await config.changeTeam(merchantId, (team) =>
      withoutInvitedBy(team, makers),
    );
    for (const sub of subs) {
      makers.add(`user:${sub}`);
      await audit(caller, 'member.remove', sub, ports);
    }
    for (const id of invitations) await audit(caller, 'invitation.withdraw', id, ports);
    ended.push(...subs, ...invitations);
    for (const { keyId, createdBy } of await config.listApiKeys(merchantId)) {
      if (makers.has(`key:${keyId}`) || !endsWith(createdBy, makers)) continue;
      makers.add(`key:${keyId}`);
      const revoked = await config.revokeApiKey(merchantId, keyId, clock.now());
      if (revoked?.by !== 'this') continue;
      await audit(caller, 'api_key.revoke', keyId, ports);
      ended.push(keyId);
    }
    if (makers.size === makersBefore) return ended;
  }
}

function problemOf(expiresAtMs: number | undefined, nowMs: number): string | null {
  if (expiresAtMs === undefined) return null;
  if (expiresAtMs <= nowMs) return 'must be in the future';
  return expiresAtMs > nowMs + LIFE_MAX_MS ? 'must be within ten years' : null;
}

/** `random.next` has 47 bits of the machine's secure source: a byte of each is as good as any. */
const secretBytes = ({ random }: KeyPorts): Uint8Array =>
  Uint8Array.from({ length: SECRET_BYTES }, () => Math.floor(random.next() * 256));

function viewOf<Scope extends string>(
  record: ApiKeyRecord,
  nowMs: number,
  usedAtMs: number | undefined,
  isScope: KeyRules<Scope>['isScope'],
) {
  const { revokedAtMs, expiresAtMs } = record;
  const ended = revokedAtMs === undefined ? 'expired' : 'revoked';
  const time = (ms: number | undefined) => (ms === undefined ? null : iso(ms));
  return {
    id: record.keyId,
    name: record.name,
    prefix: record.prefix,
    environment: environmentOf(record.prefix),
    scopes: record.scopes.filter(isScope),
    status: isUsableKey(record, nowMs) ? 'active' : ended,
    created_at: iso(record.createdAtMs),
    created_by: record.createdBy ?? null,
    expires_at: time(expiresAtMs),
    revoked_at: time(revokedAtMs),
    last_used_at: time(usedAtMs),
  } as const;
}
