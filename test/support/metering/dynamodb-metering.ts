// Counts what a client asks of DynamoDB the way the bill counts it: calls by name, write units with their index entries,
// read units. An emulator's own figures leave the indexes out, so units follow from the size of items and their membership.
// For tests and the cost model: it reads items behind the caller's back (uncounted) to know what a write replaced.
// Refuses: a call it cannot price (batch writes, transactions, projections, indexes with more than keys).
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { isConditionFailure } from '#lib/adapters/dynamodb/core/items/commands.ts';
import { openBooks } from './books.ts';
import { createItemMirror, type Item, type ItemMirror, type TableShape } from './item-mirror.ts';
import { itemSizeBytes } from './item-size.ts';

export interface DynamoUsage {
  /** By API name, e.g. `PutItem`. */
  readonly calls: Readonly<Record<string, number>>;
  /** Table and index entries together. */
  readonly writeUnits: number;
  /** The part of `writeUnits` that index entries cost. */
  readonly indexWriteUnits: number;
  readonly readUnits: number;
  /** Writes whose condition did not hold; they are paid for. */
  readonly conditionFailures: number;
  /** Attempts of the SDK beyond the first, over all calls. */
  readonly retries: number;
  readonly itemSizeMaxBytes: number;
}

export interface DynamoMeter {
  /** Counts every call of this client under `label` from now on. Clients of one meter know of each other's writes. */
  attach(db: DynamoDBDocumentClient, label: string): void;
  /** Everything, or what one label, one table, or both have cost so far. */
  usage(of?: { readonly label?: string; readonly table?: string }): DynamoUsage;
}

type Input = Readonly<Record<string, unknown>> & { readonly TableName?: string };

const WRITE_UNIT_BYTES = 1_024;
const READ_UNIT_BYTES = 4_096;

const EMPTY_USAGE: DynamoUsage = {
  calls: {},
  writeUnits: 0,
  indexWriteUnits: 0,
  readUnits: 0,
  conditionFailures: 0,
  retries: 0,
  itemSizeMaxBytes: 0,
};

export function createDynamoMeter(): DynamoMeter {
  const { book, usage } = openBooks(EMPTY_USAGE);
  const items = createItemMirror();
  return {
    attach(db, label) {
      const meter = {
        db,
        items,
        book: (table: string, entry: Partial<DynamoUsage>) => book(label, table, entry),
      };
      db.middlewareStack.add(
        (next, context) => async (args) => {
          const input = args.input as Input;
          const call = String(context.commandName).replace(/Command$/, '');
          if (items.isOwn(input)) return await next(args);
          const price = PRICED[call];
          if (price === undefined) throw new Error(`${call} has no price here`);
          return await price(meter, call, input, async (changed) => {
            const result = await next({ ...args, input: { ...args.input, ...changed } });
            return { result, output: result.output as Item };
          });
        },
        { step: 'initialize', name: 'meter' },
      );
    },
    usage: ({ label, table } = {}) => usage({ label, place: table }),
  };
}

interface Metered {
  readonly db: DynamoDBDocumentClient;
  readonly items: ItemMirror;
  readonly book: (table: string, entry: Partial<DynamoUsage>) => void;
}
type Proceed<R> = (changed?: Input) => Promise<{ readonly result: R; readonly output: Item }>;
type Price = <R>(meter: Metered, call: string, input: Input, proceed: Proceed<R>) => Promise<R>;

/** Calls that read or write no item cost nothing. */
const free: Price = async (_meter, _call, _input, proceed) => (await proceed()).result;

const put: Price = (meter, call, input, proceed) =>
  write(meter, call, input, input.Item as Item, async () => {
    const { result, output } = await proceed();
    return { result, output, after: input.Item as Item };
  });

const update: Price = (meter, call, input, proceed) => {
  // Whoever asked for the attributes that changed gets the others as well.
  if (![undefined, 'NONE', 'ALL_NEW', 'UPDATED_NEW'].includes(input.ReturnValues as string | undefined))
    throw new Error(`UpdateItem returning ${String(input.ReturnValues)} has no price here`);
  return write(meter, call, input, input.Key as Item, async () => {
    const { result, output } = await proceed({ ReturnValues: 'ALL_NEW' });
    return { result, output, after: output.Attributes as Item };
  });
};

const remove: Price = (meter, call, input, proceed) =>
  write(meter, call, input, input.Key as Item, async () => {
    const { result, output } = await proceed();
    return { result, output, after: undefined };
  });

async function write<R>(
  { db, items, book }: Metered,
  call: string,
  input: Input,
  keyed: Item,
  send: () => Promise<{ readonly result: R; readonly output: Item; readonly after: Item | undefined }>,
): Promise<R> {
  const table = String(input.TableName);
  const shape = await items.shapeOf(db, table);
  await items.learn(db, table, shape, keyed);
  try {
    const { result, output, after } = await send();
    // Read after the write: whoever wrote while it was under way has left what it replaced.
    const before = items.swap(table, shape, keyed, after);
    const index = shape.indexes.reduce((sum, key) => sum + entryUnits(shape, key, before, after), 0);
    book(table, {
      calls: { [call]: 1 },
      writeUnits: units(Math.max(itemSizeBytes(before), itemSizeBytes(after)), WRITE_UNIT_BYTES) + index,
      indexWriteUnits: index,
      retries: retriesOf(output),
      itemSizeMaxBytes: itemSizeBytes(after),
    });
    return result;
  } catch (error) {
    const refused = isConditionFailure(error);
    // Anything else may have been written or not.
    if (!refused) items.forget(table, shape, keyed);
    const existing = itemSizeBytes(items.known(table, shape, keyed));
    book(table, {
      calls: { [call]: 1 },
      writeUnits: units(existing, WRITE_UNIT_BYTES),
      conditionFailures: refused ? 1 : 0,
    });
    throw error;
  }
}

const get: Price = async ({ book }, call, input, proceed) => {
  refuse(input, 'ProjectionExpression', 'AttributesToGet');
  const { result, output } = await proceed();
  const readUnits =
    units(itemSizeBytes(output.Item as Item | undefined), READ_UNIT_BYTES) * consistency(input);
  book(String(input.TableName), { calls: { [call]: 1 }, readUnits, retries: retriesOf(output) });
  return result;
};

const batchGet: Price = async ({ book }, call, input, proceed) => {
  const { result, output } = await proceed();
  const answered = output.Responses as Readonly<Record<string, readonly Item[]>>;
  const unprocessed = (output.UnprocessedKeys ?? {}) as Readonly<
    Record<string, { Keys?: readonly unknown[] }>
  >;
  for (const [table, asked] of Object.entries(input.RequestItems as Readonly<Record<string, Input>>)) {
    refuse(asked, 'ProjectionExpression', 'AttributesToGet');
    const found = answered[table] ?? [];
    const missing = (asked.Keys as unknown[]).length - found.length - (unprocessed[table]?.Keys?.length ?? 0);
    const each = found.map((item) => units(itemSizeBytes(item), READ_UNIT_BYTES));
    const readUnits = (each.reduce((sum, n) => sum + n, 0) + missing) * consistency(asked);
    book(table, { calls: { [call]: 1 }, readUnits, retries: retriesOf(output) });
  }
  return result;
};

const range: Price = async ({ db, items: mirror, book }, call, input, proceed) => {
  if (input.Select !== 'COUNT') refuse(input, 'Select');
  // What a count or a filter leaves out is read and paid for.
  const { result, output } = await proceed({ Select: undefined });
  const items =
    input.FilterExpression === undefined
      ? ((output.Items ?? []) as Item[])
      : await mirror.unfiltered(db, call, input);
  // What a projection leaves out is paid for as well, and not known here.
  if (items.length > 0) refuse(input, 'ProjectionExpression');
  const sizeBytes = items.reduce((sum, item) => sum + itemSizeBytes(item), 0);
  const readUnits = units(sizeBytes, READ_UNIT_BYTES) * consistency(input);
  book(String(input.TableName), { calls: { [call]: 1 }, readUnits, retries: retriesOf(output) });
  return result;
};

const PRICED: Readonly<Record<string, Price>> = {
  PutItem: put,
  UpdateItem: update,
  DeleteItem: remove,
  GetItem: get,
  BatchGetItem: batchGet,
  Query: range,
  Scan: range,
  CreateTable: free,
  DescribeTable: free,
};

function refuse(input: Input, ...options: readonly string[]): void {
  const used = options.find((option) => input[option] !== undefined);
  if (used !== undefined) throw new Error(`a call with ${used} has no price here`);
}

const consistency = (input: Input): number => (input.ConsistentRead === true ? 1 : 0.5);
const units = (sizeBytes: number, unitBytes: number): number => Math.max(1, Math.ceil(sizeBytes / unitBytes));
const retriesOf = (output: Item): number =>
  ((output.$metadata as { readonly attempts?: number } | undefined)?.attempts ?? 1) - 1;

/**
 * A new entry is one write of its size, a removed one too, a moved one is both, an unchanged one nothing
 * (https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/GSI.html#GSI.ThroughputConsiderations.Writes).
 */
function entryUnits(
  shape: TableShape,
  key: readonly string[],
  before: Item | undefined,
  after: Item | undefined,
): number {
  const entry = (item: Item | undefined): Item | null =>
    item !== undefined && key.every((name) => item[name] !== undefined)
      ? Object.fromEntries([...new Set([...shape.key, ...key])].map((name) => [name, item[name]]))
      : null;
  const [old, fresh] = [entry(before), entry(after)];
  if (JSON.stringify(old) === JSON.stringify(fresh)) return 0;
  return [old, fresh].reduce(
    (sum, e) => sum + (e === null ? 0 : units(itemSizeBytes(e), WRITE_UNIT_BYTES)),
    0,
  );
}
