// All stores of the helpdesk on its two tables. The layout is in helpdesk-item.ts.
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { UnreadableItem } from '#lib/core/record/unreadable-item.ts';
import type { UnreadableRecord } from '#lib/helpdesk/domain/account/unreadable-record.ts';
import type { HelpdeskStores } from '#lib/helpdesk/ports/stores.ts';
import { createAuditTrail } from './audit-trail.ts';
import { createContactTickets } from './contact-tickets.ts';
import { createDueIndex } from './due-index.ts';
import { createListIndex } from './list-index.ts';
import { createMailThreads } from './mail-threads.ts';
import { createMessageStore } from './message-store.ts';
import { createRecordStore } from './record-store.ts';
import { ACCOUNTS, ARTICLES, CONTACTS, DELIVERIES, JOBS, MAILS, TICKETS, WEBHOOKS } from './records.ts';
import { createRunStore } from './run-store.ts';
import { createSearchIndex } from './search-index.ts';
import { createSetAsideMails } from './set-aside-mails.ts';
import { createSlugs } from './slugs.ts';
import { createTicketCodes } from './ticket-codes.ts';
import { createHealthStore } from './webhook-health.ts';

export interface HelpdeskTables {
  readonly table: string;
  readonly auditTable: string;
}

/** `quarantine` is called for unreadable records in reads of many. */
export function createHelpdeskStores(
  db: DynamoDBDocumentClient,
  { table, auditTable }: HelpdeskTables,
  nowMs: () => number,
  quarantine: (found: UnreadableRecord | UnreadableItem) => void,
): HelpdeskStores {
  const runs = createRunStore(db, table, quarantine);
  return {
    tickets: createRecordStore(db, table, TICKETS, quarantine),
    contacts: createRecordStore(db, table, CONTACTS, quarantine),
    articles: createRecordStore(db, table, ARTICLES, quarantine),
    accounts: createRecordStore(db, table, ACCOUNTS, quarantine),
    webhooks: createRecordStore(db, table, WEBHOOKS, quarantine),
    runs,
    deliveries: createRecordStore(db, table, DELIVERIES, quarantine),
    mails: createRecordStore(db, table, MAILS, quarantine),
    jobs: createRecordStore(db, table, JOBS, quarantine),
    messages: createMessageStore(db, table, quarantine),
    contactTickets: createContactTickets(db, table),
    lists: createListIndex(db, table, runs),
    search: createSearchIndex(db, table, nowMs),
    audit: createAuditTrail(db, auditTable, quarantine),
    codes: createTicketCodes(db, table),
    slugs: createSlugs(db, table),
    health: createHealthStore(db, table, quarantine),
    threads: createMailThreads(db, table),
    setAside: createSetAsideMails(db, table, nowMs, quarantine),
    due: createDueIndex(db, table),
  };
}
