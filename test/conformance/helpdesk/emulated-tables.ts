// The helpdesk's tables in an emulator.
import { type EmulatedTable, openTables } from '../stores/emulated-table.ts';

export interface EmulatedHelpdesk extends EmulatedTable {
  readonly auditTable: string;
}

export async function openHelpdeskTables(): Promise<EmulatedHelpdesk> {
  const opened = await openTables(['helpdesk', 'helpdesk-audit']);
  return { ...opened, table: opened.nameOf('helpdesk'), auditTable: opened.nameOf('helpdesk-audit') };
}
