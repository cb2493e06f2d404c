// A kind of stored item, declared once: its key, its format, its personal attributes, and what happens if it cannot be
// read. Golden items, the test that corrupts every kind, and `millrace row` are made from the list of these declarations.
import { decodeItem, type Item, type StoredKind, type Upgrade } from './stored-item.ts';

/** By their names in the CDK app. */
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
 * `wait`: work that depends on it is retried until it can be read. `unavailable`: requests for it get a 503. `left
 * out`: lists skip it, and a request for it alone gets a 503. `absent`: treated as if it did not exist.
 */
export type WhenUnreadable = 'wait' | 'unavailable' | 'left out' | 'absent';

export interface DeclaredKind {
  readonly what: string;
  readonly table: TableName;
  readonly key: KeyTemplate;
  /** Where an earlier release put it, and where some of them still are. */
  readonly formerKey?: KeyTemplate;
  /** Attributes that distinguish it from other kinds with keys of the same form. */
  readonly marks?: readonly string[];
  /** Attribute of the time to live; null: kept until it is deleted. */
  readonly expires: 'expires' | 'ex' | null;
  /** Its attributes with personal data. */
  readonly personal: readonly string[];
  readonly whenUnreadable: WhenUnreadable;
  /** The consequence, in one sentence. */
  readonly meaning: string;
  /** From format 1 on; packed items have their own numbers. */
  readonly upgrades?: readonly Upgrade[];
  /** Throws `Unreadable`. */
  readonly read: (item: Item) => unknown;
}

/** A kind that is read by a schema. */
export interface ItemKind<T> extends DeclaredKind, StoredKind<T> {}

/** `expires` may be left out of kinds that are kept until they are deleted. */
export type KindDeclaration<T> = Omit<ItemKind<T>, 'read' | 'expires'> &
  Partial<Pick<ItemKind<T>, 'expires'>>;

export const defineKind = <T>(kind: KindDeclaration<T>): ItemKind<T> => ({
  expires: null,
  ...kind,
  read: (item) => decodeItem<T>(kind, item),
});
