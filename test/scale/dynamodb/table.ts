// One table in memory with its indexes: what is in it, what a write would cost, and ranges in order. Sizes and units follow the
// same rules as the project's meters. An index shows a write a moment later, as in AWS.
import type { TableSpec } from '#services/local/stack/topology.ts';
import { itemSizeBytes as measuredSizeBytes } from '../../support/metering/item-size.ts';
import { DYNAMODB } from '../aws/quotas.ts';
import { type Capacity, type CapacityOptions, createCapacity } from './capacity.ts';
import { compareValues, type Item } from './evaluate.ts';
import { createSortedEntries, type SortedEntries } from './sorted-entries.ts';

const WRITE_UNIT_BYTES = 1_024;

/** Items are never changed in place, and each is weighed many times. */
const sizes = new WeakMap<Item, number>();

export function itemSizeBytes(item: Item | undefined): number {
  if (item === undefined) return 0;
  const known = sizes.get(item);
  if (known !== undefined) return known;
  const sizeBytes = measuredSizeBytes(item);
  sizes.set(item, sizeBytes);
  return sizeBytes;
}

/** The table itself, or one of its indexes: a hash key, perhaps a range key, and entries in their order. */
export interface Range {
  readonly hash: string;
  readonly range: string | undefined;
  readonly capacity: Capacity;
  readonly entries: (hashValue: string) => SortedEntries<Item> | undefined;
  /** Order within one hash value: the range key, then the table's own key. */
  readonly compare: (a: Item, b: Item) => number;
}

export type Table = ReturnType<typeof createTable>;

export interface Consumption {
  readonly of: Capacity;
  readonly key: string;
  readonly units: number;
}

export interface TableOptions {
  /** Limits by name: `events`, or `events/by_time` for an index. */
  readonly capacity: (name: string) => Omit<CapacityOptions, 'name'>;
  /** Runs `show` when an index is to show a write. */
  readonly later: (show: () => void) => void;
}

export function createTable(spec: TableSpec, options: TableOptions) {
  const [hash = '', range] = spec.keySchema.map(({ AttributeName }) => AttributeName);
  const key = spec.keySchema.map(({ AttributeName }) => AttributeName);
  const rows = createPartitions(hash, range, key);
  const capacityOf = (name: string) => createCapacity({ name, ...options.capacity(name) });
  const indexes = new Map(
    spec.indexes.map((index) => {
      const [indexHash = '', indexRange] = index.KeySchema.map(({ AttributeName }) => AttributeName);
      const { ProjectionType } = index.Projection;
      if (ProjectionType === 'INCLUDE')
        throw new Error(`${spec.name}: an index with INCLUDE is not modelled`);
      const kept =
        ProjectionType === 'ALL' ? null : [...new Set([indexHash, indexRange ?? indexHash, ...key])];
      const partitions = createPartitions(indexHash, indexRange, key);
      return [
        index.IndexName,
        {
          ...partitions,
          kept,
          keys: indexRange === undefined ? [indexHash] : [indexHash, indexRange],
          capacity: capacityOf(`${spec.name}/${index.IndexName}`),
        },
      ] as const;
    }),
  );
  type Index = typeof indexes extends Map<string, infer I> ? I : never;
  const entryOf = (index: Index, item: Item | undefined): Item | undefined => {
    if (item === undefined || index.keys.some((name) => item[name] === undefined)) return undefined;
    return index.kept === null ? item : Object.fromEntries(index.kept.map((name) => [name, item[name]]));
  };
  const main: Range = { ...rows, capacity: capacityOf(spec.name) };
  return {
    spec,
    key,
    main,
    indexes,
    read: rows.read,
    all: rows.all,
    /** What the write would consume, by table and index. */
    costOf(before: Item | undefined, after: Item | undefined) {
      const sizeBytes = Math.max(itemSizeBytes(before), itemSizeBytes(after));
      const item = after ?? before ?? {};
      const costs: Consumption[] = [
        { of: main.capacity, key: String(item[hash]), units: writeUnits(sizeBytes) },
      ];
      for (const index of indexes.values()) {
        const [old, fresh] = [entryOf(index, before), entryOf(index, after)];
        if (sameEntry(old, fresh)) continue;
        for (const entry of [old, fresh])
          if (entry !== undefined)
            costs.push({
              of: index.capacity,
              key: String(entry[index.hash]),
              units: writeUnits(itemSizeBytes(entry)),
            });
      }
      return costs;
    },
    write(before: Item | undefined, after: Item | undefined) {
      rows.replace(before, after);
      for (const index of indexes.values()) {
        const [old, fresh] = [entryOf(index, before), entryOf(index, after)];
        if (!sameEntry(old, fresh)) options.later(() => index.replace(old, fresh));
      }
    },
  };
}

export const writeUnits = (sizeBytes: number): number => Math.max(1, Math.ceil(sizeBytes / WRITE_UNIT_BYTES));

function sameEntry(a: Item | undefined, b: Item | undefined): boolean {
  if (a === undefined || b === undefined) return a === b;
  if (a === b) return true;
  const names = Object.keys(a);
  return (
    names.length === Object.keys(b).length && names.every((name) => compareValues(a[name], b[name]) === 0)
  );
}

/** Most hash values of a table have one item: only those with more are kept in order. */
function createPartitions(hash: string, range: string | undefined, tableKey: readonly string[]) {
  const order = [...(range === undefined ? [] : [range]), ...tableKey];
  const compare = (a: Item, b: Item): number => {
    for (const name of order) {
      const difference = compareValues(a[name], b[name]) ?? 0;
      if (difference !== 0) return difference;
    }
    return 0;
  };
  const single = new Map<string, Item>();
  const many = new Map<string, SortedEntries<Item>>();
  const entries = (hashValue: string): SortedEntries<Item> | undefined => {
    const alone = single.get(hashValue);
    if (alone === undefined) return many.get(hashValue);
    const one = createSortedEntries(compare);
    one.insert(alone);
    return one;
  };
  const put = (item: Item): void => {
    const value = String(item[hash]);
    const known = many.get(value);
    const alone = single.get(value);
    if (known !== undefined) {
      known.remove(item);
      known.insert(item);
    } else if (alone === undefined || compare(alone, item) === 0) single.set(value, item);
    else {
      const list = createSortedEntries(compare);
      list.insert(alone);
      list.insert(item);
      single.delete(value);
      many.set(value, list);
    }
  };
  const remove = (item: Item): void => {
    const value = String(item[hash]);
    const alone = single.get(value);
    if (alone !== undefined && compare(alone, item) === 0) single.delete(value);
    else many.get(value)?.remove(item);
  };
  return {
    hash,
    range,
    compare,
    entries,
    read(key: Item): Item | undefined {
      const value = String(key[hash]);
      const alone = single.get(value);
      if (alone !== undefined) return compare(alone, key) === 0 ? alone : undefined;
      const found = many
        .get(value)
        ?.from((entry) => compare(entry, key) < 0)
        .next().value;
      return found !== undefined && compare(found, key) === 0 ? found : undefined;
    },
    replace(before: Item | undefined, after: Item | undefined): void {
      if (
        before !== undefined &&
        (after === undefined || compare(before, after) !== 0 || before[hash] !== after[hash])
      )
        remove(before);
      if (after !== undefined) put(after);
    },
    *all(): Generator<Item> {
      yield* single.values();
      for (const list of many.values()) yield* list.from(() => false);
    },
  };
}

/** Refuses what no table takes. */
export function checkItem(spec: TableSpec, item: Item): void {
  if (itemSizeBytes(item) > DYNAMODB.itemSizeMaxBytes)
    throw invalid('Item size has exceeded the maximum allowed size');
  const keys = [
    ...spec.keySchema.map((part) => ({ ...part, must: true })),
    ...spec.indexes.flatMap(({ KeySchema }) => KeySchema.map((part) => ({ ...part, must: false }))),
  ];
  for (const { AttributeName, KeyType, must } of keys) {
    const value = item[AttributeName];
    if (value === undefined && !must) continue;
    const type = spec.attributes.find(
      (attribute) => attribute.AttributeName === AttributeName,
    )?.AttributeType;
    if (typeof value !== (type === 'N' ? 'number' : 'string'))
      throw invalid(`Type mismatch for key ${AttributeName}`);
    const max = KeyType === 'HASH' ? DYNAMODB.partitionKeyMaxBytes : DYNAMODB.sortKeyMaxBytes;
    if (typeof value === 'string' && (value === '' || Buffer.byteLength(value) > max))
      throw invalid(`Key ${AttributeName} is empty or too long`);
  }
}

export function invalid(message: string): Error {
  return Object.assign(new Error(message), { name: 'ValidationException' });
}
