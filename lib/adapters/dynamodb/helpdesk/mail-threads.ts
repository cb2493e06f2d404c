// Which ticket a mail belongs to, by a digest of its Message-ID: the first to say so is believed.

import { DeleteCommand, type DynamoDBDocumentClient, GetCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod';
import { defineKind } from '#lib/core/record/define-kind.ts';
import { decodeItem, formatOf } from '#lib/core/record/stored-item.ts';
import type { MailThreads } from '#lib/helpdesk/ports/stores.ts';
import { conditional } from '../core/items/conditional.ts';
import { threadKey } from './helpdesk-item.ts';

export const THREAD = defineKind({
  what: 'thread of a mail',
  table: 'helpdesk',
  key: { pk: 'X#{workspace...}', sk: '{digest}' },
  attribute: null,
  schema: z.looseObject({ t: z.string() }).transform(({ t }) => ({ ticketId: t })),
  expires: null,
  personal: ['sk'],
  whenUnreadable: 'wait',
  meaning: 'A mail that answers it is taken in once it can be read: it is brought again.',
});

export function createMailThreads(db: DynamoDBDocumentClient, table: string): MailThreads {
  return {
    async remember(workspaceId, messageId, ticketId) {
      await conditional(
        db.send(
          new PutCommand({
            TableName: table,
            Item: { ...threadKey(workspaceId, messageId), f: formatOf(THREAD), t: ticketId },
            ConditionExpression: 'attribute_not_exists(pk)',
          }),
        ),
      );
    },
    async ticketOf(workspaceId, messageId) {
      const Key = threadKey(workspaceId, messageId);
      const { Item: item } = await db.send(new GetCommand({ TableName: table, Key, ConsistentRead: true }));
      return item === undefined ? null : decodeItem(THREAD, item).ticketId;
    },
    async forget(workspaceId, messageId) {
      await db.send(new DeleteCommand({ TableName: table, Key: threadKey(workspaceId, messageId) }));
    },
  };
}
