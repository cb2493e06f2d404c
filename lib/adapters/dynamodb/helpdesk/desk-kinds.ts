// Every kind of item in the helpdesk's tables.
import type { DeclaredKind } from '#lib/core/record/define-kind.ts';
import { DESK_AUDIT_ENTRY } from './audit-trail.ts';
import { TICKET_OF_CONTACT } from './contact-tickets.ts';
import { THREAD } from './mail-threads.ts';
import { MESSAGE } from './message-store.ts';
import { ACCOUNTS, ARTICLES, CONTACTS, DELIVERIES, JOBS, MAILS, RUNS, TICKETS, WEBHOOKS } from './records.ts';
import { RUN_OF_TICKET } from './run-store.ts';
import { TOKEN } from './search-index.ts';
import { SET_ASIDE } from './set-aside-mails.ts';
import { SLUG } from './slugs.ts';
import { TICKET_NUMBER } from './ticket-codes.ts';
import { HEALTH } from './webhook-health.ts';

export const DESK_KINDS: readonly DeclaredKind[] = [
  ...[TICKETS, CONTACTS, ARTICLES, RUNS, DELIVERIES, MAILS, JOBS, ACCOUNTS, WEBHOOKS],
  ...[MESSAGE, RUN_OF_TICKET, TICKET_OF_CONTACT, HEALTH, SLUG, THREAD, SET_ASIDE, TOKEN, TICKET_NUMBER],
  DESK_AUDIT_ENTRY,
];
