// What the deliveries of each connection came to: by its place and the routing version that decided them, which together name it.
// Where one version decided a whole slot, and no platform has a further place, `deliveries` say the same already, and it is
// not stored a second time. Pure; order and grouping never matter.
import { isFurther } from '../connections/target.ts';
import type { BucketCounters } from './analytics.ts';
import type { LaterWords } from './later-words.ts';
import { addNumbers, type Numbers } from './numbers.ts';

export interface ConnectionCounts {
  /** Event name → state or verdict word → events. */
  readonly deliveries: Readonly<Record<string, Readonly<Record<string, number>>>>;
  readonly later?: LaterWords;
}

export type ByConnection = Readonly<Record<string, ConnectionCounts>>;
type Counted = Pick<BucketCounters, 'deliveries' | 'later' | 'versions' | 'connections'>;

export const NOT_CONNECTED = 'not_connected';
/**
 * Counts in one sum, those of the newest versions: of the others it knows platforms only. Otherwise it would outgrow its item. The
 * newest that is left out stays named, without a place, so that parts may be added up in any grouping.
 */
export const CONNECTION_COUNTS_MAX = 10_000;

export const connectionKey = (place: string, version: number | string): string => `${place}@${version}`;

export function placeAndVersion(key: string): readonly [place: string, version: number] {
  const at = key.lastIndexOf('@');
  return [key.slice(0, at), Number(key.slice(at + 1))];
}

/** Every connection's, wherever it is stored. */
export function connectionCounts({ deliveries, later, versions = {}, connections }: Counted): ByConnection {
  if (connections !== undefined) return connections;
  const [only, ...others] = Object.keys(versions);
  if (only === undefined || others.length > 0) return {};
  const counts = Object.entries(deliveries).flatMap(([place, names]) => {
    const own = connected(names);
    const said = later?.[place];
    if (Object.keys(own).length === 0 && said === undefined) return [];
    return [
      [connectionKey(place, only), { deliveries: own, ...(said === undefined ? {} : { later: said }) }],
    ];
  });
  return Object.fromEntries(counts);
}

/**
 * What each place's deliveries came to, of all versions. Where not every event is counted for the connections, the platform's counts
 * stand for its first place.
 */
export function countsByPlace(
  counters: Counted,
): ReadonlyMap<string, readonly ConnectionCounts['deliveries'][]> {
  const { deliveries, connections } = counters;
  if (connections === undefined || !isComplete(counters))
    return new Map(Object.entries(deliveries).map(([place, names]) => [place, [names]]));
  const byPlace = Map.groupBy(Object.entries(connections), ([key]) => placeAndVersion(key)[0]);
  return new Map([...byPlace].map(([place, own]) => [place, own.map(([, counts]) => counts.deliveries)]));
}

/** Without the events that came before it was connected. */
export function connected(names: ConnectionCounts['deliveries']): ConnectionCounts['deliveries'] {
  return Object.fromEntries(
    Object.entries(names).flatMap(([name, { [NOT_CONNECTED]: _, ...words }]) =>
      Object.keys(words).length === 0 ? [] : [[name, words]],
    ),
  );
}

/** True if each event that was decided is counted for the connections as well: false of what earlier releases counted. */
export function isComplete({ deliveries, versions = {} }: Pick<Counted, 'deliveries' | 'versions'>): boolean {
  return sumOf(Object.values(versions)) === decidedIn(deliveries);
}

/** Each platform has one word for each event; one that is new to this release may be missing in earlier counts. */
const decidedIn = (deliveries: Counted['deliveries']): number =>
  Math.max(
    0,
    ...Object.values(deliveries).map((names) => sumOf(Object.values(names).flatMap(Object.values))),
  );

export const sumOf = (counts: readonly number[]): number => counts.reduce((sum, count) => sum + count, 0);

/** `deliveries`: of all parts, those without versions among them. */
export function sumConnections(
  parts: readonly Counted[],
  deliveries: Counted['deliveries'],
): Pick<Counted, 'versions' | 'connections'> {
  const versions = sumNumbers(parts.map((part) => part.versions ?? {}));
  const numbers = Object.keys(versions);
  const isPlain =
    numbers.length === 1 &&
    parts.every(({ connections = {} }) => !Object.keys(connections).some(isFurther)) &&
    isComplete({ deliveries, versions });
  if (isPlain) return { versions };
  const connections = sumCounts(parts.map(connectionCounts));
  if (numbers.length === 0) return Object.keys(connections).length === 0 ? {} : { connections };
  return bounded(versions, connections);
}

function bounded(versions: Numbers, connections: ByConnection): Pick<Counted, 'versions' | 'connections'> {
  const own = Map.groupBy(Object.entries(connections), ([key]) => placeAndVersion(key)[1]);
  const newest = [...new Set([...Object.keys(versions).map(Number), ...own.keys()])].sort((a, b) => b - a);
  let counts = 0;
  const cut = newest.find((version) => {
    const all = own.get(version) ?? [];
    counts += sumOf(all.map(([, one]) => sizeOf(one)));
    return counts > CONNECTION_COUNTS_MAX || all.some(([key]) => key === connectionKey('', version));
  });
  if (cut === undefined) return { versions, connections };
  const kept = newest.filter((version) => version > cut);
  return {
    ...(kept.length === 0
      ? {}
      : { versions: Object.fromEntries(kept.map((version) => [version, versions[version] ?? 0])) }),
    connections: {
      ...Object.fromEntries(kept.flatMap((version) => own.get(version) ?? [])),
      [connectionKey('', cut)]: { deliveries: {} },
    },
  };
}

const sizeOf = ({ deliveries, later = {} }: ConnectionCounts): number =>
  sumOf([...Object.values(deliveries), later].map((words) => Object.keys(words).length));

export function sumCounts(parts: readonly ByConnection[]): ByConnection {
  const byKey = Map.groupBy(parts.flatMap(Object.entries), ([key]) => key);
  return Object.fromEntries([...byKey].map(([key, own]) => [key, sumOfOne(own.map(([, counts]) => counts))]));
}

function sumOfOne(parts: readonly ConnectionCounts[]): ConnectionCounts {
  const names = Map.groupBy(
    parts.flatMap(({ deliveries }) => Object.entries(deliveries)),
    ([name]) => name,
  );
  const later = sumNumbers(parts.map((part) => part.later ?? {}));
  return {
    deliveries: Object.fromEntries(
      [...names].map(([name, own]) => [name, sumNumbers(own.map(([, words]) => words))]),
    ),
    ...(Object.keys(later).length === 0 ? {} : { later }),
  };
}

function sumNumbers(parts: readonly Readonly<Numbers>[]): Numbers {
  const sum: Numbers = Object.create(null);
  for (const part of parts) addNumbers(sum, part);
  return sum;
}
