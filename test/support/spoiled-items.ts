// Five ways in which an item may lie there that this release did not write: by a later release, by hand or by accident.
import { packRecord, unpackRecord } from '../../lib/adapters/dynamodb/helpdesk/record-codec.ts';
import type { DeclaredKind } from '../../lib/core/record/define-kind.ts';

type Item = Record<string, unknown>;

/** Keys, and what says when an item ends or where indexes have it. */
const BESIDE = new Set(['pk', 'sk', 'f', 'expires', 'ex', 'dp', 'da', 'lp', 'ls', 'wp', 'wa', 'tp', 'ts']);

/** Names of the attributes that hold what the item is. */
export function heldIn(kind: DeclaredKind, item: Item): readonly string[] {
  if ('kind' in kind) return ['b' in item ? 'b' : 'record'];
  if ('attribute' in kind && typeof kind.attribute === 'string') return [kind.attribute];
  return Object.keys(item).filter((name) => !BESIDE.has(name));
}

const changed = (item: Item, held: readonly string[], change: (value: unknown) => unknown): Item => ({
  ...item,
  ...Object.fromEntries(held.map((name) => [name, change(item[name])])),
});

const LATER = { laterField: 'of a later release' };
const isPlain = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype;

function withLaterField(item: Item, held: readonly string[]): Item {
  if (item.b instanceof Uint8Array && held[0] === 'b') {
    const { record, outbox } = unpackRecord(item);
    return { ...item, ...packRecord({ ...(record as object), ...LATER }, outbox) };
  }
  const inside = changed(item, held, (value) => (isPlain(value) ? { ...value, ...LATER } : value));
  return { ...inside, ...LATER };
}

function inLaterFormat(item: Item, held: readonly string[]): Item {
  const packed = changed(item, held, (value) =>
    value instanceof Uint8Array ? new Uint8Array([250, ...value.slice(1)]) : value,
  );
  return { ...packed, f: 99 };
}

export const SPOILED: Readonly<Record<string, (item: Item, held: readonly string[]) => Item>> = {
  cut: (item, held) => Object.fromEntries(Object.entries(item).filter(([name]) => !held.includes(name))),
  emptied: (item, held) =>
    changed(item, held, (value) => (value instanceof Uint8Array ? new Uint8Array() : {})),
  'of another type': (item, held) => changed(item, held, (value) => (typeof value === 'number' ? 'x' : 7)),
  'of a later format': inLaterFormat,
  'with a later field': withLaterField,
};
