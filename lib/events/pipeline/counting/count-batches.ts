// A batch whose deliveries have all ended → counters, without its rows: the manifest has the counts that do not depend
// on outcomes, and the outcomes say how the deliveries ended. Pure, and equal to the count of the rows themselves.
import type { BucketCounters } from '../../domain/analytics/analytics.ts';
import {
  type ByConnection,
  connectionKey,
  placeAndVersion,
  sumCounts,
} from '../../domain/analytics/connection-counts.ts';
import { laterWords } from '../../domain/analytics/later-words.ts';
import { sumCounters } from '../../domain/analytics/sum.ts';
import { isFurther, platformOf, worstOf } from '../../domain/connections/target.ts';
import type { BatchOutcomes, Manifest, ManifestRow } from '../../domain/deliveries/batch.ts';
import { deliveryAt } from '../../domain/deliveries/batch-outcomes.ts';
import { countedCode } from '../../domain/deliveries/code.ts';
import { TERMINAL_STATES } from '../../domain/deliveries/delivery.ts';
import { PENDING } from '../../domain/deliveries/progress.ts';
import { ingestTimeMs } from '../../domain/event/ingest-id.ts';
import type { NormalizedRow } from '../../domain/event/row.ts';
import type { Platform } from '../../platforms/platform.ts';
import { NOT_CONNECTED, parseVerdict, verdictsOf } from '../verdicts.ts';
import { countEvents, isReplay } from './count-events.ts';
import { latencyOf } from './count-rows.ts';

type Words = Record<string, Record<string, Record<string, number>>>;

const NOTHING: BucketCounters = sumCounters([]);

/**
 * The counts of rows with targets that do not depend on outcomes. Without platforms that were not connected: the later
 * count knows which platforms there are.
 */
export function settledCounters(rows: readonly NormalizedRow[]): BucketCounters {
  // One routing decided them all, so all have the same places.
  const hasPlaces = rows.some(({ verdicts }) => Object.keys(verdicts).some(isFurther));
  const words = rows.flatMap((row) => settledWords(row, hasPlaces) ?? []);
  const counted = countEvents(rows);
  return words.length === 0 ? counted : sumCounters([counted, ...words]);
}

/** Null if there are none: most rows wait for all of their platforms. */
function settledWords(row: NormalizedRow, hasPlaces: boolean): BucketCounters | null {
  if (isReplay(row) || Object.values(row.verdicts).every((word) => word === PENDING)) return null;
  const deliveries: Words = {};
  const slugs = new Set(Object.keys(row.verdicts).map(platformOf));
  const verdicts = verdictsOf(
    row,
    [...slugs].map((slug) => ({ slug })),
  );
  for (const [slug, { code }] of Object.entries(verdicts))
    if (code !== PENDING) deliveries[slug] = { [row.event.name]: { [code]: 1 } };
  return { ...NOTHING, deliveries, ...(hasPlaces ? { connections: settledPlaces(row) } : {}) };
}

function settledPlaces({ verdicts, routingVersion, event }: NormalizedRow): ByConnection {
  return Object.fromEntries(
    Object.entries(verdicts).flatMap(([place, text]) => {
      const { code } = parseVerdict(text);
      if (code === PENDING) return [];
      return [[connectionKey(place, routingVersion), { deliveries: { [event.name]: { [code]: 1 } } }]];
    }),
  );
}

/**
 * True if every row has ended at each of its platforms. An outcome is written only for a row that names this batch, so
 * all rows of the manifest belong to it.
 */
export function hasEnded({ rows }: Manifest, outcomes: readonly BatchOutcomes[]): boolean {
  const ended = new Map(outcomes.map((item) => [item.platform, endedPositions(item)]));
  return rows.every(({ targets }, position) => targets.every((slug) => ended.get(slug)?.has(position)));
}

function endedPositions({ groups }: BatchOutcomes): ReadonlySet<number> {
  return new Set(
    groups.flatMap(({ positions, delivery }) => (TERMINAL_STATES.has(delivery.state) ? positions : [])),
  );
}

function outcomesAt(
  slug: string,
  outcomes: readonly BatchOutcomes[],
  rows: readonly ManifestRow[],
): Pick<BatchOutcomes, 'groups'> | undefined {
  const own = outcomes.filter(({ platform }) => platformOf(platform) === slug);
  const [first, ...others] = own;
  if (others.length === 0) return first;
  const byPlace = new Map(own.map((item) => [item.platform, item]));
  const groups = rows.flatMap(({ targets }, position) => {
    const places = targets.filter((slot) => platformOf(slot) === slug);
    const delivery = worstOf(places.map((slot) => deliveryAt(byPlace.get(slot), position)));
    return delivery === undefined ? [] : [{ positions: [position], delivery }];
  });
  return { groups };
}

/** The counters of an ended batch for these platforms: equal to the fold of its rows. */
export function countBatch(
  manifest: Manifest,
  outcomes: readonly BatchOutcomes[],
  platforms: readonly Platform[],
): BucketCounters {
  const { rows, counters } = manifest;
  // Replays form batches of their own.
  if (counters.replays !== undefined) return counters;
  const latency = { count: 0, sumMs: 0 };
  const deliveries: Words = {};
  const later: Record<string, Record<string, number>> = {};
  const codes: Record<string, Record<string, number>> = {};
  for (const { slug } of platforms) {
    const decided = counters.deliveries[slug] ?? {};
    const ended = outcomesAt(slug, outcomes, rows);
    const words: Words[string] = Object.create(null);
    if (ended !== undefined) addFates(words, ended, rows, latency);
    const said = ended === undefined ? {} : laterIn(ended);
    if (Object.keys(said).length > 0) later[slug] = said;
    const why = ended === undefined ? {} : codesIn(ended);
    if (Object.keys(why).length > 0) codes[slug] = why;
    addWords(words, decided);
    deliveries[slug] = withNotConnected(words, counters.byName);
  }
  const { connections: _, ...others } = counters;
  return {
    ...others,
    deliveries,
    latency,
    ...(Object.keys(later).length === 0 ? {} : { later }),
    ...(Object.keys(codes).length === 0 ? {} : { codes }),
    ...connectionsOf(manifest, outcomes, platforms),
  };
}

/** Nothing of a batch with several places whose manifest does not tell them apart: an earlier release wrote it. */
function connectionsOf(
  { rows, counters, routingVersion }: Manifest,
  outcomes: readonly BatchOutcomes[],
  platforms: readonly Platform[],
): Pick<BucketCounters, 'versions' | 'connections'> {
  const versions = { [routingVersion]: counters.events };
  const { connections: decided } = counters;
  if (decided === undefined && !rows.some(({ targets }) => targets.some(isFurther))) return { versions };
  if (decided === undefined && Object.keys(counters.deliveries).length > 0) return {};
  const isThere = (place: string): boolean => platforms.some(({ slug }) => slug === platformOf(place));
  const ended = outcomes.map((item): ByConnection => {
    const words: Words[string] = Object.create(null);
    addFates(words, item, rows, { count: 0, sumMs: 0 });
    const later = laterIn(item);
    const counts = { deliveries: words, ...(Object.keys(later).length === 0 ? {} : { later }) };
    return { [connectionKey(item.platform, routingVersion)]: counts };
  });
  const all = Object.entries(sumCounts([decided ?? {}, ...ended]));
  return {
    versions,
    connections: Object.fromEntries(all.filter(([key]) => isThere(placeAndVersion(key)[0]))),
  };
}

function laterIn({ groups }: Pick<BatchOutcomes, 'groups'>): Record<string, number> {
  const words: Record<string, number> = Object.create(null);
  for (const { positions, delivery } of groups)
    for (const [word, count] of laterWords(delivery))
      words[word] = (words[word] ?? 0) + count * positions.length;
  return words;
}

function codesIn({ groups }: Pick<BatchOutcomes, 'groups'>): Record<string, number> {
  const codes: Record<string, number> = Object.create(null);
  for (const { positions, delivery } of groups) {
    const code = countedCode(delivery);
    if (code !== undefined) codes[code] = (codes[code] ?? 0) + positions.length;
  }
  return codes;
}

function addWords(into: Words[string], from: BucketCounters['deliveries'][string]): void {
  for (const [name, counts] of Object.entries(from)) {
    const states = into[name] ?? {};
    into[name] = states;
    for (const [word, count] of Object.entries(counts)) states[word] = (states[word] ?? 0) + count;
  }
}

function addFates(
  words: Words[string],
  { groups }: Pick<BatchOutcomes, 'groups'>,
  rows: readonly ManifestRow[],
  latency: { count: number; sumMs: number },
): void {
  for (const { positions, delivery } of groups)
    for (const position of positions) {
      const row = rows[position];
      if (row === undefined) continue;
      const states = words[row.name] ?? {};
      words[row.name] = states;
      states[delivery.state] = (states[delivery.state] ?? 0) + 1;
      if (delivery.state === 'DELIVERED') {
        latency.count += 1;
        latency.sumMs += latencyOf(delivery, ingestTimeMs(row.ingestId));
      }
    }
}

/** Platforms without a verdict were not connected. */
function withNotConnected(
  known: Readonly<Record<string, Readonly<Record<string, number>>>>,
  byName: BucketCounters['byName'],
): Words[string] {
  const words: Words[string] = Object.create(null);
  for (const [name, events] of Object.entries(byName)) {
    const states = known[name] ?? {};
    const missing = events - Object.values(states).reduce((sum, count) => sum + count, 0);
    words[name] = missing > 0 ? { ...states, [NOT_CONNECTED]: missing } : { ...states };
  }
  return words;
}
