// Which ticket a mail belongs to, by a digest of its Message-ID: the first to say so is believed.
import { DeleteCommand, type DynamoDBDocumentClient, GetCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import type { MailThreads } from '../../../helpdesk/ports/stores.ts';
import { conditional } from '../core/conditional.ts';
import { threadKey } from './helpdesk-item.ts';
import { ITEM_FORMAT, mustBeKnown } from './record-codec.ts';

export function createMailThreads(db: DynamoDBDocumentClient, table: string): MailThreads {
  return {
    async remember(workspaceId, messageId, ticketId) {
      await conditional(
        db.send(
          new PutCommand({
            TableName: table,
            Item: { ...threadKey(workspaceId, messageId), f: ITEM_FORMAT, t: ticketId },
            ConditionExpression: 'attribute_not_exists(pk)',
          }),
        ),
      );
    },
    async ticketOf(workspaceId, messageId) {
      const Key = threadKey(workspaceId, messageId);
      const { Item: item } = await db.send(new GetCommand({ TableName: table, Key, ConsistentRead: true }));
      if (item === undefined) return null;
      mustBeKnown(item);
      return String(item.t);
    },
    async forget(workspaceId, messageId) {
      await db.send(new DeleteCommand({ TableName: table, Key: threadKey(workspaceId, messageId) }));
    },
  };
}
