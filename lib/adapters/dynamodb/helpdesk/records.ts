// Where the records of each kind stand in the indexes, and how long they stay.
import type { Account } from '../../../helpdesk/domain/account.ts';
import type { Article } from '../../../helpdesk/domain/article.ts';
import type { Contact } from '../../../helpdesk/domain/contact.ts';
import type { Delivery } from '../../../helpdesk/domain/delivery.ts';
import type { Job } from '../../../helpdesk/domain/job.ts';
import type { OutboundMail } from '../../../helpdesk/domain/mail.ts';
import type { Run } from '../../../helpdesk/domain/run.ts';
import type { Ticket } from '../../../helpdesk/domain/ticket.ts';
import type { WebhookList } from '../../../helpdesk/domain/webhook.ts';
import { listName, timedPlace } from './helpdesk-item.ts';
import type { RecordKind } from './record-store.ts';

const DELIVERY_KEPT_SEC = 30 * 86_400;

export const TICKETS: RecordKind<Ticket> = {
  kind: 'ticket',
  places: ({ workspaceId, state, id, waitingSinceMs }) => {
    const list = listName('ticket', workspaceId, state);
    const waiting = waitingSinceMs === null ? {} : { wp: list, wa: timedPlace(waitingSinceMs, id) };
    return { lp: list, ls: id, ...waiting };
  },
};

export const CONTACTS: RecordKind<Contact> = {
  kind: 'contact',
  places: ({ workspaceId, createdAtMs, id }) => ({
    lp: listName('contact', workspaceId),
    ls: timedPlace(createdAtMs, id),
  }),
};

export const ARTICLES: RecordKind<Article> = {
  kind: 'article',
  places: ({ workspaceId, status, id }) => ({ lp: listName('article', workspaceId, status), ls: id }),
};

export const RUNS: RecordKind<Run> = {
  kind: 'run',
  places: ({ workspaceId, status, id }) => ({ lp: listName('run', workspaceId, status), ls: id }),
};

export const DELIVERIES: RecordKind<Delivery> = {
  kind: 'delivery',
  places: ({ workspaceId, webhookId, id, createdAtMs }) => ({
    lp: listName('delivery', workspaceId, webhookId),
    ls: id,
    ex: Math.ceil(createdAtMs / 1_000) + DELIVERY_KEPT_SEC,
  }),
};

export const ACCOUNTS: RecordKind<Account> = { kind: 'account', places: () => ({}) };
export const WEBHOOKS: RecordKind<WebhookList> = { kind: 'webhooks', places: () => ({}) };
export const MAILS: RecordKind<OutboundMail> = { kind: 'mail', places: () => ({}) };
export const JOBS: RecordKind<Job> = { kind: 'job', places: () => ({}) };
