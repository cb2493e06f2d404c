// How a stored item becomes a noun: by the schema of what is stored, never by a cast. Guarantees: an item of an earlier format
// is upgraded before it is read; of an item in a format this release does not know nothing is read; what a later release added
// to an item is kept when it is written again. An item that names no format is of the first.
import type * as z from 'zod';
import { readBy } from './read-by-schema.ts';
import { type ItemQuarantine, UnreadableItem } from './unreadable-item.ts';

export type Item = Readonly<Record<string, unknown>>;

/** What a value of format n becomes in format n + 1. */
export type Upgrade = (value: unknown) => unknown;

export interface StoredKind<T> {
  /** For people, e.g. `API key`. */
  readonly what: string;
  /** The attribute that holds it; null: its attributes are the item's own. */
  readonly attribute: string | null;
  readonly schema: z.ZodType<T>;
  /** From format 1 on. The format in use is one more than there are. */
  readonly upgrades?: readonly Upgrade[];
}

/** Attribute with the number of the format. */
const FORMAT = 'f';

export const formatOf = ({ upgrades = [] }: { readonly upgrades?: readonly Upgrade[] }): number =>
  upgrades.length + 1;

/** Goes with every item that is written whole; the first format adds nothing to it. */
export function formatAttribute(kind: {
  readonly upgrades?: readonly Upgrade[];
}): Readonly<Record<string, number>> {
  const format = formatOf(kind);
  return format === 1 ? {} : { [FORMAT]: format };
}

/** The value in today's format; undefined where its own is not known. What an upgrade cannot take is no value. */
export function upgraded(
  { upgrades = [] }: { readonly upgrades?: readonly Upgrade[] },
  item: Item,
  value: unknown,
): { readonly value: unknown } | undefined {
  const format = item[FORMAT] ?? 1;
  const known = typeof format === 'number' && Number.isInteger(format) && format >= 1;
  if (!known || format > upgrades.length + 1) return undefined;
  try {
    return { value: upgrades.slice(format - 1).reduce((older, upgrade) => upgrade(older), value) };
  } catch {
    return { value: undefined };
  }
}

/** Throws `UnreadableItem`. */
export function decodeItem<T>(kind: StoredKind<T>, item: Item): T {
  const { what, attribute, schema } = kind;
  const refuse = (problem: string): UnreadableItem =>
    new UnreadableItem(what, { pk: String(item.pk), sk: String(item.sk) }, problem);
  const stored = attribute === null ? item : item[attribute];
  const current = upgraded(kind, item, stored);
  if (current === undefined) throw refuse('unknown format');
  if (attribute !== null && stored === undefined) throw refuse(`${attribute} is missing`);
  const found = readBy(schema, current.value);
  if (found.success) return found.data;
  const [issue] = found.error.issues;
  const at = [...(attribute === null ? [] : [attribute]), ...(issue?.path.slice(0, 1) ?? [])].join('.');
  // Names of fields only: the words of an issue may quote what is stored.
  throw refuse(`no valid ${at === '' ? 'item' : at}`);
}

/** Undefined where it cannot be read, which is noted. */
export function decodeOrSetAside<T>(
  kind: StoredKind<T>,
  item: Item,
  quarantine: ItemQuarantine,
): T | undefined {
  try {
    return decodeItem(kind, item);
  } catch (error) {
    if (!(error instanceof UnreadableItem)) throw error;
    quarantine(error);
    return undefined;
  }
}

/** Of an item that ends by itself and whose key names nothing: undefined where there is none, or one that cannot be read. */
export const decodeOrAbsent = <T>(kind: StoredKind<T>, item: Item | undefined): T | undefined =>
  item === undefined ? undefined : decodeOrSetAside(kind, item, () => {});

/** Of a value inside an item: what can be read of a list, and the rest as it lies there. */
export function partition<T>(
  values: readonly unknown[],
  schema: z.ZodType<T>,
): { readonly read: readonly T[]; readonly unreadable: readonly unknown[] } {
  const read: T[] = [];
  const unreadable: unknown[] = [];
  for (const value of values) {
    const found = readBy(schema, value);
    if (found.success) read.push(found.data);
    else unreadable.push(value);
  }
  return { read, unreadable };
}
