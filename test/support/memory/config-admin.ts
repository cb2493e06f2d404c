// The config table in memory: both ports on one state, values copied in and frozen, every write atomic.

import type { AuditEntry } from '../../../lib/core/audit-log/audit-entry.ts';
import type { DataKeyStore } from '../../../lib/core/ports/data-keys.ts';
import type { ApiKeyRecord } from '../../../lib/core/tenancy/api-key.ts';
import { type Membership, type Merchant, retentionDaysOf } from '../../../lib/core/tenancy/merchant.ts';
import type { Connection, RoutingSnapshot, Rule } from '../../../lib/events/domain/connection.ts';
import type { ConfigAdmin } from '../../../lib/events/ports/config-admin.ts';
import type { ConfigStore } from '../../../lib/events/ports/config-store.ts';
import { frozenCopy } from './frozen-copy.ts';

export type MemoryConfig = ConfigStore & ConfigAdmin;

interface Routing {
  readonly connections: ReadonlyMap<string, Connection>;
  readonly rules: readonly Rule[];
  readonly snapshot: RoutingSnapshot;
}

export function createMemoryConfig(): MemoryConfig {
  const merchants = new Map<string, Merchant>();
  const members = new Map<string, Membership>();
  const audit: AuditEntry[] = [];
  return {
    ...memoryRouting(),
    ...memoryKeys(),
    merchant: async (merchantId) => merchants.get(merchantId) ?? null,
    addServerEventName: async (merchantId, name, nowMs) => {
      const merchant = merchants.get(merchantId);
      if (merchant === undefined) return;
      const serverEventNames = { [name]: nowMs, ...merchant.serverEventNames };
      merchants.set(merchantId, frozenCopy({ ...merchant, serverEventNames }));
    },
    putMerchant: async (merchant) => {
      retentionDaysOf(merchant);
      const { serverEventNames } = merchants.get(merchant.merchantId) ?? {};
      const names = serverEventNames === undefined ? {} : { serverEventNames };
      merchants.set(merchant.merchantId, frozenCopy({ ...merchant, ...names }));
    },
    membership: async (sub) => members.get(sub) ?? null,
    putMember: async (membership) => void members.set(membership.sub, frozenCopy(membership)),
    appendAudit: async (entry) => void audit.push(frozenCopy(entry)),
    listAudit: async (merchantId, limit) =>
      audit
        .filter((entry) => entry.merchantId === merchantId)
        .sort((a, b) => b.atMs - a.atMs || (a.id < b.id ? 1 : -1))
        .slice(0, limit),
  };
}

/** Wrapped data keys in memory. */
export function createMemoryDataKeys(): DataKeyStore {
  const keys = new Map<string, Uint8Array>();
  return {
    read: async (merchantId) => keys.get(merchantId)?.slice() ?? null,
    create: async (merchantId, wrapped) => {
      const stored = keys.get(merchantId) ?? wrapped.slice();
      keys.set(merchantId, stored);
      return stored.slice();
    },
  };
}

type RoutingPorts = Pick<ConfigStore, 'currentRouting' | 'connection' | 'pauseConnection'> &
  Pick<ConfigAdmin, 'listConnections' | 'putConnection' | 'deleteConnection' | 'putRules'>;

function memoryRouting(): RoutingPorts {
  const merchants = new Map<string, Routing>();
  const routingOf = (merchantId: string): Routing =>
    merchants.get(merchantId) ?? {
      connections: new Map(),
      rules: [],
      snapshot: { merchantId, version: 0, connections: [], rules: [] },
    };
  const advance = (merchantId: string, connections: Routing['connections'], rules: readonly Rule[]): void => {
    const version = routingOf(merchantId).snapshot.version + 1;
    const sorted = [...connections.values()].sort((a, b) => (a.platform < b.platform ? -1 : 1));
    const snapshot = frozenCopy({
      merchantId,
      version,
      connections: sorted.map(({ id, platform }) => ({ id, platform })),
      rules,
    });
    merchants.set(merchantId, { connections, rules: snapshot.rules, snapshot });
  };

  return {
    currentRouting: async (merchantId) => routingOf(merchantId).snapshot,
    connection: async (merchantId, platform) => routingOf(merchantId).connections.get(platform) ?? null,
    listConnections: async (merchantId) =>
      [...routingOf(merchantId).connections.values()].sort((a, b) => (a.platform < b.platform ? -1 : 1)),
    pauseConnection: async (seen, reason, nowMs) => {
      const routing = routingOf(seen.merchantId);
      const stored = routing.connections.get(seen.platform);
      if (stored?.id !== seen.id || stored.status !== 'active') return false;
      if (stored.sealedCredentials !== seen.sealedCredentials) return false;
      const paused: Connection = frozenCopy({
        ...stored,
        status: 'paused',
        pausedReason: reason,
        pausedAtMs: nowMs,
        updatedAtMs: nowMs,
      });
      const connections = new Map(routing.connections).set(seen.platform, paused);
      merchants.set(seen.merchantId, { ...routing, connections });
      return true;
    },
    putConnection: async ({ merchantId, platform, newId, name, sealedCredentials }, nowMs) => {
      const { connections, rules, snapshot } = routingOf(merchantId);
      const old = connections.get(platform);
      const connection: Connection = frozenCopy({
        id: old?.id ?? newId,
        merchantId,
        platform,
        name,
        status: 'active',
        createdAtMs: old?.createdAtMs ?? nowMs,
        updatedAtMs: nowMs,
        sinceVersion: old?.sinceVersion ?? snapshot.version + 1,
        sealedCredentials,
      });
      advance(merchantId, new Map(connections).set(platform, connection), rules);
      return { connection, created: old === undefined };
    },
    deleteConnection: async (merchantId, connectionId) => {
      const { connections, rules } = routingOf(merchantId);
      const old = [...connections.values()].find(({ id }) => id === connectionId);
      if (old === undefined) return null;
      advance(merchantId, new Map([...connections].filter(([, { id }]) => id !== connectionId)), rules);
      return old;
    },
    putRules: async (merchantId, rules) => advance(merchantId, routingOf(merchantId).connections, rules),
  };
}

function memoryKeys(): Pick<ConfigStore, 'apiKey'> &
  Pick<ConfigAdmin, 'putApiKey' | 'listApiKeys' | 'revokeApiKey'> {
  const keys = new Map<string, ApiKeyRecord>();
  return {
    apiKey: async (sha256) => keys.get(sha256) ?? null,
    putApiKey: async (record) => {
      if (keys.has(record.sha256)) throw new Error('this key exists');
      keys.set(record.sha256, frozenCopy(record));
    },
    listApiKeys: async (merchantId) =>
      [...keys.values()]
        .filter((record) => record.merchantId === merchantId)
        .sort((a, b) => b.createdAtMs - a.createdAtMs || (a.keyId < b.keyId ? -1 : 1)),
    revokeApiKey: async (merchantId, keyId, nowMs) => {
      const record = [...keys.values()].find((key) => key.merchantId === merchantId && key.keyId === keyId);
      if (record === undefined) return false;
      if (record.revokedAtMs === undefined)
        keys.set(record.sha256, frozenCopy({ ...record, revokedAtMs: nowMs }));
      return true;
    },
  };
}
