// Slots add up: minutes to hours, hours to days, days to ranges. Order and grouping never matter.
// Keys come from merchants: the records have no prototype, so that `constructor` is a name like any other.
import type { PageWait } from '../event/normalized-event.ts';
import {
  type BucketCounters,
  EXAMPLES_MAX,
  type Example,
  PAGE_SEC_MAX,
  type ServerOrders,
} from './analytics.ts';
import { sumConnections } from './connection-counts.ts';
import { addNumbers, type Numbers } from './numbers.ts';

type Money = Record<string, { orders: number; minor: string }>;
type Credits = Record<string, { orders: number; unlinked: number; revenue: Money; refunds?: Money }>;

/** Distinct sources counted by name in one sum. Senders choose them: without a cap they would outgrow their item. */
export const SOURCES_MAX = 100;
/** Counts all sources that are not named, and a source of this name. */
export const OTHER_SOURCES = 'other';
/** Distinct codes counted in one sum, of each platform: senders and vendors choose them. What is beyond them is left out. */
export const CODES_MAX = 32;
/** The default source is the channel: these two always stay named. */
const OWN_SOURCES: ReadonlySet<string> = new Set(['server', 'browser']);

export function emptySum() {
  return {
    events: 0,
    bots: 0,
    merged: 0,
    replays: 0,
    tests: 0,
    repeatedOrders: 0,
    serverOrders: { orders: 0, clicked: 0, gained: 0, joined: 0 },
    pageWaits: { orders: 0, sumMs: 0, completed: empty<number>() },
    latency: { count: 0, sumMs: 0 },
    bySource: empty<number>(),
    byName: empty<number>(),
    deliveries: empty<Record<string, Numbers>>(),
    later: empty<Numbers>(),
    codes: empty<Numbers>(),
    revenue: empty<Money[string]>(),
    refunds: empty<Money[string]>(),
    issues: empty<number>(),
    completeness: empty<number>(),
    credits: empty<Credits[string]>(),
    moves: empty<Credits[string]>(),
    examples: empty<Example[]>(),
  };
}
/** Counters that are being added up. */
export type Sum = ReturnType<typeof emptySum>;

/** Parts without counts are left out: counters from before they were introduced lack them as well. */
export function summed({
  replays,
  tests,
  repeatedOrders,
  serverOrders,
  pageWaits,
  refunds,
  credits,
  moves,
  examples,
  later,
  codes,
  ...sum
}: Sum): BucketCounters {
  return {
    ...sum,
    bySource: boundedSources(sum.bySource),
    ...(isEmpty(later) ? {} : { later }),
    ...(isEmpty(codes) ? {} : { codes: boundedCodes(codes) }),
    ...(isEmpty(refunds) ? {} : { refunds }),
    ...(isEmpty(credits) ? {} : { credits }),
    ...(isEmpty(moves) ? {} : { moves }),
    ...(isEmpty(examples) ? {} : { examples }),
    ...(replays === 0 ? {} : { replays }),
    ...(tests === 0 ? {} : { tests }),
    ...(repeatedOrders === 0 ? {} : { repeatedOrders }),
    ...(serverOrders.orders === 0 ? {} : { serverOrders: withoutNone(serverOrders) }),
    ...(pageWaits.orders === 0 ? {} : { pageWaits }),
  };
}

const withoutNone = ({ joined, ...others }: Sum['serverOrders']): ServerOrders =>
  joined === 0 ? others : { ...others, joined };

export function sumCounters(parts: Iterable<BucketCounters>): BucketCounters {
  const sum = emptySum();
  const decided: BucketCounters[] = [];
  for (const part of parts) {
    if (part.versions !== undefined || part.connections !== undefined) decided.push(part);
    sum.events += part.events;
    sum.bots += part.bots;
    sum.merged += part.merged;
    sum.replays += part.replays ?? 0;
    sum.tests += part.tests ?? 0;
    sum.repeatedOrders += part.repeatedOrders ?? 0;
    addServerOrders(sum.serverOrders, part.serverOrders);
    if (part.pageWaits !== undefined) {
      sum.pageWaits.orders += part.pageWaits.orders;
      sum.pageWaits.sumMs += part.pageWaits.sumMs;
      addNumbers(sum.pageWaits.completed, part.pageWaits.completed);
    }
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
    for (const [slug, words] of Object.entries(part.later ?? {}))
      addNumbers(child(sum.later, slug, empty<number>()), words);
    for (const [slug, counts] of Object.entries(part.codes ?? {}))
      addNumbers(child(sum.codes, slug, empty<number>()), counts);
    addMoney(sum.revenue, part.revenue);
    addMoney(sum.refunds, part.refunds ?? {});
    addCredits(sum.credits, part.credits ?? {});
    addCredits(sum.moves, part.moves ?? {});
    for (const [of, examples] of Object.entries(part.examples ?? {}))
      for (const example of examples) addExample(sum.examples, of, example);
  }
  return { ...summed(sum), ...sumConnections(decided, sum.deliveries) };
}

/** Every row that was counted, in whatever figure. */
export const rowsIn = ({ events, bots, merged, replays = 0, tests = 0 }: BucketCounters): number =>
  events + bots + merged + replays + tests;

export function addServerOrders(into: Sum['serverOrders'], from: BucketCounters['serverOrders']): void {
  if (from === undefined) return;
  into.orders += from.orders;
  into.clicked += from.clicked;
  into.gained += from.gained;
  into.joined += from.joined ?? 0;
}

export function addPageWait(into: Sum['pageWaits'], { endMs, pageMs }: PageWait): void {
  into.orders += 1;
  into.sumMs += endMs;
  if (pageMs !== undefined)
    increase(into.completed, String(Math.min(PAGE_SEC_MAX, Math.ceil(pageMs / 1_000))));
}

export function increase(into: Numbers, key: string): void {
  into[key] = (into[key] ?? 0) + 1;
}

export function addMoney(into: Money, from: BucketCounters['revenue']): void {
  for (const [currency, { orders, minor }] of Object.entries(from)) {
    const total = child(into, currency, { orders: 0, minor: '0' });
    total.orders += orders;
    total.minor = sumOf(total.minor, minor);
  }
}

/** Digits that a float stores exactly, with one to spare. */
const PLAIN_DIGITS = 15;

/** For whole numbers of any length. */
const sumOf = (a: string, b: string): string =>
  String(
    a.length <= PLAIN_DIGITS && b.length <= PLAIN_DIGITS ? Number(a) + Number(b) : BigInt(a) + BigInt(b),
  );

export function addCredits(into: Credits, from: NonNullable<BucketCounters['credits']>): void {
  for (const [touch, { orders, unlinked, revenue, refunds }] of Object.entries(from)) {
    const total = child<Credits[string]>(into, touch, { orders: 0, unlinked: 0, revenue: empty() });
    total.orders += orders;
    total.unlinked += unlinked;
    addMoney(total.revenue, revenue);
    if (refunds === undefined) continue;
    total.refunds ??= empty();
    addMoney(total.refunds, refunds);
  }
}

/** The examples that a slot keeps do not depend on grouping: the newest by time, then by id. */
export function addExample(into: Record<string, Example[]>, of: string, example: Example): void {
  const kept = child<Example[]>(into, of, []);
  const at = kept.findIndex((known) => !isOlder(example, known));
  if (at < 0) {
    if (kept.length < EXAMPLES_MAX) kept.push(example);
    return;
  }
  const next = kept[at];
  if (next !== undefined && next[0] === example[0] && next[1] === example[1]) return;
  kept.splice(at, 0, example);
  if (kept.length > EXAMPLES_MAX) kept.pop();
}

const isOlder = ([a, idA]: Example, [b, idB]: Example): boolean => a < b || (a === b && idA < idB);

function child<T>(record: Record<string, T>, key: string, first: T): T {
  const found = record[key];
  if (found !== undefined) return found;
  record[key] = first;
  return first;
}

/**
 * Keeps the first names in a fixed order, and sums the rest as one. A name among the first of the whole is among the
 * first of every part that has it, so none of its counts was merged into the rest: parts may be bounded in any order
 * and grouping.
 */
export function boundedSources(bySource: BucketCounters['bySource']): Numbers {
  const names = Object.keys(bySource).filter((name) => name !== OTHER_SOURCES);
  if (names.length <= SOURCES_MAX) return bySource;
  const bounded = empty<number>();
  let other = bySource[OTHER_SOURCES] ?? 0;
  for (const [rank, name] of names.sort(bySourceRank).entries()) {
    const count = bySource[name] ?? 0;
    if (rank < SOURCES_MAX) bounded[name] = count;
    else other += count;
  }
  bounded[OTHER_SOURCES] = other;
  return bounded;
}

/** The shortest, in a fixed order, for the reason above. */
function boundedCodes(codes: Readonly<Record<string, Numbers>>): Record<string, Numbers> {
  const bounded = empty<Numbers>();
  for (const [slug, counts] of Object.entries(codes)) {
    const kept = Object.entries(counts).sort(([a], [b]) => a.length - b.length || (a < b ? -1 : 1));
    bounded[slug] = Object.assign(empty<number>(), Object.fromEntries(kept.slice(0, CODES_MAX)));
  }
  return bounded;
}

/** The two channels first, then short names, which people choose, before long ones, which programs generate. */
function bySourceRank(a: string, b: string): number {
  const own = Number(OWN_SOURCES.has(b)) - Number(OWN_SOURCES.has(a));
  if (own !== 0) return own;
  return a.length - b.length || (a < b ? -1 : 1);
}

const isEmpty = (record: Readonly<Record<string, unknown>>): boolean => Object.keys(record).length === 0;

const empty = <T>(): Record<string, T> => Object.create(null) as Record<string, T>;
