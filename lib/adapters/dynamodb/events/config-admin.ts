// Writing the config table: one conditional write per change. The layout is in config-item.ts.
import {
  BatchGetCommand,
  type DynamoDBDocumentClient,
  GetCommand,
  PutCommand,
  QueryCommand,
  type QueryCommandInput,
  UpdateCommand,
} from '@aws-sdk/lib-dynamodb';
import type { AuditEntry } from '../../../core/audit-log/audit-entry.ts';
import type { ApiKeyRecord } from '../../../core/tenancy/api-key.ts';
import { type Membership, retentionDaysOf } from '../../../core/tenancy/merchant.ts';
import type { Connection } from '../../../events/domain/connection.ts';
import type { ConfigAdmin } from '../../../events/ports/config-admin.ts';
import { conditional } from '../core/conditional.ts';
import { apiKeyKey, apiKeyPointerKey, auditKey, membershipKey, profileKey } from '../core/config-item.ts';
import { changeRouting, readRouting } from './config-routing.ts';

type Item = Record<string, unknown>;

/** A partition key holds 2,048 bytes; subjects of real issuers have under 64. */
const SUB_MAX_CHARS = 255;
const BATCH_GET_MAX = 100;

export function createConfigAdmin(db: DynamoDBDocumentClient, table: string): ConfigAdmin {
  return {
    ...routingAdmin(db, table),
    ...apiKeyAdmin(db, table),

    async membership(sub) {
      if (sub === '' || sub.length > SUB_MAX_CHARS) return null;
      const { Item: item } = await db.send(
        new GetCommand({ TableName: table, Key: membershipKey(sub), ConsistentRead: true }),
      );
      return (item?.membership as Membership | undefined) ?? null;
    },

    async putMember(membership) {
      if (membership.sub === '' || membership.sub.length > SUB_MAX_CHARS) {
        throw new RangeError(`a subject has 1 to ${SUB_MAX_CHARS} characters`);
      }
      await db.send(
        new PutCommand({ TableName: table, Item: { ...membershipKey(membership.sub), membership } }),
      );
    },

    async putMerchant(merchant) {
      retentionDaysOf(merchant);
      // What else the profile holds stays: the names of events that came from servers.
      await db.send(
        new UpdateCommand({
          TableName: table,
          Key: profileKey(merchant.merchantId),
          UpdateExpression: 'SET merchant = :merchant',
          ExpressionAttributeValues: { ':merchant': merchant },
        }),
      );
    },

    async appendAudit(entry) {
      await db.send(
        new PutCommand({
          TableName: table,
          Item: { ...auditKey(entry.merchantId, entry.atMs, entry.id), entry },
          ConditionExpression: 'attribute_not_exists(pk)',
        }),
      );
    },

    async listAudit(merchantId, limit) {
      const items = await query(
        db,
        { ...prefixQuery(table, merchantId, 'AUDIT#'), ScanIndexForward: false },
        limit,
      );
      return items.map((item) => item.entry as AuditEntry);
    },
  };
}

function routingAdmin(
  db: DynamoDBDocumentClient,
  table: string,
): Pick<ConfigAdmin, 'listConnections' | 'putConnection' | 'deleteConnection' | 'putRules'> {
  return {
    async listConnections(merchantId) {
      const { connections } = await readRouting(db, table, merchantId);
      return Object.values(connections).sort((a, b) => (a.platform < b.platform ? -1 : 1));
    },

    async putConnection({ merchantId, platform, newId, name, sealedCredentials }, nowMs) {
      const change = await changeRouting(db, table, merchantId, ({ version, connections }) => {
        const old = Object.hasOwn(connections, platform) ? connections[platform] : undefined;
        const put: Connection = {
          id: old?.id ?? newId,
          merchantId,
          platform,
          name,
          status: 'active',
          createdAtMs: old?.createdAtMs ?? nowMs,
          updatedAtMs: nowMs,
          // No event was decided yet under a version that is newer than this one.
          sinceVersion: old?.sinceVersion ?? version + 1,
          sealedCredentials,
        };
        return { put, created: old === undefined };
      });
      if (change === null) throw new Error('a connection is always written');
      return { connection: change.put, created: change.created };
    },

    async deleteConnection(merchantId, connectionId) {
      const change = await changeRouting(db, table, merchantId, ({ connections }) => {
        const old = Object.values(connections).find(({ id }) => id === connectionId);
        return old === undefined ? null : { remove: old.platform, old };
      });
      return change?.old ?? null;
    },

    async putRules(merchantId, rules) {
      await changeRouting(db, table, merchantId, () => ({ rules }));
    },
  };
}

function apiKeyAdmin(
  db: DynamoDBDocumentClient,
  table: string,
): Pick<ConfigAdmin, 'putApiKey' | 'listApiKeys' | 'revokeApiKey'> {
  return {
    async putApiKey(record) {
      // The pointer first: a key that no list shows could not be revoked.
      const pointer = { ...apiKeyPointerKey(record.merchantId, record.keyId), sha256: record.sha256 };
      await db.send(new PutCommand({ TableName: table, Item: pointer }));
      await db.send(
        new PutCommand({
          TableName: table,
          Item: { ...apiKeyKey(record.sha256), record },
          ConditionExpression: 'attribute_not_exists(pk)',
        }),
      );
    },

    async listApiKeys(merchantId) {
      const pointers = await query(db, prefixQuery(table, merchantId, 'KEY#'));
      const records = await readKeys(
        db,
        table,
        pointers.map((pointer) => String(pointer.sha256)),
      );
      return records.sort((a, b) => b.createdAtMs - a.createdAtMs || (a.keyId < b.keyId ? -1 : 1));
    },

    async revokeApiKey(merchantId, keyId, nowMs) {
      const { Item: pointer } = await db.send(
        new GetCommand({ TableName: table, Key: apiKeyPointerKey(merchantId, keyId), ConsistentRead: true }),
      );
      if (pointer === undefined) return false;
      const written = await conditional(
        db.send(
          new UpdateCommand({
            TableName: table,
            Key: apiKeyKey(String(pointer.sha256)),
            UpdateExpression: 'SET #record.revokedAtMs = if_not_exists(#record.revokedAtMs, :now)',
            ConditionExpression: '#record.merchantId = :merchant',
            ExpressionAttributeNames: { '#record': 'record' },
            ExpressionAttributeValues: { ':now': nowMs, ':merchant': merchantId },
          }),
        ),
      );
      return written !== null;
    },
  };
}

function prefixQuery(table: string, merchantId: string, prefix: string): QueryCommandInput {
  return {
    TableName: table,
    KeyConditionExpression: 'pk = :pk AND begins_with(sk, :prefix)',
    ExpressionAttributeValues: { ':pk': profileKey(merchantId).pk, ':prefix': prefix },
    ConsistentRead: true,
  };
}

async function query(
  db: DynamoDBDocumentClient,
  input: QueryCommandInput,
  limit = Number.POSITIVE_INFINITY,
): Promise<Item[]> {
  const items: Item[] = [];
  let after: Item | undefined;
  do {
    const rest = limit - items.length;
    const answer = await db.send(
      new QueryCommand({
        ...input,
        ...(after === undefined ? {} : { ExclusiveStartKey: after }),
        ...(Number.isFinite(rest) ? { Limit: rest } : {}),
      }),
    );
    items.push(...(answer.Items ?? []));
    after = answer.LastEvaluatedKey;
  } while (after !== undefined && items.length < limit);
  return items;
}

async function readKeys(
  db: DynamoDBDocumentClient,
  table: string,
  hashes: readonly string[],
): Promise<ApiKeyRecord[]> {
  const records: ApiKeyRecord[] = [];
  let pending: Item[] = hashes.map((sha256) => ({ ...apiKeyKey(sha256) }));
  for (let round = 0; pending.length > 0; round++) {
    if (round === 20) throw new Error('DynamoDB left keys unprocessed twenty times');
    const [now, later] = [pending.slice(0, BATCH_GET_MAX), pending.slice(BATCH_GET_MAX)];
    const answer = await db.send(
      new BatchGetCommand({ RequestItems: { [table]: { Keys: now, ConsistentRead: true } } }),
    );
    for (const item of answer.Responses?.[table] ?? []) records.push(item.record as ApiKeyRecord);
    pending = [...(answer.UnprocessedKeys?.[table]?.Keys ?? []), ...later];
  }
  return records;
}
