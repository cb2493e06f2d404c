// The config table in memory: every store on one state, values copied in and frozen, every write atomic.

import type { ConfigStores } from '#lib/adapters/dynamodb/events/routing/config-stores.ts';
import type { DataKeyStore } from '#lib/core/ports/data-keys.ts';
import type { ApiKeyStore } from '#lib/core/tenancy/api-key-store.ts';
import {
  type Merchant,
  type ProfileChange,
  profileVersionOf,
  retentionDaysOf,
} from '#lib/core/tenancy/merchant.ts';
import type { MerchantStore } from '#lib/core/tenancy/merchant-store.ts';
import type { Circuit, Connection, RoutingSnapshot } from '#lib/events/domain/connections/connection.ts';
import { outagesOver } from '#lib/events/domain/connections/outage.ts';
import { connectionTarget, freeTarget, targetAt, targetsAt } from '#lib/events/domain/connections/target.ts';
import type {
  ConnectionChange,
  ConnectionDraft,
  ConnectionStore,
} from '#lib/events/ports/connection-store.ts';
import type { RoutingStore } from '#lib/events/ports/routing-store.ts';
import type { ShardStore } from '#lib/events/ports/shard-store.ts';
import { frozenCopy } from './frozen-copy.ts';
import { memoryAuditLog, memoryKeys, memoryKeyUses, memoryMembers } from './tenancy-stores.ts';

/** What the stages from ingestion to delivery use of it. */
export type PipelineConfig = Pick<ApiKeyStore, 'apiKey'> &
  Pick<MerchantStore, 'merchant' | 'addServerEventName'> &
  Pick<RoutingStore, 'currentRouting'> &
  Pick<ConnectionStore, 'connection' | 'pauseConnection' | 'setCircuit'>;

/** For a stage whose counts move no number of shards. */
export const STEADY_SHARDS: ShardStore = {
  raiseShards: async () => undefined,
  keepShards: async () => undefined,
  halveShards: async () => undefined,
};

interface Routing {
  readonly connections: ReadonlyMap<string, Connection>;
  readonly rules: readonly unknown[];
  readonly snapshot: RoutingSnapshot;
}

export function createMemoryConfig(): ConfigStores {
  return {
    ...memoryKeys(),
    ...memoryKeyUses(),
    ...memoryMembers(),
    ...memoryMerchants(),
    ...memoryAuditLog(),
    ...memoryRouting(),
  };
}

function memoryMerchants(): MerchantStore & ShardStore {
  const neededAtMs = new Map<string, number>();
  const setShards = (merchantId: string, shards: number, atMs: number): void => {
    const { shards: _, ...merchant } = merchants.get(merchantId) as Merchant;
    merchants.set(merchantId, frozenCopy(shards === 1 ? merchant : { ...merchant, shards }));
    if (shards === 1) neededAtMs.delete(merchantId);
    else neededAtMs.set(merchantId, atMs);
  };
  const merchants = new Map<string, Merchant>();
  return {
    merchant: async (merchantId) => merchants.get(merchantId) ?? null,
    merchantNow: async (merchantId) => merchants.get(merchantId) ?? null,
    updateMerchant: async (merchantId, change, ifVersion) => {
      if (typeof change.retentionDays === 'number') retentionDaysOf({ retentionDays: change.retentionDays });
      const merchant = merchants.get(merchantId);
      if (merchant === undefined) return null;
      const version = profileVersionOf(merchant);
      if (ifVersion !== undefined && ifVersion !== version) return 'conflict';
      if (Object.keys(change).length === 0) return merchant;
      merchants.set(merchantId, frozenCopy({ ...changed(merchant, change), version: version + 1 }));
      return merchants.get(merchantId) ?? null;
    },
    addServerEventName: async (merchantId, name, nowMs) => {
      const merchant = merchants.get(merchantId);
      if (merchant === undefined) return;
      const serverEventNames = { [name]: nowMs, ...merchant.serverEventNames };
      merchants.set(merchantId, frozenCopy({ ...merchant, serverEventNames }));
    },
    putMerchant: async (merchant) => {
      retentionDaysOf(merchant);
      const { shards: _, version: __, ...profile } = merchant;
      const { serverEventNames, shards, version } = merchants.get(merchant.merchantId) ?? {};
      const learned = {
        ...(serverEventNames === undefined ? {} : { serverEventNames }),
        ...(shards === undefined ? {} : { shards }),
        ...(version === undefined ? {} : { version }),
      };
      merchants.set(merchant.merchantId, frozenCopy({ ...profile, ...learned }));
    },
    raiseShards: async (merchantId, wanted, atMs) => {
      const merchant = merchants.get(merchantId);
      if (merchant !== undefined && (merchant.shards ?? 0) < wanted) setShards(merchantId, wanted, atMs);
    },
    keepShards: async (merchantId, atMs) => {
      if ((neededAtMs.get(merchantId) ?? atMs) < atMs) neededAtMs.set(merchantId, atMs);
    },
    halveShards: async (merchantId, atMs) => {
      const { shards } = merchants.get(merchantId) ?? {};
      if (shards === undefined || (neededAtMs.get(merchantId) ?? atMs) > atMs - 86_400_000) return;
      setShards(merchantId, Math.max(1, Math.floor(shards / 2)), atMs);
    },
  };
}

function changed(merchant: Merchant, { browserIngestion = {}, ...profile }: ProfileChange): Merchant {
  const apply = (old: object, fields: object): object =>
    Object.fromEntries(
      Object.entries({
        ...old,
        ...Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)),
      }).filter(([, value]) => value !== null),
    );
  return {
    ...apply(merchant, profile),
    browserIngestion: apply(merchant.browserIngestion, browserIngestion),
  } as unknown as Merchant;
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

function memoryRouting(): RoutingStore & ConnectionStore {
  const merchants = new Map<string, Routing>();
  const routingOf = (merchantId: string): Routing =>
    merchants.get(merchantId) ?? {
      connections: new Map(),
      rules: [],
      snapshot: { merchantId, version: 0, connections: [], rules: [] },
    };
  const advance = (
    merchantId: string,
    connections: Routing['connections'],
    rules: readonly unknown[],
  ): void => {
    const version = routingOf(merchantId).snapshot.version + 1;
    const sorted = [...connections.values()].sort((a, b) =>
      connectionTarget(a) < connectionTarget(b) ? -1 : 1,
    );
    const snapshot = frozenCopy({
      merchantId,
      version,
      connections: sorted.map(({ id, platform, slot }) => ({
        id,
        platform,
        ...(slot === undefined ? {} : { slot }),
      })),
      rules,
    });
    merchants.set(merchantId, { connections, rules: snapshot.rules, snapshot });
  };

  const putIn = (
    slot: string,
    old: Connection | undefined,
    { merchantId, platform, newId, name, sealedCredentials }: ConnectionDraft,
    nowMs: number,
  ): Connection => {
    const { connections, rules, snapshot } = routingOf(merchantId);
    const outages = old && outagesOver(old, { circuit: true, pause: true }, nowMs);
    const connection: Connection = frozenCopy({
      id: old?.id ?? newId,
      merchantId,
      platform,
      ...(slot === platform ? {} : { slot }),
      name,
      status: 'active',
      revision: (old?.revision ?? 0) + 1,
      createdAtMs: old?.createdAtMs ?? nowMs,
      updatedAtMs: nowMs,
      sinceVersion: old?.sinceVersion ?? snapshot.version + 1,
      ...(outages === undefined ? {} : { outages }),
      sealedCredentials,
    });
    advance(merchantId, new Map(connections).set(slot, connection), rules);
    return connection;
  };

  return {
    currentRouting: async (merchantId) => routingOf(merchantId).snapshot,
    connection: async (merchantId, slot) => routingOf(merchantId).connections.get(slot) ?? null,
    listConnections: async (merchantId) =>
      [...routingOf(merchantId).connections.values()].sort((a, b) =>
        connectionTarget(a) < connectionTarget(b) ? -1 : 1,
      ),
    pauseConnection: async (seen, reason, nowMs) => {
      const routing = routingOf(seen.merchantId);
      const stored = routing.connections.get(connectionTarget(seen));
      if (stored?.id !== seen.id || stored.status !== 'active') return false;
      if (stored.sealedCredentials !== seen.sealedCredentials) return false;
      const paused: Connection = frozenCopy({
        ...stored,
        status: 'paused',
        pausedReason: reason,
        pausedAtMs: nowMs,
        updatedAtMs: nowMs,
        revision: stored.revision + 1,
      });
      const connections = new Map(routing.connections).set(connectionTarget(seen), paused);
      merchants.set(seen.merchantId, { ...routing, connections });
      return true;
    },
    setCircuit: async (seen, circuit, nowMs) => {
      const routing = routingOf(seen.merchantId);
      const stored = routing.connections.get(connectionTarget(seen));
      if (stored?.id !== seen.id || stored.circuit?.nextProbeAtMs !== seen.circuit?.nextProbeAtMs)
        return false;
      const connections = new Map(routing.connections).set(
        connectionTarget(seen),
        withCircuit(stored, circuit, nowMs),
      );
      merchants.set(seen.merchantId, { ...routing, connections });
      return true;
    },
    putConnection: async (draft, nowMs) => {
      const { connections } = routingOf(draft.merchantId);
      const { slot, old } = targetAt(draft.platform, Object.fromEntries(connections));
      return { connection: putIn(slot, old, draft, nowMs), created: old === undefined };
    },
    createConnection: async (draft, nowMs) => {
      const { connections } = routingOf(draft.merchantId);
      const taken = targetsAt(draft.platform, Object.fromEntries(connections));
      return taken.length === 0 ? putIn(draft.platform, undefined, draft, nowMs) : null;
    },
    addConnection: async (draft, nowMs) => {
      const slot = freeTarget(draft.platform, Object.fromEntries(routingOf(draft.merchantId).connections));
      return slot === null ? null : putIn(slot, undefined, draft, nowMs);
    },
    changeConnection: async (seen, change, nowMs) => {
      const routing = routingOf(seen.merchantId);
      const stored = routing.connections.get(connectionTarget(seen));
      if (stored?.id !== seen.id || stored.revision !== seen.revision) return null;
      const changed = withChange(stored, change, nowMs);
      const connections = new Map(routing.connections).set(connectionTarget(seen), changed);
      merchants.set(seen.merchantId, { ...routing, connections });
      return changed;
    },
    deleteConnection: async (merchantId, connectionId) => {
      const { connections, rules } = routingOf(merchantId);
      const old = [...connections.values()].find(({ id }) => id === connectionId);
      if (old === undefined) return null;
      advance(merchantId, new Map([...connections].filter(([, { id }]) => id !== connectionId)), rules);
      return old;
    },
    changeRules: async (merchantId, decide) => {
      const { connections, rules } = routingOf(merchantId);
      const change = decide(rules);
      if (change.rules !== undefined) advance(merchantId, connections, change.rules);
      return change.answer;
    },
  };
}

/** The connection after this change. */
export function withChange(
  seen: Connection,
  { name, sealedCredentials, pause }: ConnectionChange,
  nowMs: number,
): Connection {
  const { pausedReason, pausedAtMs, circuit, outages: _, ...kept } = seen;
  const over = { circuit: sealedCredentials !== undefined, pause: pause !== undefined };
  const outages = outagesOver(seen, over, nowMs);
  const paused = pausedReason === undefined ? {} : { pausedReason, pausedAtMs: pausedAtMs ?? nowMs };
  return frozenCopy({
    ...kept,
    ...(pause === undefined ? paused : pause === null ? {} : { pausedReason: pause, pausedAtMs: nowMs }),
    ...(pause === undefined ? {} : { status: pause === null ? ('active' as const) : ('paused' as const) }),
    ...(name === undefined ? {} : { name }),
    ...(sealedCredentials === undefined ? (circuit === undefined ? {} : { circuit }) : { sealedCredentials }),
    ...(outages === undefined ? {} : { outages }),
    revision: kept.revision + 1,
    updatedAtMs: nowMs,
  });
}

/** The connection with this circuit, or with none. */
export function withCircuit(seen: Connection, circuit: Circuit | null, nowMs: number): Connection {
  const { circuit: _, ...connection } = seen;
  if (circuit !== null) return frozenCopy({ ...connection, circuit });
  const outages = outagesOver(seen, { circuit: true }, nowMs);
  return frozenCopy({ ...connection, ...(outages === undefined ? {} : { outages }) });
}
