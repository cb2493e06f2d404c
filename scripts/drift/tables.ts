// The pinned tables: what each vendor's description said of our request when we last read it.
import { readFileSync, writeFileSync } from 'node:fs';
import { TABLE, type Table } from './description.ts';
import { VENDORS } from './vendors.ts';

const fileOf = (platform: string): URL =>
  new URL(`tables/${platform.replaceAll('_', '-')}.json`, import.meta.url);

export const pinnedTable = (name: string): Table =>
  TABLE.parse(JSON.parse(readFileSync(fileOf(VENDORS[name]?.as ?? name), 'utf8')));

/** A line for each field, so that a change is read in a diff. */
export function writeTable(table: Table): void {
  const { fields, ...head } = TABLE.parse(table);
  const lines = Object.entries(fields).map(
    ([path, field]) => `    ${JSON.stringify(path)}: ${spaced(field)}`,
  );
  const about = Object.entries(head).map(
    ([name, value]) => `  ${JSON.stringify(name)}: ${JSON.stringify(value)},\n`,
  );
  writeFileSync(fileOf(table.platform), `{\n${about.join('')}  "fields": {\n${lines.join(',\n')}\n  }\n}\n`);
}

const spaced = (field: object): string =>
  JSON.stringify(field, null, 1).replaceAll(/\n\s*/g, ' ').replaceAll('[ ', '[').replaceAll(' ]', ']');
