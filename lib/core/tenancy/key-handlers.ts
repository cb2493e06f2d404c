// API keys of one product. Guarantees: a secret is in one answer and nowhere else (with an Idempotency-Key that answer is kept
// sealed for a day); a key grants no more than its creator has, and none is handed out by a creator who was revoked meanwhile;
// the answer to a revocation comes when no copy lets anybody in; keys of other products are neither listed nor revoked.
import { audit } from '../audit-log/audit.ts';
import type { AuditPorts } from '../audit-log/audited.ts';
import type { ErrorDetail } from '../http/errors.ts';
import {
  ACTIVE_KEYS_MAX,
  type ApiKeyEnvironment,
  type ApiKeyRecord,
  apiKeyPrefix,
  environmentOf,
  formatApiKey,
  hashApiKey,
  isUsableKey,
  type KeyProduct,
} from './api-key.ts';
import type { ApiKeyStore, KeyUseStore } from './api-key-store.ts';
import { actorOf, type Caller } from './caller.ts';
import { exceededBy } from './key-grant.ts';

export interface KeyPorts extends AuditPorts {
  readonly config: AuditPorts['config'] & ApiKeyStore & Pick<KeyUseStore, 'keyUses'>;
}

export interface KeyRules<Scope extends string> {
  readonly product: KeyProduct;
  readonly isScope: (scope: string) => scope is Scope;
}

export interface KeyView<Scope extends string> {
  id: string;
  name: string;
  prefix: string;
  environment: ApiKeyEnvironment;
  scopes: Scope[];
  status: 'active' | 'expired' | 'revoked';
  created_at: string;
  created_by: string | null;
  expires_at: string | null;
  revoked_at: string | null;
  last_used_at: string | null;
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

export function keyHandlers<Scope extends string>({ product, isScope }: KeyRules<Scope>, ports: KeyPorts) {
  const { config, clock } = ports;
  return {
    async list({ caller: { merchantId } }: { readonly caller: Caller }) {
      const [keys, uses] = await Promise.all([config.listApiKeys(merchantId), config.keyUses(merchantId)]);
      const nowMs = clock.now();
      const active = keys.filter((key) => isUsableKey(key, nowMs)).length;
      const views = keys.map((key) => viewOf(key, nowMs, uses.get(key.keyId), isScope));
      const body = { success: true, api_keys: views, active, active_max: ACTIVE_KEYS_MAX[product] } as const;
      return { status: 200, body } as const;
    },

    async create({ caller, body }: { readonly caller: Caller; readonly body: WantedKey<Scope> }) {
      const made = await makeKey(caller, body, product, ports);
      if ('failure' in made) return made;
      const { record, secret } = made;
      const view = viewOf(record, record.createdAtMs, undefined, isScope);
      return { status: 201, body: { success: true, api_key: view, secret } } as const;
    },

    async revoke({ caller, params }: { readonly caller: Caller; readonly params: { readonly id: string } }) {
      const revoked = await config.revokeApiKey(caller.merchantId, params.id, clock.now());
      if (revoked === null) return { failure: 'not_found' } as const;
      if (revoked.by === 'this') await audit(caller, 'api_key.revoke', params.id, ports);
      const body = { success: true, id: params.id, revoked_at: iso(revoked.atMs) } as const;
      return { status: 200, body } as const;
    },
  };
}

async function makeKey(
  caller: Caller,
  { name, scopes, environment, expires_at: expiresAtMs }: WantedKey<string>,
  product: KeyProduct,
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
  const own = await ownKey(caller, ports);
  const wanted = { scopes, environment, expiresAtMs };
  const path = own === 'revoked' ? 'scopes' : exceededBy(caller, own, wanted);
  if (path !== null) return exceeded(path);
  const secret = formatApiKey(`${product}_${environment}`, secretBytes(ports));
  const record: ApiKeyRecord = {
    sha256: hashApiKey(secret),
    keyId: `key_${random.uuidv7(nowMs)}`,
    merchantId,
    name,
    prefix: apiKeyPrefix(secret),
    scopes,
    createdAtMs: nowMs,
    createdBy: actorOf(caller),
    ...(expiresAtMs === undefined ? {} : { expiresAtMs }),
  };
  if (!(await config.claimKeyPlace(record))) return { failure: 'api_key_limit' };
  await config.putApiKey(record);
  await audit(caller, 'api_key.create', record.keyId, ports);
  // Whoever revoked the creator meanwhile does not know of this key: it goes with it.
  if ((await ownKey(caller, ports)) === 'revoked') {
    await config.revokeApiKey(merchantId, record.keyId, clock.now());
    await audit(caller, 'api_key.revoke', record.keyId, ports);
    return exceeded('scopes');
  }
  return { record, secret };
}

const exceeded = (path: string) =>
  ({
    failure: 'grant_exceeded',
    details: [{ path, message: 'exceeds what the credential that asks for it has' }],
  }) as const;

/** What the key that asks was given itself; null where a person asks. */
async function ownKey(
  caller: Caller,
  { config, clock }: KeyPorts,
): Promise<
  { readonly environment: ApiKeyEnvironment; readonly expiresAtMs?: number | undefined } | 'revoked' | null
> {
  if (caller.kind === 'session') return null;
  const record = (await config.listApiKeys(caller.merchantId)).find(({ keyId }) => keyId === caller.keyId);
  if (record === undefined || !isUsableKey(record, clock.now())) return 'revoked';
  return { environment: environmentOf(record.prefix), expiresAtMs: record.expiresAtMs };
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
): KeyView<Scope> {
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
  };
}
