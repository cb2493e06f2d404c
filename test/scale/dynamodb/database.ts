// DynamoDB in memory, at the commands the document client sends: keys, conditions, updates, ranges, pages and batches as
// AWS has them, each priced and each throttled. Guarantees: a refused request changes and consumes nothing; a put waits for
// its indexes' capacity (back-pressure). Refuses: commands and options that nothing here uses.
import type { TableSpec } from '#services/local/stack/topology.ts';
import { DYNAMODB } from '../aws/quotas.ts';
import type { Capacity, Unit } from './capacity.ts';
import {
  type Bindings,
  bindingsOf,
  compareValues,
  holds,
  type Item,
  refuseUnused,
  updated,
} from './evaluate.ts';
import {
  type Condition,
  ExpressionError,
  type Operand,
  parseCondition,
  parseUpdate,
  type Update,
} from './expressions.ts';
import {
  checkItem,
  createTable,
  invalid,
  itemSizeBytes,
  type Range,
  type Table,
  type TableOptions,
} from './table.ts';

const READ_UNIT_BYTES = 4_096;
/** Entries of an index that are as much work as one row: they hold keys, and nothing is unpacked. */
const ENTRIES_PER_ROW = 10;

export interface DatabaseOptions extends TableOptions {
  readonly tables: readonly TableSpec[];
  readonly now: () => number;
}

export interface Answer {
  readonly output: Item;
  /** Items that were read or written: what the caller has to work on. */
  readonly rows: number;
  readonly writeUnits: number;
  readonly readUnits: number;
}

export type Database = ReturnType<typeof createDatabase>;

export class ThroughputExceeded extends Error {
  override readonly name = 'ProvisionedThroughputExceededException';
}

export function createDatabase(options: DatabaseOptions) {
  const tables = new Map(options.tables.map((spec) => [spec.name, createTable(spec, options)]));
  const table = (name: unknown): Table => {
    const found = tables.get(String(name));
    if (found === undefined)
      throw Object.assign(new Error(`no table ${String(name)}`), { name: 'ResourceNotFoundException' });
    return found;
  };
  return {
    /** Throws what the SDK would throw. `free`: neither counted nor throttled, for what stands there before a run. */
    execute(command: string, input: Item, free?: 'free') {
      const run = COMMANDS[command];
      if (run === undefined) throw new Error(`${command} is not modelled`);
      const nowMs = options.now();
      const context: Context = {
        table,
        isFree: free !== undefined,
        admits: (of, key, unit, units) => free !== undefined || of.admits(key, unit, units, nowMs),
        refuse: (of, key, unit) => of.refuse(key, unit, nowMs),
        consume: (of, key, unit, units) => {
          if (free === undefined) of.consume(key, unit, units, nowMs);
        },
      };
      try {
        return run(context, input);
      } catch (error) {
        if (error instanceof ExpressionError) throw invalid(error.message);
        throw error;
      }
    },
    report: () =>
      [...tables.values()].flatMap(({ main, indexes }) =>
        [main, ...indexes.values()].map(({ capacity }) => capacity.report()),
      ),
    table,
    add: (spec: TableSpec): void => void tables.set(spec.name, createTable(spec, options)),
  };
}

interface Context {
  readonly isFree: boolean;
  readonly table: (name: unknown) => Table;
  readonly admits: (of: Capacity, key: string, unit: Unit, units: number) => boolean;
  readonly refuse: (of: Capacity, key: string, unit: Unit) => void;
  readonly consume: (of: Capacity, key: string, unit: Unit, units: number) => void;
}
type Command = (context: Context, input: Item) => Answer;

const put: Command = (context, input) =>
  write(context, input, input.Item as Item, () => plain(input.Item) as Item);

const remove: Command = (context, input) => write(context, input, input.Key as Item, () => undefined);

const NOTHING: Update = { set: [], remove: [], add: [], leave: [] };

const update: Command = (context, input) => {
  // Without an expression it makes the item where there is none.
  const expression = input.UpdateExpression;
  const parsed = expression === undefined ? NOTHING : parseUpdate(String(expression));
  const { key } = context.table(input.TableName);
  return write(context, input, input.Key as Item, (before, bound) => {
    const after = updated(parsed, before ?? (input.Key as Item), bound);
    if (key.some((name) => compareValues(after[name], (input.Key as Item)[name]) !== 0))
      throw invalid('an update may not change the key');
    return plain(after) as Item;
  });
};

function write(
  { table: tableOf, admits, refuse, consume, isFree }: Context,
  input: Item,
  keyed: Item,
  change: (before: Item | undefined, bound: Bindings) => Item | undefined,
): Answer {
  const table = tableOf(input.TableName);
  const bound = bindingsOf(input);
  const condition = input.ConditionExpression as string | undefined;
  refuseUnused(bound, [condition, input.UpdateExpression as string | undefined]);
  const before = table.read(keyOf(table, keyed));
  const allowed = condition === undefined || holds(parseCondition(condition), before, bound);
  const after = allowed ? change(before, bound) : before;
  if (allowed && after !== undefined) checkItem(table.spec, after);
  const costs = isFree ? [] : table.costOf(before, after);
  // A condition that does not hold is paid for by the item that stays.
  const full = costs.find(({ of, key, units }) => !admits(of, key, 'write', units));
  if (full !== undefined) {
    refuse(full.of, full.key, 'write');
    throw new ThroughputExceeded('the level of configured provisioned throughput was exceeded');
  }
  for (const { of, key, units } of costs) consume(of, key, 'write', units);
  if (!allowed)
    throw Object.assign(new Error('The conditional request failed'), {
      name: 'ConditionalCheckFailedException',
    });
  table.write(before, after === undefined ? undefined : packed(after, before));
  const shown = { ALL_NEW: after, UPDATED_NEW: after, ALL_OLD: before }[String(input.ReturnValues)];
  const output = shown === undefined ? {} : { Attributes: { ...shown } };
  return { output, rows: 1, writeUnits: costs.reduce((sum, { units }) => sum + units, 0), readUnits: 0 };
}

/**
 * Bytes as short as they are: what a compressor returns is a view of 16 KB, and a million rows would keep as many of them.
 */
function packed(item: Item, before: Item | undefined): Item {
  const views = Object.entries(item).filter(
    ([name, value]) => value instanceof Uint8Array && value !== before?.[name],
  );
  if (views.length === 0) return item;
  return {
    ...item,
    ...Object.fromEntries(views.map(([name, value]) => [name, new Uint8Array(value as Uint8Array)])),
  };
}

function keyOf(table: Table, item: Item): Item {
  return Object.fromEntries(
    table.key.map((name) => {
      if (typeof item[name] !== 'string' || item[name] === '') throw invalid(`the key ${name} is missing`);
      return [name, item[name]];
    }),
  );
}

const get: Command = (context, input) => {
  refuseOptions(input, 'ProjectionExpression', 'AttributesToGet');
  const table = context.table(input.TableName);
  const key = keyOf(table, input.Key as Item);
  const item = table.read(key);
  const readUnits = units(itemSizeBytes(item)) * consistency(input);
  take(context, table.main, String(key[table.main.hash]), readUnits);
  return { output: item === undefined ? {} : { Item: { ...item } }, rows: 1, writeUnits: 0, readUnits };
};

const batchGet: Command = ({ table: tableOf, admits, refuse, consume }, input) => {
  const responses: Record<string, Item[]> = {};
  const unprocessed: Record<string, object> = {};
  let [rows, readUnits, sizeBytes, asked] = [0, 0, 0, 0];
  for (const [name, request] of Object.entries(input.RequestItems as Record<string, Item>)) {
    refuseOptions(request, 'ProjectionExpression', 'AttributesToGet');
    const table = tableOf(name);
    const left: Item[] = [];
    responses[name] = [];
    const keys = request.Keys as Item[];
    asked += keys.length;
    if (asked > DYNAMODB.batchGetKeysMax) throw invalid('Too many items requested for the BatchGetItem call');
    if (new Set(keys.map((key) => JSON.stringify(keyOf(table, key)))).size < keys.length)
      throw invalid('Provided list of item keys contains duplicates');
    for (const key of keys) {
      const item = table.read(keyOf(table, key));
      const cost = units(itemSizeBytes(item)) * consistency(request);
      const hash = String(key[table.main.hash]);
      const fits = sizeBytes + itemSizeBytes(item) <= DYNAMODB.batchGetSizeMaxBytes;
      const admitted = fits && admits(table.main.capacity, hash, 'read', cost);
      if (!admitted) {
        if (fits) refuse(table.main.capacity, hash, 'read');
        left.push(key);
        continue;
      }
      consume(table.main.capacity, hash, 'read', cost);
      readUnits += cost;
      sizeBytes += itemSizeBytes(item);
      rows += 1;
      if (item !== undefined) responses[name].push({ ...item });
    }
    if (left.length > 0) unprocessed[name] = { ...request, Keys: left };
  }
  if (rows === 0 && asked > 0) throw new ThroughputExceeded('none of the keys could be read');
  return { output: { Responses: responses, UnprocessedKeys: unprocessed }, rows, writeUnits: 0, readUnits };
};

const query: Command = (context, input) => {
  const table = context.table(input.TableName);
  const index = input.IndexName as string | undefined;
  const range = index === undefined ? table.main : table.indexes.get(index);
  if (range === undefined) throw invalid(`no index ${index}`);
  if (index !== undefined && input.ConsistentRead === true)
    throw invalid('Consistent reads are not supported on global secondary indexes');
  const bound = bindingsOf(input);
  const text = String(input.KeyConditionExpression);
  refuseUnused(bound, [
    text,
    input.FilterExpression as string | undefined,
    input.ProjectionExpression as string | undefined,
  ]);
  const condition = parseCondition(text);
  const hashValue = String(hashIn(condition, range, bound));
  const matching = inRange(range, hashValue, condition, bound, input);
  return page(context, { range, hashValue, tableKey: table.key }, matching, input, bound);
};

function* inRange(
  range: Range,
  hashValue: string,
  condition: Condition,
  bound: Bindings,
  input: Item,
): Generator<Item> {
  const entries = range.entries(hashValue);
  if (entries === undefined) return;
  const after = input.ExclusiveStartKey as Item | undefined;
  const [low, high] = boundsIn(condition, range, bound);
  const isBelow = (entry: Item): boolean =>
    (after !== undefined && range.compare(entry, after) <= 0) ||
    (low !== undefined && (compareValues(entry[range.range ?? ''], low) ?? 0) < 0);
  const isAbove = (entry: Item): boolean =>
    high !== undefined && (compareValues(entry[range.range ?? ''], high) ?? 0) > 0;
  if (input.ScanIndexForward !== false) {
    for (const entry of entries.from(isBelow)) {
      if (isAbove(entry)) return;
      if (holds(condition, entry, bound)) yield entry;
    }
    return;
  }
  const isOver = (entry: Item): boolean =>
    (after !== undefined && range.compare(entry, after) >= 0) || isAbove(entry);
  for (const entry of entries.backFrom(isOver)) {
    if (low !== undefined && (compareValues(entry[range.range ?? ''], low) ?? 0) < 0) return;
    if (holds(condition, entry, bound)) yield entry;
  }
}

/** A page ends at its limit, or with the item that fills its megabyte. */
function page(
  { admits, refuse, consume }: Context,
  {
    range,
    hashValue,
    tableKey,
  }: { readonly range: Range; readonly hashValue: string; readonly tableKey: readonly string[] },
  matching: Iterable<Item>,
  input: Item,
  bound: Bindings,
): Answer {
  const limit = input.Limit === undefined ? Number.POSITIVE_INFINITY : Number(input.Limit);
  if (!(limit >= 1)) throw invalid('Limit must be at least 1');
  if (!admits(range.capacity, hashValue, 'read', 1)) {
    refuse(range.capacity, hashValue, 'read');
    throw new ThroughputExceeded('the partition is read too much');
  }
  const filter = input.FilterExpression === undefined ? null : parseCondition(String(input.FilterExpression));
  const items: Item[] = [];
  let sizeBytes = 0;
  let looked = 0;
  let last: Item | undefined;
  for (const item of matching) {
    looked += 1;
    sizeBytes += itemSizeBytes(item);
    if (filter === null || holds(filter, item, bound)) items.push(projected(item, input));
    if (looked === limit || sizeBytes >= DYNAMODB.pageSizeMaxBytes) {
      last = item;
      break;
    }
  }
  const readUnits = units(sizeBytes) * consistency(input);
  consume(range.capacity, hashValue, 'read', readUnits);
  const names = [...new Set([range.hash, ...(range.range === undefined ? [] : [range.range]), ...tableKey])];
  const lastKey =
    last === undefined
      ? {}
      : { LastEvaluatedKey: Object.fromEntries(names.map((name) => [name, last[name]])) };
  const output = { Items: items, Count: items.length, ScannedCount: looked, ...lastKey };
  const rows = input.IndexName === undefined ? looked : looked / ENTRIES_PER_ROW;
  return { output, rows, writeUnits: 0, readUnits };
}

/** Whole, in one page: the config table is small, and nothing else is scanned. */
const scan: Command = ({ table: tableOf }, input) => {
  refuseOptions(input, 'IndexName', 'ProjectionExpression', 'Limit', 'Segment');
  const bound = bindingsOf(input);
  refuseUnused(bound, [input.FilterExpression as string | undefined]);
  const filter = input.FilterExpression === undefined ? null : parseCondition(String(input.FilterExpression));
  let sizeBytes = 0;
  let rows = 0;
  const items: Item[] = [];
  for (const item of tableOf(input.TableName).all()) {
    rows += 1;
    sizeBytes += itemSizeBytes(item);
    if (filter === null || holds(filter, item, bound)) items.push({ ...item });
  }
  return {
    output: { Items: items, Count: items.length, ScannedCount: rows },
    rows,
    writeUnits: 0,
    readUnits: units(sizeBytes) * consistency(input),
  };
};

const COMMANDS: Readonly<Record<string, Command>> = {
  PutCommand: put,
  UpdateCommand: update,
  DeleteCommand: remove,
  GetCommand: get,
  BatchGetCommand: batchGet,
  QueryCommand: query,
  ScanCommand: scan,
};

function take(
  { admits, refuse, consume }: Context,
  { capacity }: Range,
  key: string,
  readUnits: number,
): void {
  if (!admits(capacity, key, 'read', readUnits)) {
    refuse(capacity, key, 'read');
    throw new ThroughputExceeded('the partition is read too much');
  }
  consume(capacity, key, 'read', readUnits);
}

const conditionsIn = (condition: Condition): readonly Condition[] =>
  condition.kind === 'and' ? condition.of.flatMap(conditionsIn) : [condition];

const boundValue = (operand: Operand, bound: Bindings): unknown =>
  operand.kind === 'value' ? bound.values[operand.name] : undefined;

const isNamed = (operand: Operand, name: string | undefined, { names }: Bindings): boolean =>
  operand.kind === 'path' &&
  operand.path.length === 1 &&
  (names[String(operand.path[0])] ?? operand.path[0]) === name;

function hashIn(condition: Condition, range: Range, bound: Bindings): unknown {
  for (const part of conditionsIn(condition))
    if (part.kind === 'compare' && part.sign === '=' && isNamed(part.left, range.hash, bound))
      return boundValue(part.right, bound);
  throw invalid(`Query condition missed key schema element: ${range.hash}`);
}

/** Where the range begins and ends; what exactly is in it the condition itself says. */
function boundsIn(condition: Condition, range: Range, bound: Bindings): readonly [unknown, unknown] {
  for (const part of conditionsIn(condition)) {
    if (part.kind === 'between' && isNamed(part.value, range.range, bound))
      return [boundValue(part.low, bound), boundValue(part.high, bound)];
    if (part.kind === 'call' && part.name === 'begins_with')
      return [boundValue(part.of[1] as Operand, bound), undefined];
    if (part.kind === 'compare' && isNamed(part.left, range.range, bound)) {
      const value = boundValue(part.right, bound);
      if (part.sign === '=') return [value, value];
      return part.sign.startsWith('>') ? [value, undefined] : [undefined, value];
    }
  }
  return [undefined, undefined];
}

function projected(item: Item, { ProjectionExpression: names }: Item): Item {
  if (names === undefined) return { ...item };
  const wanted = String(names)
    .split(',')
    .map((name) => name.trim());
  return Object.fromEntries(
    wanted.filter((name) => item[name] !== undefined).map((name) => [name, item[name]]),
  );
}

function refuseOptions(input: Item, ...options: readonly string[]): void {
  const used = options.find((option) => input[option] !== undefined);
  if (used !== undefined) throw new Error(`${used} is not modelled`);
}

/** As the document client marshals it: without what is undefined, and cut off from what the caller still holds. */
function plain(value: unknown): unknown {
  if (value === null || typeof value !== 'object' || value instanceof Uint8Array || value instanceof Set)
    return value;
  if (Array.isArray(value)) return value.filter((entry) => entry !== undefined).map(plain);
  const copy: Record<string, unknown> = {};
  for (const [name, entry] of Object.entries(value)) if (entry !== undefined) copy[name] = plain(entry);
  return copy;
}

const units = (sizeBytes: number): number => Math.max(1, Math.ceil(sizeBytes / READ_UNIT_BYTES));
const consistency = (input: Item): number => (input.ConsistentRead === true ? 1 : 0.5);
