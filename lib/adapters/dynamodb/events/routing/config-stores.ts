// All stores that share the config table, for callers that need most of them. The layout is in config-item.ts.
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { AuditLog } from '#lib/core/audit-log/audit-log.ts';
import type { Random } from '#lib/core/ports/clock.ts';
import type { ItemQuarantine } from '#lib/core/record/unreadable-item.ts';
import type { ApiKeyStore, KeyUseStore } from '#lib/core/tenancy/api-key-store.ts';
import type { MemberStore } from '#lib/core/tenancy/member-store.ts';
import type { ConnectionStore, PlatformPauseStore } from '#lib/events/ports/connection-store.ts';
import type { ExchangeRateStore } from '#lib/events/ports/exchange-rate-store.ts';
import type { MerchantStore, NewMerchantStore, ShardStore } from '#lib/events/ports/merchant-store.ts';
import type { RoutingStore } from '#lib/events/ports/routing-store.ts';
import { createAuditLog } from '../../core/audit-log.ts';
import { createApiKeyStore } from '../../core/keys/api-keys.ts';
import { createKeyUseStore } from '../../core/keys/key-uses.ts';
import { createMemberStore } from '../../core/tenancy/members.ts';
import { createExchangeRateStore } from '../exchange-rates.ts';
import { createMerchantStore, createNewMerchantStore } from '../merchants.ts';
import { createShardStore } from '../shard-store.ts';
import { createConnectionStore } from './connection-store.ts';
import { createPlatformPauseStore } from './platform-pauses.ts';
import { createRoutingStore } from './store.ts';

/** All stores that share the config table, for callers that need most of them. The layout is in config-item.ts and routing-item.ts. */
export type ConfigStores = ApiKeyStore &
  KeyUseStore &
  MemberStore &
  MerchantStore &
  NewMerchantStore &
  AuditLog &
  RoutingStore &
  ConnectionStore &
  ExchangeRateStore &
  ShardStore &
  PlatformPauseStore;

/** `random` picks the copy of an API key that is read; `quarantine` takes note of items that cannot be read. */
export function createConfigStores(
  db: DynamoDBDocumentClient,
  table: string,
  random: Pick<Random, 'next'>,
  quarantine?: ItemQuarantine,
): ConfigStores {
  return {
    ...createApiKeyStore(db, table, random, 'evk', quarantine),
    ...createKeyUseStore(db, table, quarantine),
    ...createMemberStore(db, table, quarantine),
    ...createMerchantStore(db, table),
    ...createNewMerchantStore(db, table),
    ...createAuditLog(db, table, quarantine),
    ...createRoutingStore(db, table, quarantine),
    ...createConnectionStore(db, table, quarantine),
    ...createExchangeRateStore(db, table, quarantine),
    ...createShardStore(db, table),
    ...createPlatformPauseStore(db, table),
  };
}
