// Messages of tickets, each ticket's in a partition of its own. Guarantees: a message that is there is written over by
// erasure only.
import { DeleteCommand, type DynamoDBDocumentClient, GetCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import type { Message } from '../../../helpdesk/domain/message.ts';
import { type MessageStore, TOTAL_MAX } from '../../../helpdesk/ports/stores.ts';
import { conditional } from '../core/conditional.ts';
import { messagesPartition } from './helpdesk-item.ts';
import { countOf, itemsOf, type Partition } from './query.ts';
import { ITEM_FORMAT, mustBeKnown } from './record-codec.ts';

/** Bodies are up to 200 KB: a request holds a megabyte of them, however many are asked for. */
const PAGE_MAX = 200;
const REMOVED_AT_ONCE = 25;

export function createMessageStore(db: DynamoDBDocumentClient, table: string): MessageStore {
  const partitionOf = (workspaceId: string, ticketId: string): Partition => ({
    table,
    names: ['pk', 'sk'],
    hash: messagesPartition(workspaceId, ticketId),
  });
  const itemOf = (message: Message) => ({
    pk: messagesPartition(message.workspaceId, message.ticketId),
    sk: message.id,
    f: ITEM_FORMAT,
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
      return item === undefined ? null : messageIn(item);
    },

    async listMessages(workspaceId, ticketId, { limit, offset }) {
      const partition = partitionOf(workspaceId, ticketId);
      const counting = countOf(db, partition, TOTAL_MAX);
      const messages: Message[] = [];
      let skipped = 0;
      for await (const item of itemsOf(db, partition, {
        forward: true,
        pageMax: Math.min(PAGE_MAX, offset + limit),
      })) {
        if (skipped < offset) skipped += 1;
        else if (messages.push(messageIn(item)) === limit) break;
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

/** Throws where a later release wrote it. */
export function messageIn(item: Readonly<Record<string, unknown>>): Message {
  mustBeKnown(item);
  return item.m as Message;
}
