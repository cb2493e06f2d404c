// A kind of stored item, declared once: where it lies, in which form, what of it is personal, and what follows where one cannot
// be read. Golden items, the test that corrupts every kind and `show-row` are made from the list of these declarations.
import { decodeItem, type Item, type StoredKind, type Upgrade } from './stored-item.ts';

/** By what the CDK app names them. */
export const TABLES = [
  'config',
  'rates',
  'events',
  'batches',
  'analytics',
  'helpdesk',
  'helpdesk-audit',
] as const;
export type TableName = (typeof TABLES)[number];

/** `M#{merchant}`: a name in braces stands for text without `#`, `{name...}` for any text. */
export interface KeyTemplate {
  readonly pk: string;
  /** Absent in a table without sort keys. */
  readonly sk?: string;
}

/**
 * `wait`: what depends on it is tried again until it can be read. `unavailable`: whoever asks for it is answered 503.
 * `left out`: lists go on without it, and asking for it alone is answered 503. `absent`: as if there were none.
 */
export type WhenUnreadable = 'wait' | 'unavailable' | 'left out' | 'absent';

export interface DeclaredKind {
  readonly what: string;
  readonly table: TableName;
  readonly key: KeyTemplate;
  /** Attributes that tell it from other kinds whose keys look the same. */
  readonly marks?: readonly string[];
  /** Attribute of the time to live; null: it stays until it is deleted. */
  readonly expires: 'expires' | 'ex' | null;
  /** What of it is about a person. */
  readonly personal: readonly string[];
  readonly whenUnreadable: WhenUnreadable;
  /** What follows, in a sentence. */
  readonly meaning: string;
  /** From format 1 on; what is packed has numbers of its own. */
  readonly upgrades?: readonly Upgrade[];
  /** Throws `Unreadable`. */
  readonly read: (item: Item) => unknown;
}

/** A kind that is read by a schema. */
export interface ItemKind<T> extends DeclaredKind, StoredKind<T> {}

export function defineKind<T>(kind: Omit<ItemKind<T>, 'read'>): ItemKind<T> {
  const stored: StoredKind<T> = kind;
  return { ...kind, read: (item) => decodeItem(stored, item) };
}
