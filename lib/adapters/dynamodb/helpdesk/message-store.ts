// Messages of tickets, each ticket's in a partition of its own. Guarantees: a message that is there is written over by
// erasure only; one that cannot be read is left out of a list, and keeps its place in it.

import { defineKind } from '#lib/core/record/define-kind.ts';
import { decodeOrSetAside, formatOf, type Item } from '#lib/core/record/stored-item.ts';
import type { ItemQuarantine } from '#lib/core/record/unreadable-item.ts';
import { type Message, STORED_MESSAGE } from '#lib/helpdesk/domain/tickets/message.ts';
import { type MessageStore, TOTAL_MAX } from '#lib/helpdesk/ports/stores.ts';
import { type Db, deleteItem, IF_NEW, putItem, readItem } from '../core/items/commands.ts';
import { countedPage, itemsOf } from '../core/items/query.ts';
import { messagesPartition } from './helpdesk-item.ts';

/** Bodies are up to 200 KB: a request holds a megabyte of them, however many are asked for. */
const PAGE_MAX = 200;
const REMOVED_AT_ONCE = 25;

export const MESSAGE = defineKind<Message>({
  what: 'message',
  table: 'helpdesk',
  key: { pk: 'MSG#{workspace...}#{ticket}', sk: '{message}' },
  attribute: 'm',
  schema: STORED_MESSAGE,
  personal: ['body', 'author', 'mail'],
  whenUnreadable: 'left out',
  meaning: 'It is left out of its thread and keeps its place in it.',
});

export function createMessageStore(db: Db, table: string, quarantine: ItemQuarantine): MessageStore {
  const helpdesk = { db, table };
  const keyOf = (workspaceId: string, ticketId: string, id: string) => ({
    pk: messagesPartition(workspaceId, ticketId),
    sk: id,
  });
  const itemOf = (message: Message) => ({
    ...keyOf(message.workspaceId, message.ticketId, message.id),
    f: formatOf(MESSAGE),
    m: message,
  });
  return {
    async putMessage(message) {
      await putItem(helpdesk, itemOf(message), IF_NEW);
    },

    readMessage: (workspaceId, ticketId, id) => readItem(helpdesk, keyOf(workspaceId, ticketId, id), MESSAGE),

    async listMessages(workspaceId, ticketId, { limit, offset }) {
      const hash = messagesPartition(workspaceId, ticketId);
      const decode = (item: Item) => decodeOrSetAside(MESSAGE, item, quarantine);
      const page = { limit, offset, forward: true, pageMax: PAGE_MAX, totalMax: TOTAL_MAX, decode };
      const { found, total } = await countedPage(helpdesk, { hash }, page);
      return { messages: found, total };
    },

    async replaceMessage(message) {
      await putItem(helpdesk, itemOf(message));
    },

    async removeMessages(workspaceId, ticketId) {
      const partition = { hash: messagesPartition(workspaceId, ticketId) };
      const remove = (id: string) => deleteItem(helpdesk, keyOf(workspaceId, ticketId, id));
      let some: string[] = [];
      for await (const { sk } of itemsOf(helpdesk, partition, { pageMax: PAGE_MAX })) {
        some.push(String(sk));
        if (some.length < REMOVED_AT_ONCE) continue;
        await Promise.all(some.map(remove));
        some = [];
      }
      await Promise.all(some.map(remove));
    },
  };
}
