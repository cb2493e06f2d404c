// Messages of tickets, each ticket's in a partition of its own. Guarantees: a message that is there is written over by
// erasure only; one that cannot be read is left out of a list, and keeps its place in it.

import { DeleteCommand, type DynamoDBDocumentClient, GetCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import { defineKind } from '#lib/core/record/define-kind.ts';
import { decodeItem, decodeOrSetAside, formatOf } from '#lib/core/record/stored-item.ts';
import type { ItemQuarantine } from '#lib/core/record/unreadable-item.ts';
import { type Message, STORED_MESSAGE } from '#lib/helpdesk/domain/tickets/message.ts';
import { type MessageStore, TOTAL_MAX } from '#lib/helpdesk/ports/stores.ts';
import { conditional } from '../core/items/conditional.ts';
import { messagesPartition } from './helpdesk-item.ts';
import { countOf, itemsOf, type Partition } from './query.ts';

/** Bodies are up to 200 KB: a request holds a megabyte of them, however many are asked for. */
const PAGE_MAX = 200;
const REMOVED_AT_ONCE = 25;

export const MESSAGE = defineKind<Message>({
  what: 'message',
  table: 'helpdesk',
  key: { pk: 'MSG#{workspace...}#{ticket}', sk: '{message}' },
  attribute: 'm',
  schema: STORED_MESSAGE,
  expires: null,
  personal: ['body', 'author', 'mail'],
  whenUnreadable: 'left out',
  meaning: 'It is left out of its thread and keeps its place in it.',
});

export function createMessageStore(
  db: DynamoDBDocumentClient,
  table: string,
  quarantine: ItemQuarantine,
): MessageStore {
  const partitionOf = (workspaceId: string, ticketId: string): Partition => ({
    table,
    names: ['pk', 'sk'],
    hash: messagesPartition(workspaceId, ticketId),
  });
  const itemOf = (message: Message) => ({
    pk: messagesPartition(message.workspaceId, message.ticketId),
    sk: message.id,
    f: formatOf(MESSAGE),
    m: message,
  });
  return {
    async putMessage(message) {
      await conditional(
        db.send(
          new PutCommand({
            TableName: table,
            Item: itemOf(message),
            ConditionExpression: 'attribute_not_exists(pk)',
          }),
        ),
      );
    },

    async readMessage(workspaceId, ticketId, id) {
      const Key = { pk: messagesPartition(workspaceId, ticketId), sk: id };
      const { Item: item } = await db.send(new GetCommand({ TableName: table, Key, ConsistentRead: true }));
      return item === undefined ? null : decodeItem(MESSAGE, item);
    },

    async listMessages(workspaceId, ticketId, { limit, offset }) {
      const partition = partitionOf(workspaceId, ticketId);
      const counting = countOf(db, partition, TOTAL_MAX);
      const messages: Message[] = [];
      let seen = 0;
      for await (const item of itemsOf(db, partition, {
        forward: true,
        pageMax: Math.min(PAGE_MAX, offset + limit),
      })) {
        seen += 1;
        if (seen <= offset) continue;
        const message = decodeOrSetAside(MESSAGE, item, quarantine);
        if (message !== undefined) messages.push(message);
        if (seen === offset + limit) break;
      }
      return { messages, total: await counting };
    },

    async replaceMessage(message) {
      await db.send(new PutCommand({ TableName: table, Item: itemOf(message) }));
    },

    async removeMessages(workspaceId, ticketId) {
      const partition = partitionOf(workspaceId, ticketId);
      const remove = (sk: unknown) =>
        db.send(new DeleteCommand({ TableName: table, Key: { pk: partition.hash, sk } }));
      let some: unknown[] = [];
      for await (const { sk } of itemsOf(db, partition, { forward: true, pageMax: PAGE_MAX })) {
        some.push(sk);
        if (some.length < REMOVED_AT_ONCE) continue;
        await Promise.all(some.map(remove));
        some = [];
      }
      await Promise.all(some.map(remove));
    },
  };
}
