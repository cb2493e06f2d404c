// What many rows count for together, but for their deliveries: rows that differ in little else than their money are counted at
// once. Pure, and equal to the sum of what each of them counts for.
import { EXAMPLE_ID_MAX_CHARS, type Example, type SlotCounters } from '../../domain/analytics.ts';
import { newestExamples, sumCounters } from '../../domain/analytics-sum.ts';
import { toMinorUnits } from '../../domain/decimal.ts';
import type { NormalizedRow } from '../../domain/event-row.ts';
import { countEvent } from './count-rows.ts';

export function countEvents(rows: readonly NormalizedRow[]): SlotCounters {
  const groups = [...Map.groupBy(rows, likeness).values()].map(countAlike);
  const [first, ...others] = groups;
  return first !== undefined && others.length === 0 ? first : sumCounters(groups);
}

/** The same for rows that count for the same, but for the amount and the time: texts of senders cannot run into each other. */
function likeness({ event, key }: NormalizedRow): string {
  const { name, source, currency = '', value, known, issues, credit, bot, replay } = event;
  const texts = `${name.length}/${source.length}/${currency.length}/${name}${source}${currency}`;
  const flags = `${bot}/${replay}/${value === undefined}/${key.eventId.length > EXAMPLE_ID_MAX_CHARS}`;
  const of = credit === undefined ? '' : `${credit.touch}/${credit.unlinked}/${credit.repeat}`;
  return `${flags}/${known.join()}/${of}/${issues.length === 0 ? '' : JSON.stringify(issues)}/${texts}`;
}

function countAlike(rows: readonly NormalizedRow[]): SlotCounters {
  const [first] = rows as [NormalizedRow, ...NormalizedRow[]];
  const one = countEvent(first);
  const times = rows.length;
  if (times === 1) return one;
  const revenue = revenueOf(one, rows);
  const { replays, repeatedOrders, credits, examples } = one;
  return {
    ...one,
    events: one.events * times,
    bots: one.bots * times,
    bySource: multiplied(one.bySource, times),
    byName: multiplied(one.byName, times),
    issues: multiplied(one.issues, times),
    completeness: multiplied(one.completeness, times),
    revenue,
    ...(replays === undefined ? {} : { replays: replays * times }),
    ...(repeatedOrders === undefined ? {} : { repeatedOrders: repeatedOrders * times }),
    ...(credits === undefined ? {} : { credits: creditsOf(credits, revenue, times) }),
    ...(examples === undefined ? {} : { examples: examplesOf(examples, rows) }),
  };
}

function multiplied(counts: Readonly<Record<string, number>>, times: number): Record<string, number> {
  const many: Record<string, number> = Object.create(null);
  for (const name of Object.keys(counts)) many[name] = (counts[name] ?? 0) * times;
  return many;
}

/** Each has an amount of its own, in the currency of all. */
function revenueOf({ revenue }: SlotCounters, rows: readonly NormalizedRow[]): SlotCounters['revenue'] {
  const [currency] = Object.keys(revenue);
  if (currency === undefined) return revenue;
  const minor = rows.reduce((sum, { event }) => sum + toMinorUnits(event.value ?? '0', currency), 0n);
  return { [currency]: { orders: rows.length, minor: String(minor) } };
}

function creditsOf(
  credits: NonNullable<SlotCounters['credits']>,
  revenue: SlotCounters['revenue'],
  times: number,
): NonNullable<SlotCounters['credits']> {
  const many: Record<string, NonNullable<SlotCounters['credits']>[string]> = Object.create(null);
  for (const [touch, { orders, unlinked }] of Object.entries(credits))
    many[touch] = { orders: orders * times, unlinked: unlinked * times, revenue };
  return many;
}

function examplesOf(
  examples: NonNullable<SlotCounters['examples']>,
  rows: readonly NormalizedRow[],
): NonNullable<SlotCounters['examples']> {
  const newest = newestExamples(rows.map(({ receivedAtMs, key }): Example => [receivedAtMs, key.eventId]));
  const many: Record<string, readonly Example[]> = Object.create(null);
  for (const of of Object.keys(examples)) many[of] = newest;
  return many;
}
