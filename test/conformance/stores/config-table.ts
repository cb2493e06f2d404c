// A config table in an emulator.
import { type EmulatedTable, openModelledTable, openTable } from './emulated-table.ts';

export { EMULATOR_ENV } from './emulated-table.ts';
export type ConfigTable = EmulatedTable;

export const openConfigTable = (): Promise<ConfigTable> => openTable('config');

export const openModelledConfig = (): Promise<ConfigTable> => openModelledTable('config');
