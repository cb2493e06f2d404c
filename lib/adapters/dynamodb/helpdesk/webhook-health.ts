// What is known of the receivers of webhooks, apart from the list that people change. What cannot be read is noted, and as if
// nothing were known: the next attempts find it out again.

import { type DynamoDBDocumentClient, GetCommand, PutCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { defineKind } from '#lib/core/record/define-kind.ts';
import { decodeOrSetAside, formatOf } from '#lib/core/record/stored-item.ts';
import type { ItemQuarantine } from '#lib/core/record/unreadable-item.ts';
import { STORED_WEBHOOK_HEALTH, type WebhookHealth } from '#lib/helpdesk/domain/webhooks/webhook.ts';
import type { HealthStore } from '#lib/helpdesk/ports/stores.ts';
import { conditional } from '../core/items/conditional.ts';
import { healthKey } from './helpdesk-item.ts';

export const HEALTH = defineKind<WebhookHealth>({
  what: 'health of a webhook',
  table: 'helpdesk',
  key: { pk: 'H#{workspace...}', sk: '{webhook}' },
  attribute: 'h',
  schema: STORED_WEBHOOK_HEALTH,
  expires: null,
  personal: [],
  whenUnreadable: 'absent',
  meaning: 'As if nothing were known of its receiver: the next attempts find it out again.',
});

export function createHealthStore(
  db: DynamoDBDocumentClient,
  table: string,
  quarantine: ItemQuarantine,
): HealthStore {
  return {
    async readHealth(workspaceId, webhookId) {
      const Key = healthKey(workspaceId, webhookId);
      const { Item: item } = await db.send(new GetCommand({ TableName: table, Key, ConsistentRead: true }));
      return item === undefined ? null : (decodeOrSetAside(HEALTH, item, quarantine) ?? null);
    },
    async putHealth(workspaceId, webhookId, health) {
      const Item = { ...healthKey(workspaceId, webhookId), f: formatOf(HEALTH), h: health };
      await db.send(new PutCommand({ TableName: table, Item }));
    },
    async moveRest(workspaceId, webhookId, fromMs, toMs) {
      const moved = await conditional(
        db.send(
          new UpdateCommand({
            TableName: table,
            Key: healthKey(workspaceId, webhookId),
            UpdateExpression: 'SET h.restUntilMs = :to',
            ConditionExpression: 'h.restUntilMs = :from',
            ExpressionAttributeValues: { ':from': fromMs, ':to': toMs },
          }),
        ),
      );
      return moved !== null;
    },
  };
}
