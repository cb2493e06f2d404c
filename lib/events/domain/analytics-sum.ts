// Slots add up: minutes to hours, hours to days, days to ranges. Order and grouping never matter.
// Keys are what merchants sent: the records have no prototype, so that `constructor` is a name like any other.
import { EXAMPLES_MAX, type Example, type SlotCounters } from './analytics.ts';

type Numbers = Record<string, number>;
type Money = { orders: number; minor: string };
type Credit = { orders: number; unlinked: number; revenue: Record<string, Money> };

export function sumCounters(parts: Iterable<SlotCounters>): SlotCounters {
  const sum = {
    events: 0,
    bots: 0,
    merged: 0,
    bySource: empty<number>(),
    byName: empty<number>(),
    deliveries: empty<Record<string, Numbers>>(),
    latency: { count: 0, sumMs: 0 },
    revenue: empty<{ orders: number; minor: string }>(),
    issues: empty<number>(),
    completeness: empty<number>(),
  };
  const more = {
    credits: empty<Credit>(),
    examples: empty<readonly Example[]>(),
  };
  let replays = 0;
  let repeatedOrders = 0;
  for (const part of parts) {
    replays += part.replays ?? 0;
    sum.events += part.events;
    sum.bots += part.bots;
    sum.merged += part.merged;
    sum.latency.count += part.latency.count;
    sum.latency.sumMs += part.latency.sumMs;
    addNumbers(sum.bySource, part.bySource);
    addNumbers(sum.byName, part.byName);
    addNumbers(sum.issues, part.issues);
    addNumbers(sum.completeness, part.completeness);
    for (const [slug, names] of Object.entries(part.deliveries)) {
      const platform = child(sum.deliveries, slug, empty<Numbers>());
      for (const [name, words] of Object.entries(names))
        addNumbers(child(platform, name, empty<number>()), words);
    }
    addMoney(sum.revenue, part.revenue);
    repeatedOrders += part.repeatedOrders ?? 0;
    addCredits(more.credits, part.credits ?? {});
    for (const [of, examples] of Object.entries(part.examples ?? {}))
      more.examples[of] = newest(more.examples[of], examples);
  }
  // Parts that say nothing are left out: what was counted before they were known lacks them as well.
  const said = Object.entries(more).filter(([, record]) => Object.keys(record).length > 0);
  return {
    ...sum,
    ...Object.fromEntries(said),
    ...(replays === 0 ? {} : { replays }),
    ...(repeatedOrders === 0 ? {} : { repeatedOrders }),
  };
}

function addMoney(into: Record<string, Money>, from: SlotCounters['revenue']): void {
  for (const [currency, { orders, minor }] of Object.entries(from)) {
    const total = child(into, currency, { orders: 0, minor: '0' });
    total.orders += orders;
    total.minor = sumOf(total.minor, minor);
  }
}

/** As many digits as a float holds, with one to spare. */
const PLAIN_DIGITS = 15;

/** Of whole numbers, however long. */
const sumOf = (a: string, b: string): string =>
  String(
    a.length <= PLAIN_DIGITS && b.length <= PLAIN_DIGITS ? Number(a) + Number(b) : BigInt(a) + BigInt(b),
  );

function addCredits(into: Record<string, Credit>, from: NonNullable<SlotCounters['credits']>): void {
  for (const [touch, { orders, unlinked, revenue }] of Object.entries(from)) {
    const total = child<Credit>(into, touch, { orders: 0, unlinked: 0, revenue: empty() });
    total.orders += orders;
    total.unlinked += unlinked;
    addMoney(total.revenue, revenue);
  }
}

/** Those that a slot keeps of them. */
export const newestExamples = (examples: readonly Example[]): readonly Example[] => newest([], examples);

/** The same few of any grouping: by time, then by id. */
function newest(some: readonly Example[] = [], others: readonly Example[]): readonly Example[] {
  const oldest = some[EXAMPLES_MAX - 1];
  if (oldest !== undefined && others.every((other) => isOlder(other, oldest))) return some;
  const all = [...some];
  for (const other of others) {
    const at = all.findIndex((known) => !isOlder(other, known));
    const next = all[at];
    if (next !== undefined && next[0] === other[0] && next[1] === other[1]) continue;
    all.splice(at < 0 ? all.length : at, 0, other);
  }
  return all.length > EXAMPLES_MAX ? all.slice(0, EXAMPLES_MAX) : all;
}

const isOlder = ([a, idA]: Example, [b, idB]: Example): boolean => a < b || (a === b && idA < idB);

function addNumbers(into: Numbers, from: Readonly<Numbers>): void {
  for (const key of Object.keys(from)) into[key] = (into[key] ?? 0) + (from[key] ?? 0);
}

function child<T>(record: Record<string, T>, key: string, first: T): T {
  const found = record[key];
  if (found !== undefined) return found;
  record[key] = first;
  return first;
}

const empty = <T>(): Record<string, T> => Object.create(null) as Record<string, T>;
