// The helpdesk's tables in an emulator, or in the model of one.
import {
  type EmulatedTable,
  type EmulatedTables,
  openModelledTables,
  openTables,
} from '../stores/emulated-table.ts';

export interface EmulatedHelpdesk extends EmulatedTable {
  readonly auditTable: string;
}

const TABLES = ['helpdesk', 'helpdesk-audit'] as const;

export const openHelpdeskTables = async (): Promise<EmulatedHelpdesk> => named(await openTables(TABLES));

/** For tests that are about our own code. */
export const openModelledHelpdeskTables = async (): Promise<EmulatedHelpdesk> =>
  named(await openModelledTables(TABLES));

const named = (opened: EmulatedTables): EmulatedHelpdesk => ({
  ...opened,
  table: opened.nameOf('helpdesk'),
  auditTable: opened.nameOf('helpdesk-audit'),
});
