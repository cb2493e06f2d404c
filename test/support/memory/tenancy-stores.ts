// API keys, members and the audit trail in memory: values copied in and frozen, every write atomic.
import type { AuditEntry } from '#lib/core/audit-log/audit-entry.ts';
import type { AuditIntents, AuditLog } from '#lib/core/audit-log/audit-log.ts';
import { ACTIVE_KEYS_MAX, type ApiKeyRecord, type KeyProduct, productOf } from '#lib/core/tenancy/api-key.ts';
import { type ApiKeyStore, KEY_USE_EVERY_MS, type KeyUseStore } from '#lib/core/tenancy/api-key-store.ts';
import { judgeKeyPlaces } from '#lib/core/tenancy/key-places.ts';
import { CLAIM_LASTS_MS, type MemberStore } from '#lib/core/tenancy/member-store.ts';
import { NO_TEAM, type Team, withMember } from '#lib/core/tenancy/team.ts';
import { frozenCopy } from './frozen-copy.ts';

export function memoryMembers(): MemberStore {
  const subjects = new Map<string, { readonly merchantId: string; readonly claimedAtMs: number }>();
  const teams = new Map<string, Team>();
  const teamOf = (merchantId: string): Team => teams.get(merchantId) ?? NO_TEAM;
  const memberOf = (merchantId: string, sub: string) =>
    teamOf(merchantId).members.find((member) => member.sub === sub);
  return {
    team: async (merchantId) => teamOf(merchantId),
    changeTeam: async (merchantId, decide) => {
      const { team, result } = decide(teamOf(merchantId));
      if (team !== null) teams.set(merchantId, frozenCopy(team));
      return result;
    },
    membership: async (sub) => {
      const { merchantId } = subjects.get(sub) ?? {};
      const member = merchantId === undefined ? undefined : memberOf(merchantId, sub);
      if (merchantId === undefined || member === undefined) return null;
      const { role, limits, invitedBy } = member;
      return { sub, merchantId, role, ...(limits === undefined ? {} : { limits, invitedBy }) };
    },
    putMember: async ({ sub, merchantId, role }) => {
      subjects.set(sub, { merchantId, claimedAtMs: 0 });
      teams.set(merchantId, frozenCopy(withMember(teamOf(merchantId), sub, role)));
    },
    claimSubject: async (sub, merchantId, nowMs) => {
      const seen = subjects.get(sub);
      if (seen !== undefined && seen.merchantId !== merchantId) {
        if (seen.claimedAtMs > nowMs - CLAIM_LASTS_MS) return false;
        if (memberOf(seen.merchantId, sub) !== undefined) return false;
      }
      subjects.set(sub, { merchantId, claimedAtMs: nowMs });
      return true;
    },
  };
}

const idOf = ({ merchantId, atMs, id }: AuditEntry): string => `${merchantId}/${atMs}/${id}`;
type Placed = Pick<AuditEntry, 'atMs' | 'id'>;
const isOlder = (a: Placed, b: Placed): boolean => a.atMs < b.atMs || (a.atMs === b.atMs && a.id < b.id);

export function memoryAuditIntents(): AuditIntents {
  const intents = new Map<string, AuditEntry>();
  return {
    beginAudit: async (intent) => void intents.set(idOf(intent), frozenCopy(intent)),
    forgetAudit: async (intent) => void intents.delete(idOf(intent)),
    openAudits: async (merchantId, beforeMs, limit) =>
      [...intents.values()]
        .filter((intent) => intent.merchantId === merchantId && intent.atMs < beforeMs)
        .sort((a, b) => (isOlder(a, b) ? -1 : 1))
        .slice(0, limit),
  };
}

export function memoryAuditLog(): AuditLog {
  const audit = new Map<string, AuditEntry>();
  const { forgetAudit, ...intents } = memoryAuditIntents();
  const append = (entry: AuditEntry): void => {
    if (!audit.has(idOf(entry))) audit.set(idOf(entry), frozenCopy(entry));
  };
  return {
    appendAudit: async (entry) => append(entry),
    listAudit: async (merchantId, limit, { fromMs = 0, toMs = Number.POSITIVE_INFINITY, before } = {}) =>
      [...audit.values()]
        .filter((entry) => entry.merchantId === merchantId && entry.atMs >= fromMs && entry.atMs < toMs)
        .filter((entry) => before === undefined || isOlder(entry, before))
        .sort((a, b) => (isOlder(a, b) ? 1 : -1))
        .slice(0, limit),
    ...intents,
    endAudit: async (intent, entries) => {
      for (const entry of entries) append(entry);
      await forgetAudit(intent);
    },
  };
}

export function memoryKeyUses(): KeyUseStore {
  const uses = new Map<string, Map<string, number>>();
  return {
    noteKeyUse: async (merchantId, keyId, nowMs) => {
      const of = uses.get(merchantId) ?? new Map<string, number>();
      uses.set(merchantId, of);
      if ((of.get(keyId) ?? Number.NEGATIVE_INFINITY) <= nowMs - KEY_USE_EVERY_MS) of.set(keyId, nowMs);
    },
    keyUses: async (merchantId) => new Map(uses.get(merchantId)),
  };
}

/** What the stores of all products have in common, as they have the config table. */
export interface KeyItems {
  readonly keys: Map<string, ApiKeyRecord>;
  /** `<merchant>/<key id>` → the place it takes. */
  readonly places: Map<string, { readonly record: ApiKeyRecord }>;
}

export function memoryKeys(
  product: KeyProduct = 'evk',
  { keys, places }: KeyItems = { keys: new Map(), places: new Map() },
): ApiKeyStore {
  const isOurs = (record: ApiKeyRecord | undefined): record is ApiKeyRecord =>
    record !== undefined && productOf(record.prefix) === product;
  const ours = (record: ApiKeyRecord): ApiKeyRecord => {
    if (!isOurs(record)) throw new Error(`a key of another product than ${product}`);
    return frozenCopy(record);
  };
  const of = (merchantId: string): ApiKeyRecord[] =>
    [...places.values()]
      .map(({ record }) => record)
      .filter((record) => record.merchantId === merchantId && isOurs(record));
  return {
    apiKey: async (sha256) => {
      const record = keys.get(sha256);
      return isOurs(record) ? record : null;
    },
    claimKeyPlace: async (record) => {
      const { merchantId, createdAtMs: nowMs } = record;
      places.set(`${merchantId}/${record.keyId}`, { record: ours(record) });
      const { isFull, dropped } = judgeKeyPlaces(
        of(merchantId).map(({ keyId, sha256, createdAtMs }) => ({
          keyId,
          claimedAtMs: createdAtMs,
          record: keys.get(sha256),
        })),
        ACTIVE_KEYS_MAX[product],
        nowMs,
      );
      for (const id of isFull ? [...dropped, record.keyId] : dropped) places.delete(`${merchantId}/${id}`);
      return !isFull;
    },
    putApiKey: async (record) => {
      if (keys.has(record.sha256)) throw new Error('this key exists');
      places.set(`${record.merchantId}/${record.keyId}`, { record: ours(record) });
      keys.set(record.sha256, frozenCopy(record));
    },
    listApiKeys: async (merchantId) =>
      of(merchantId)
        .flatMap(({ sha256 }) => keys.get(sha256) ?? [])
        .sort((a, b) => b.createdAtMs - a.createdAtMs || (a.keyId < b.keyId ? -1 : 1)),
    revokeApiKey: async (merchantId, keyId, nowMs) => {
      const place = places.get(`${merchantId}/${keyId}`);
      const record = keys.get(place?.record.sha256 ?? '');
      if (!isOurs(record)) return null;
      if (record.revokedAtMs !== undefined) return { by: 'earlier', atMs: record.revokedAtMs };
      keys.set(record.sha256, frozenCopy({ ...record, revokedAtMs: nowMs }));
      return { by: 'this', atMs: nowMs };
    },
  };
}
