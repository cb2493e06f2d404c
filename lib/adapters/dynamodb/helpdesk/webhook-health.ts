// What is known of the receivers of webhooks, apart from the list that people change.
import { type DynamoDBDocumentClient, GetCommand, PutCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import type { WebhookHealth } from '../../../helpdesk/domain/webhook.ts';
import type { HealthStore } from '../../../helpdesk/ports/stores.ts';
import { conditional } from '../core/conditional.ts';
import { healthKey } from './helpdesk-item.ts';
import { ITEM_FORMAT, mustBeKnown } from './record-codec.ts';

export function createHealthStore(db: DynamoDBDocumentClient, table: string): HealthStore {
  return {
    async readHealth(workspaceId, webhookId) {
      const Key = healthKey(workspaceId, webhookId);
      const { Item: item } = await db.send(new GetCommand({ TableName: table, Key, ConsistentRead: true }));
      if (item === undefined) return null;
      mustBeKnown(item);
      return item.h as WebhookHealth;
    },
    async putHealth(workspaceId, webhookId, health) {
      const Item = { ...healthKey(workspaceId, webhookId), f: ITEM_FORMAT, h: health };
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
