// Where the records of each kind stand in the indexes, and how long they stay.

import type * as z from 'zod';
import { type Item, partition } from '#lib/core/record/stored-item.ts';
import { type Account, STORED_ACCOUNT } from '#lib/helpdesk/domain/account/account.ts';
import { type Article, STORED_ARTICLE } from '#lib/helpdesk/domain/articles/article.ts';
import { type Contact, STORED_CONTACT } from '#lib/helpdesk/domain/contacts/contact.ts';
import { type Job, STORED_JOB } from '#lib/helpdesk/domain/job.ts';
import { type OutboundMail, STORED_MAIL } from '#lib/helpdesk/domain/mail/mail.ts';
import { type Run, STORED_RUN } from '#lib/helpdesk/domain/runs/run.ts';
import { STORED_TICKET, type Ticket } from '#lib/helpdesk/domain/tickets/ticket.ts';
import { type Delivery, STORED_DELIVERY } from '#lib/helpdesk/domain/webhooks/delivery.ts';
import {
  STORED_WEBHOOK,
  STORED_WEBHOOK_LIST,
  type WebhookList,
} from '#lib/helpdesk/domain/webhooks/webhook.ts';
import { valid } from '../core/items/unreadable.ts';
import { listName, parseRecordKey, timedPlace } from './helpdesk-item.ts';
import { decode, type Named, type RecordKind } from './record-store.ts';

const DELIVERY_KEPT_SEC = 30 * 86_400;

type Declaration<R> = Omit<RecordKind<R>, 'what' | 'table' | 'read' | 'expires' | 'places'> &
  Partial<Pick<RecordKind<R>, 'expires' | 'places'>>;

/** It is in no index and stays until it is deleted, unless it says otherwise. */
function record<R extends Named>(kind: Declaration<R>): RecordKind<R> {
  const read = (item: Item) => decode(kind, valid(parseRecordKey(item) ?? undefined, 'key'), item);
  return { places: () => ({}), expires: null, ...kind, what: kind.kind, table: 'helpdesk', read };
}

export const TICKETS = record<Ticket>({
  kind: 'ticket',
  key: { pk: 'T#{workspace...}', sk: '{ticket}' },
  schema: STORED_TICKET,
  personal: ['subject', 'customerEmail', 'customerName'],
  whenUnreadable: 'left out',
  meaning: 'Lists go on without it; what follows from it waits.',
  places: ({ workspaceId, state, id, waitingSinceMs }) => {
    const list = listName('ticket', workspaceId, state);
    const waiting = waitingSinceMs === null ? {} : { wp: list, wa: timedPlace(waitingSinceMs, id) };
    return { lp: list, ls: id, ...waiting };
  },
});

export const CONTACTS = record<Contact>({
  kind: 'contact',
  key: { pk: 'C#{workspace...}', sk: '{contact}' },
  schema: STORED_CONTACT,
  personal: ['email', 'name', 'firstname', 'lastname', 'company', 'phone', 'metadata'],
  whenUnreadable: 'left out',
  meaning: 'Lists go on without it; its erasure is not done until it can be read.',
  places: ({ workspaceId, createdAtMs, id }) => ({
    lp: listName('contact', workspaceId),
    ls: timedPlace(createdAtMs, id),
  }),
});

export const ARTICLES = record<Article>({
  kind: 'article',
  key: { pk: 'A#{workspace...}', sk: '{article}' },
  schema: STORED_ARTICLE,
  personal: [],
  whenUnreadable: 'left out',
  meaning: 'Lists and drafts go on without it.',
  places: ({ workspaceId, status, id }) => ({ lp: listName('article', workspaceId, status), ls: id }),
});

export const RUNS = record<Run>({
  kind: 'run',
  key: { pk: 'R#{workspace...}', sk: '{run}' },
  schema: STORED_RUN,
  personal: ['citations'],
  whenUnreadable: 'left out',
  meaning: 'Lists go on without it; it is looked at again.',
  places: ({ workspaceId, status, id }) => ({ lp: listName('run', workspaceId, status), ls: id }),
});

export const DELIVERIES = record<Delivery>({
  kind: 'delivery',
  key: { pk: 'D#{workspace...}', sk: '{delivery}' },
  schema: STORED_DELIVERY,
  expires: 'ex',
  personal: ['payload'],
  whenUnreadable: 'wait',
  meaning: 'It is tried again; other deliveries go on.',
  places: ({ workspaceId, webhookId, id, createdAtMs }) => ({
    lp: listName('delivery', workspaceId, webhookId),
    ls: id,
    ex: Math.ceil(createdAtMs / 1_000) + DELIVERY_KEPT_SEC,
  }),
});

export const ACCOUNTS = record<Account>({
  kind: 'account',
  key: { pk: 'W#{workspace...}', sk: 'ACCOUNT' },
  schema: STORED_ACCOUNT,
  personal: [],
  whenUnreadable: 'unavailable',
  meaning: 'What needs its settings is answered 503 or tried again; no default stands in for them.',
});

/** One that cannot be read is kept as it lies there. */
export const WEBHOOKS = record<WebhookList>({
  kind: 'webhooks',
  key: { pk: 'W#{workspace...}', sk: 'WEBHOOKS' },
  schema: STORED_WEBHOOK_LIST as z.ZodType<WebhookList>,
  personal: [],
  whenUnreadable: 'wait',
  meaning: 'What follows from a change waits, and a second change is answered 503.',
  codec: {
    read: (value) => {
      const { webhooks, ...list } = valid(STORED_WEBHOOK_LIST.safeParse(value).data, 'webhooks');
      const { read, unreadable } = partition(webhooks, STORED_WEBHOOK);
      const record = { ...list, webhooks: read, ...(unreadable.length === 0 ? {} : { unreadable }) };
      return { record, unreadable: unreadable.length };
    },
    written: ({ unreadable = [], webhooks, ...list }) => ({
      ...list,
      webhooks: [...webhooks, ...unreadable],
    }),
  },
});

export const MAILS = record<OutboundMail>({
  kind: 'mail',
  key: { pk: 'E#{workspace...}', sk: '{message}' },
  schema: STORED_MAIL,
  personal: [],
  whenUnreadable: 'wait',
  meaning: 'It is not sent until it can be read; other mails go out.',
});
export const JOBS = record<Job>({
  kind: 'job',
  key: { pk: 'J#{workspace...}', sk: '{job}' },
  schema: STORED_JOB,
  personal: ['email'],
  whenUnreadable: 'wait',
  meaning: 'It goes on once it can be read; other jobs go on.',
});
