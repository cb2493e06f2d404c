// API keys, members and the audit log in memory, behind the stores of DynamoDB.
import { createAuditIntents } from '#lib/adapters/dynamodb/core/audit-log.ts';
import { createApiKeyStore } from '#lib/adapters/dynamodb/core/keys/api-keys.ts';
import { createKeyUseStore } from '#lib/adapters/dynamodb/core/keys/key-uses.ts';
import { createMemberStore } from '#lib/adapters/dynamodb/core/tenancy/members.ts';
import type { AuditIntents } from '#lib/core/audit-log/audit-log.ts';
import type { KeyProduct } from '#lib/core/tenancy/api-key.ts';
import type { ApiKeyStore, KeyUseStore } from '#lib/core/tenancy/api-key-store.ts';
import type { MemberStore } from '#lib/core/tenancy/member-store.ts';
import { createMemoryTables } from './tables.ts';

export const memoryMembers = (): MemberStore => createMemberStore(createMemoryTables().db, 'config');

export const memoryAuditIntents = (): AuditIntents =>
  createAuditIntents(createMemoryTables().db, 'config', 'DESK_AUDITING#');

export const memoryKeyUses = (): KeyUseStore => createKeyUseStore(createMemoryTables().db, 'config');

/** `tables`: those of the other product, whose keys lie in the same table. */
export const memoryKeys = (product: KeyProduct = 'evk', tables = createMemoryTables()): ApiKeyStore =>
  createApiKeyStore(tables.db, 'config', { next: () => 0 }, product);
