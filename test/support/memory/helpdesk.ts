// All stores of the helpdesk in memory, under the conditions the tables keep. What is kept beside records are the stores of
// DynamoDB over a model of its tables; records, their lists and what is due are not, since a simulation writes millions of them
// and packing is slow. Guarantees: whoever wrote or read a record cannot change what is stored. Refuses: faults; wrap a store for
// those.
import { DESK_AUDIT_ENTRY } from '#lib/adapters/dynamodb/helpdesk/audit-trail.ts';
import { createHelpdeskStores } from '#lib/adapters/dynamodb/helpdesk/helpdesk-stores.ts';
import { MESSAGE } from '#lib/adapters/dynamodb/helpdesk/message-store.ts';
import { TOKEN } from '#lib/adapters/dynamodb/helpdesk/search-index.ts';
import type { ItemKind } from '#lib/core/record/define-kind.ts';
import { createMemoryDue } from './helpdesk-due.ts';
import { createMemoryLists } from './helpdesk-lists.ts';
import { memoryHelpdeskRecords } from './helpdesk-records.ts';
import { createMemoryTables, itemsOfKind } from './tables.ts';

export type MemoryHelpdesk = ReturnType<typeof memoryHelpdesk>;

/** `all()` of a store is what it holds, for tests to look at. */
export function memoryHelpdesk() {
  const records = memoryHelpdeskRecords();
  const tables = createMemoryTables();
  const names = { table: 'helpdesk', auditTable: 'helpdesk-audit' };
  // At time 0 no mail that was set aside is too old.
  const stores = createHelpdeskStores(
    tables.db,
    names,
    () => 0,
    () => undefined,
  );
  const valuesOf = <T>(kind: ItemKind<T>) => itemsOfKind(tables, kind).map(({ value }) => value);
  return {
    ...stores,
    ...records,
    lists: createMemoryLists(records),
    due: createMemoryDue(records, 4),
    messages: { ...stores.messages, all: () => valuesOf(MESSAGE) },
    audit: { ...stores.audit, all: () => valuesOf(DESK_AUDIT_ENTRY) },
    search: {
      ...stores.search,
      /** The tokens under which a record is found. */
      tokensOf: (workspaceId: string, type: string, recordId: string): readonly string[] =>
        itemsOfKind(tables, TOKEN)
          .filter(({ key, value }) => key.startsWith(`S#${type}#${workspaceId}#`) && value.isThere)
          .filter(({ value }) => value.recordId === recordId)
          .map(({ value }) => value.token)
          .sort(),
    },
  };
}
