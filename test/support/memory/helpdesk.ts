// All stores of the helpdesk in memory, under the conditions the tables keep. Guarantees: whoever wrote or read a record
// cannot change what is stored. Refuses: faults; wrap a store for those.
import { DUE_SHARDS } from '#lib/adapters/dynamodb/helpdesk/record-store.ts';
import type { HelpdeskAuditEntry } from '#lib/helpdesk/domain/audit/entry.ts';
import type { Message } from '#lib/helpdesk/domain/tickets/message.ts';
import type { AuditTrail, HelpdeskStores, MessageStore } from '#lib/helpdesk/ports/stores.ts';
import { createMemoryLists } from './helpdesk-lists.ts';
import {
  createMemoryAuditTrail,
  createMemoryClaims,
  createMemoryContactTickets,
  createMemoryDue,
  createMemoryHealth,
  createMemoryMessages,
  createMemorySetAside,
} from './helpdesk-parts.ts';
import { memoryHelpdeskRecords } from './helpdesk-records.ts';
import { createMemorySearch, type MemorySearch } from './helpdesk-search.ts';

type Records = ReturnType<typeof memoryHelpdeskRecords>;

/** `all()` of a store is what it holds, for tests to look at. */
export type MemoryHelpdesk = Omit<HelpdeskStores, keyof Records | 'messages' | 'audit' | 'search'> &
  Records & {
    readonly messages: MessageStore & { all(): readonly Message[] };
    readonly audit: AuditTrail & { all(): readonly HelpdeskAuditEntry[] };
    readonly search: MemorySearch;
  };

export function memoryHelpdesk(): MemoryHelpdesk {
  const records = memoryHelpdeskRecords();
  return {
    ...records,
    ...createMemoryClaims(),
    messages: createMemoryMessages(),
    contactTickets: createMemoryContactTickets(),
    lists: createMemoryLists(records),
    search: createMemorySearch(),
    audit: createMemoryAuditTrail(),
    health: createMemoryHealth(),
    setAside: createMemorySetAside(),
    due: createMemoryDue(records, DUE_SHARDS),
  };
}
