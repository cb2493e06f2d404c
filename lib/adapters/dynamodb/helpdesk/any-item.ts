// Any item of the helpdesk's tables as the code reads it: for a person who has to find out what is stored, and for the test that
// holds stored formats to what they mean. Refuses nothing: of what it cannot read it says why.
import { kindsOfItem } from '#lib/core/record/key-template.ts';
import type { Item } from '#lib/core/record/stored-item.ts';
import { type Db, getItem } from '../core/items/commands.ts';
import type { ItemKey } from '../core/items/config-item.ts';
import { problemOf } from '../core/items/unreadable.ts';
import { DESK_AUDIT_ENTRY } from './audit-trail.ts';
import { DESK_KINDS } from './desk-kinds.ts';

export interface ReadItem {
  /** `ticket`, `message`, `token` …; null where no release wrote such a key. */
  readonly what: string | null;
  readonly read?: unknown;
  readonly problem?: string;
}

export function readAnyItem(item: Item): ReadItem {
  // Partitions of the audit log are workspaces.
  const [kind] = kindsOfItem(DESK_KINDS, item.e === undefined ? 'helpdesk' : 'helpdesk-audit', item);
  if (kind === undefined) return { what: null, problem: 'no kind has such a key' };
  // The table of its own says which audit log it is of.
  const what = kind === DESK_AUDIT_ENTRY ? 'audit' : kind.what;
  try {
    return { what, read: kind.read(item) };
  } catch (error) {
    return { what, problem: error instanceof Error ? error.message : problemOf(error) };
  }
}

/** Consistent read; null where there is no such item. */
export async function readAnyItemAt(
  db: Db,
  table: string,
  key: ItemKey,
): Promise<(ReadItem & { readonly item: Item }) | null> {
  const item = await getItem({ db, table }, key);
  return item === undefined ? null : { item, ...readAnyItem(item) };
}
