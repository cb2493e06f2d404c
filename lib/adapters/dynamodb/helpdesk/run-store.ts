// Runs, and which of them a ticket has. Guarantees: a run that exists is in the list of its ticket at once: its place there
// is taken before it is written.

import * as z from 'zod';
import { defineKind } from '#lib/core/record/define-kind.ts';
import type { UnreadableRecord } from '#lib/helpdesk/domain/account/unreadable-record.ts';
import type { Run } from '#lib/helpdesk/domain/runs/run.ts';
import type { RecordStore } from '#lib/helpdesk/ports/stores.ts';
import { type Db, deleteItem, putItem } from '../core/items/commands.ts';
import { ticketRunsPartition } from './helpdesk-item.ts';
import { createRecordStore } from './record-store.ts';
import { RUNS } from './records.ts';

export const RUN_OF_TICKET = defineKind({
  what: 'run of a ticket',
  table: 'helpdesk',
  key: { pk: 'RT#{workspace...}#{ticket}', sk: '{run}' },
  attribute: null,
  schema: z.looseObject({ sk: z.string() }).transform(({ sk }) => ({ runId: sk })),
  personal: [],
  whenUnreadable: 'absent',
  meaning: 'It holds nothing but its key: the run itself is the truth.',
});

export function createRunStore(
  db: Db,
  table: string,
  quarantine: (found: UnreadableRecord) => void,
): RecordStore<Run> {
  const runs = createRecordStore(db, table, RUNS, quarantine);
  const pointerOf = ({ workspaceId, ticketId, id }: Run) => ({
    pk: ticketRunsPartition(workspaceId, ticketId),
    sk: id,
  });
  return {
    ...runs,
    async put(stored, expected) {
      if (expected === null) await putItem({ db, table }, pointerOf(stored.record));
      return await runs.put(stored, expected);
    },
    async remove(key, version) {
      const stored = await runs.read(key.workspaceId, key.id);
      const isRemoved = await runs.remove(key, version);
      if (isRemoved && stored !== null) await deleteItem({ db, table }, pointerOf(stored.record));
      return isRemoved;
    },
  };
}
