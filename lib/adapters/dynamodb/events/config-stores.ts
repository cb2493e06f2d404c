// All stores that share the config table, for callers that need most of them. The layout is in config-item.ts.
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { AuditLog } from '../../../core/audit-log/audit-log.ts';
import type { Random } from '../../../core/ports/clock.ts';
import type { ApiKeyStore, KeyUseStore } from '../../../core/tenancy/api-key-store.ts';
import type { MemberStore } from '../../../core/tenancy/member-store.ts';
import type { MerchantStore } from '../../../core/tenancy/merchant-store.ts';
import type { ConnectionStore } from '../../../events/ports/connection-store.ts';
import type { RoutingStore } from '../../../events/ports/routing-store.ts';
import type { ShardStore } from '../../../events/ports/shard-store.ts';
import { createApiKeyStore } from '../core/api-keys.ts';
import { createAuditLog } from '../core/audit-log.ts';
import { createKeyUseStore } from '../core/key-uses.ts';
import { createMemberStore } from '../core/members.ts';
import { createMerchantStore } from '../core/merchants.ts';
import { createConnectionStore } from './connection-store.ts';
import { createRoutingStore } from './routing-store.ts';
import { createShardStore } from './shard-store.ts';

/** All stores that share the config table, for callers that need most of them. The layout is in config-item.ts and routing-item.ts. */
export type ConfigStores = ApiKeyStore &
  KeyUseStore &
  MemberStore &
  MerchantStore &
  AuditLog &
  RoutingStore &
  ConnectionStore &
  ShardStore;

/** `random` picks the copy of an API key that is read. */
export function createConfigStores(
  db: DynamoDBDocumentClient,
  table: string,
  random: Pick<Random, 'next'>,
): ConfigStores {
  return {
    ...createApiKeyStore(db, table, random),
    ...createKeyUseStore(db, table),
    ...createMemberStore(db, table),
    ...createMerchantStore(db, table),
    ...createAuditLog(db, table),
    ...createRoutingStore(db, table),
    ...createConnectionStore(db, table),
    ...createShardStore(db, table),
  };
}
