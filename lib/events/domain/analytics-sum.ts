// Slots add up: minutes to hours, hours to days, days to ranges. Order and grouping never matter.
// Keys are what merchants sent: the records have no prototype, so that `constructor` is a name like any other.
import type { SlotCounters } from './analytics.ts';

type Numbers = Record<string, number>;

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
  let replays = 0;
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
    for (const [currency, { orders, minor }] of Object.entries(part.revenue)) {
      const total = child(sum.revenue, currency, { orders: 0, minor: '0' });
      total.orders += orders;
      total.minor = String(BigInt(total.minor) + BigInt(minor));
    }
  }
  return replays === 0 ? sum : { ...sum, replays };
}

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
