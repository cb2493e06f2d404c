// API keys. Guarantees: a secret is in one answer and nowhere else; a key grants no more than its creator has, and none is
// handed out by a creator who was revoked meanwhile; the answer to a revocation comes when no copy lets anybody in.
import type { Handlers, Success } from '../../../../lib/core/http/handler.ts';
import type { API_KEY_ROUTES, listApiKeys } from '../../../../lib/core/routes/api-keys.ts';
import {
  ACTIVE_KEYS_MAX,
  type ApiKeyEnvironment,
  type ApiKeyRecord,
  apiKeyPrefix,
  environmentOf,
  formatApiKey,
  hashApiKey,
  isUsableKey,
} from '../../../../lib/core/tenancy/api-key.ts';
import { actorOf, type Caller } from '../../../../lib/core/tenancy/caller.ts';
import { exceededBy } from '../../../../lib/core/tenancy/key-grant.ts';
import { audit } from '../audit.ts';
import type { ApiPorts } from '../ports.ts';
import { iso } from '../wire-time.ts';

type ApiKeys = Handlers<(typeof API_KEY_ROUTES)[number]>;
type KeyView = Success<typeof listApiKeys>['body']['api_keys'][number];

const SECRET_BYTES = 32;
const LIFE_MAX_MS = 10 * 366 * 86_400_000;

export function apiKeyHandlers(ports: ApiPorts): ApiKeys {
  const { config, clock } = ports;
  return {
    async listApiKeys({ caller }) {
      const [keys, uses] = await Promise.all([
        config.listApiKeys(caller.merchantId),
        config.keyUses(caller.merchantId),
      ]);
      const nowMs = clock.now();
      const active = keys.filter((key) => isUsableKey(key, nowMs)).length;
      const views = keys.map((key) => viewOf(key, nowMs, uses.get(key.keyId)));
      return { status: 200, body: { success: true, api_keys: views, active, active_max: ACTIVE_KEYS_MAX } };
    },

    createApiKey: (call) => createKey(call, ports),

    async revokeApiKey({ caller, params }) {
      const revoked = await config.revokeApiKey(caller.merchantId, params.id, clock.now());
      if (revoked === null) return { failure: 'not_found' };
      if (revoked.by === 'this') await audit(caller, 'api_key.revoke', params.id, ports);
      return { status: 200, body: { success: true, id: params.id, revoked_at: iso(revoked.atMs) } };
    },
  };
}

async function createKey(
  { caller, body }: Parameters<ApiKeys['createApiKey']>[0],
  ports: ApiPorts,
): ReturnType<ApiKeys['createApiKey']> {
  const { config, clock, random } = ports;
  const { merchantId } = caller;
  const { name, scopes, environment, expires_at: expiresAtMs } = body;
  const nowMs = clock.now();
  const badTime = problemOf(expiresAtMs, nowMs);
  if (badTime !== null)
    return { failure: 'invalid_request', details: [{ path: 'expires_at', message: badTime }] };
  const own = await ownKey(caller, ports);
  const wanted = { scopes, environment, expiresAtMs };
  const path = own === 'revoked' ? 'scopes' : exceededBy(caller, own, wanted);
  if (path !== null) return exceeded(path);
  const secret = formatApiKey(environment, secretBytes(ports));
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
  return { status: 201, body: { success: true, api_key: viewOf(record, nowMs, undefined), secret } };
}

const exceeded = (path: string) =>
  ({
    failure: 'grant_exceeded',
    details: [{ path, message: 'exceeds what the credential that asks for it has' }],
  }) as const;

/** What the key that asks was given itself; null where a person asks. */
async function ownKey(
  caller: Caller,
  { config, clock }: ApiPorts,
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
const secretBytes = ({ random }: ApiPorts): Uint8Array =>
  Uint8Array.from({ length: SECRET_BYTES }, () => Math.floor(random.next() * 256));

function viewOf(record: ApiKeyRecord, nowMs: number, usedAtMs: number | undefined): KeyView {
  const { revokedAtMs, expiresAtMs } = record;
  const ended = revokedAtMs === undefined ? 'expired' : 'revoked';
  const time = (ms: number | undefined) => (ms === undefined ? null : iso(ms));
  return {
    id: record.keyId,
    name: record.name,
    prefix: record.prefix,
    environment: environmentOf(record.prefix),
    scopes: [...record.scopes],
    status: isUsableKey(record, nowMs) ? 'active' : ended,
    created_at: iso(record.createdAtMs),
    created_by: record.createdBy ?? null,
    expires_at: time(expiresAtMs),
    revoked_at: time(revokedAtMs),
    last_used_at: time(usedAtMs),
  };
}
