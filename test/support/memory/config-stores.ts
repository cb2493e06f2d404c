// The config table in memory, behind the stores of DynamoDB.
import { createDataKeyStore } from '#lib/adapters/dynamodb/core/keys/data-keys.ts';
import {
  type ConfigStores,
  createConfigStores,
} from '#lib/adapters/dynamodb/events/routing/config-stores.ts';
import type { DataKeyStore } from '#lib/core/ports/data-keys.ts';
import type { ApiKeyStore } from '#lib/core/tenancy/api-key-store.ts';
import type { Circuit, Connection } from '#lib/events/domain/connections/connection.ts';
import { outagesOver } from '#lib/events/domain/connections/outage.ts';
import type { MerchantStore, ShardStore } from '#lib/events/ports/merchant-store.ts';
import type { RoutingStore } from '#lib/events/ports/routing-store.ts';
import type { DeliverPorts } from '#services/events/deliver/ports.ts';
import { frozenCopy } from './frozen-copy.ts';
import { createMemoryTables } from './tables.ts';

/** What the stages from ingestion to delivery use of it. */
export type PipelineConfig = Pick<ApiKeyStore, 'apiKey'> &
  Pick<MerchantStore, 'addServerEventName'> &
  Pick<RoutingStore, 'currentRouting'> &
  DeliverPorts['config'];

/** For a stage whose counts move no number of shards. */
export const STEADY_SHARDS: ShardStore = {
  raiseShards: async () => undefined,
  keepShards: async () => undefined,
  halveShards: async () => undefined,
};

export const createMemoryConfig = (): ConfigStores =>
  createConfigStores(createMemoryTables().db, 'config', { next: () => 0 });

/** Wrapped data keys in memory. */
export const createMemoryDataKeys = (): DataKeyStore => createDataKeyStore(createMemoryTables().db, 'config');

/** The connection with this circuit, or with none. */
export function withCircuit(seen: Connection, circuit: Circuit | null, nowMs: number): Connection {
  const { circuit: _, ...connection } = seen;
  if (circuit !== null) return frozenCopy({ ...connection, circuit });
  const outages = outagesOver(seen, { circuit: true }, nowMs);
  return frozenCopy({ ...connection, ...(outages === undefined ? {} : { outages }) });
}

/** The stored connection with its next probe; null where it does not stand as it was seen. */
export function withProbe(
  stored: Connection | undefined,
  seen: Connection,
  probeAtMs: number,
): Connection | null {
  const isSeen = stored?.pausedReason === 'auth' && stored.probeAtMs === seen.probeAtMs;
  return isSeen ? frozenCopy({ ...stored, probeAtMs }) : null;
}

/** The stored connection without its pause; null where it is not the one that was seen. */
export function resumed(stored: Connection | undefined, seen: Connection): Connection | null {
  if (stored?.revision !== seen.revision) return null;
  const {
    pausedReason: _reason,
    pausedAtMs: _at,
    probeAtMs: _probe,
    failedCall: _call,
    ...connection
  } = stored;
  return frozenCopy({ ...connection, status: 'active', revision: stored.revision + 1 });
}
