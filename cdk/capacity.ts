// How much the tables can take, as settings: on demand, or provisioned with auto scaling, and what is kept warm.
// Guarantees: whatever is named exists (`checkNames`), and a provisioned table has figures for each of its indexes, because an
// index without room throttles the writes of its table.
import { type Context, entriesOf, isObject, oneOf } from './context.ts';
import type { OtherSettingName } from './setting-list.ts';

/** Units a second between which auto scaling moves, and the percentage of them that is to be in use. */
export interface ScaledUnits {
  readonly min: number;
  readonly max: number;
  readonly target: number;
}

export interface Scaled {
  readonly read: ScaledUnits;
  readonly write: ScaledUnits;
}

/** Units a second that are there at once. */
export interface Warm {
  readonly read?: number;
  readonly write?: number;
}

/** By name: `events` is a table, `events/by_time` one of its indexes. */
export interface Capacity {
  /** Empty: every table is on demand. */
  readonly provisioned: ReadonlyMap<string, Scaled>;
  readonly warm: ReadonlyMap<string, Warm>;
}

const TARGET = { min: 20, max: 90, fallback: 70 };
const UNITS_MAX = Number.MAX_SAFE_INTEGER;
/** What DynamoDB gives a new table on demand; it refuses to warm one to less than it has. */
const ON_DEMAND = { read: 12_000, write: 4_000 };
const DIMENSIONS = ['read', 'write'] as const;

type Dimension = (typeof DIMENSIONS)[number];

export function readCapacity(context: Context): Capacity {
  const mode = oneOf(context, 'capacityMode', ['on-demand', 'provisioned']);
  const figures = new Map(
    entriesOf(context, 'provisionedCapacity').map(([name, value]) => [name, scaledOf(name, value)]),
  );
  // Figures may wait for their day, or for the day they are wanted back, but only where the mode says so.
  if (mode === undefined && figures.size > 0)
    throw new Error(
      'Setting provisionedCapacity needs capacityMode=provisioned (or on-demand, to keep it for later).',
    );
  if (mode === 'provisioned' && figures.size === 0)
    throw new Error('Setting capacityMode=provisioned needs provisionedCapacity for at least one table.');
  const provisioned = mode === 'provisioned' ? figures : new Map<string, Scaled>();
  const warm = entriesOf(context, 'warmThroughput').map(
    ([name, value]) => [name, warmOf(name, value, provisioned.get(name))] as const,
  );
  return { provisioned, warm: new Map(warm) };
}

/** `tables`: name of each table of the app → names of its indexes. */
export function checkNames(capacity: Capacity, tables: ReadonlyMap<string, readonly string[]>): void {
  const { provisioned, warm } = capacity;
  const known = [...tables].flatMap(([table, indexes]) => [
    table,
    ...indexes.map((index) => indexName(table, index)),
  ]);
  const settings = { provisionedCapacity: provisioned, warmThroughput: warm };
  for (const [setting, named] of Object.entries(settings)) {
    const stranger = [...named.keys()].find((name) => !known.includes(name));
    if (stranger !== undefined)
      throw new Error(`Setting ${setting} names ${stranger}; there is ${known.join(', ')}.`);
  }
  for (const [table, indexes] of tables) {
    const all = [table, ...indexes.map((index) => indexName(table, index))];
    const missing = all.filter((name) => !provisioned.has(name));
    if (missing.length > 0 && missing.length < all.length)
      throw new Error(
        `Setting provisionedCapacity must name ${table} with all its indexes or not at all; ${missing.join(', ')} is missing.`,
      );
  }
}

export const indexName = (table: string, index: string): string => `${table}/${index}`;

function scaledOf(name: string, value: unknown): Scaled {
  const fields = fieldsOf('provisionedCapacity', name, value, DIMENSIONS);
  const units = (dimension: Dimension): ScaledUnits => {
    const path = `${name} ${dimension}`;
    const range = fieldsOf('provisionedCapacity', path, fields[dimension], ['min', 'max', 'target']);
    const whole = (field: string, bounds: Bounds, given = range[field]) =>
      wholeIn('provisionedCapacity', `${path} ${field}`, given, bounds);
    const min = whole('min', { min: 1, max: UNITS_MAX });
    return {
      min,
      max: whole('max', { min, max: UNITS_MAX }),
      target: whole('target', TARGET, range.target ?? TARGET.fallback),
    };
  };
  return { read: units('read'), write: units('write') };
}

function warmOf(name: string, value: unknown, scaled: Scaled | undefined): Warm {
  const fields = fieldsOf('warmThroughput', name, value, DIMENSIONS);
  const given = DIMENSIONS.filter((dimension) => fields[dimension] !== undefined);
  if (given.length === 0) throw new Error(`Setting warmThroughput ${name} must say read, write or both.`);
  return Object.fromEntries(
    given.map((dimension) => {
      // A provisioned table is as warm as it has ever been provisioned: it starts at its maximum.
      const min = scaled === undefined ? ON_DEMAND[dimension] : scaled[dimension].max;
      const bounds = { min, max: UNITS_MAX };
      return [dimension, wholeIn('warmThroughput', `${name} ${dimension}`, fields[dimension], bounds)];
    }),
  );
}

function fieldsOf(
  setting: OtherSettingName,
  path: string,
  value: unknown,
  allowed: readonly string[],
): Readonly<Record<string, unknown>> {
  if (!isObject(value))
    throw new Error(`Setting ${setting} ${path} must be an object of ${allowed.join(', ')}.`);
  const stranger = Object.keys(value).find((field) => !allowed.includes(field));
  if (stranger !== undefined)
    throw new Error(`Setting ${setting} ${path} has ${stranger}; it takes ${allowed.join(', ')}.`);
  return value;
}

interface Bounds {
  readonly min: number;
  readonly max: number;
}

function wholeIn(setting: OtherSettingName, path: string, value: unknown, { min, max }: Bounds): number {
  if (typeof value === 'number' && Number.isInteger(value) && value >= min && value <= max) return value;
  const to = max === UNITS_MAX ? 'on' : `to ${max}`;
  throw new Error(`Setting ${setting} ${path} must be a whole number from ${min} ${to}.`);
}
