// Whether two counts of the same slot are equal, and which figures differ.
import type { BucketCounters } from './analytics.ts';
import { isComplete, NOT_CONNECTED, sumOf } from './connection-counts.ts';

export interface FigureDifference {
  /** Dotted, e.g. `revenue.EUR.minor`. */
  readonly figure: string;
  readonly left: string;
  readonly right: string;
}

/**
 * True if they are equal, with any order of their keys. An undefined member counts as absent: a stored row lacks it.
 */
export function sameCounters(left: BucketCounters, right: BucketCounters): boolean {
  return isSame(left, right);
}

function isSame(left: unknown, right: unknown): boolean {
  if (left === right) return true;
  if (typeof left !== 'object' || typeof right !== 'object' || left === null || right === null) return false;
  const others = right as Readonly<Record<string, unknown>>;
  let members = 0;
  for (const [key, member] of Object.entries(left)) {
    if (member === undefined) continue;
    if (!(Object.hasOwn(others, key) && isSame(member, others[key]))) return false;
    members += 1;
  }
  for (const member of Object.values(right)) if (member !== undefined) members -= 1;
  return members === 0;
}

/** A missing figure counts as 0. In the order of the figures' names. */
export function countersDifference(left: BucketCounters, right: BucketCounters): readonly FigureDifference[] {
  const [a, b] = comparable(left, right).map(figuresOf) as [Figures, Figures];
  return [...new Set([...a.keys(), ...b.keys()])]
    .sort()
    .map((figure) => ({ figure, left: a.get(figure) ?? '0', right: b.get(figure) ?? '0' }))
    .filter((difference) => difference.left !== difference.right);
}

/**
 * What two releases count alike. One that does not know a platform counts nothing for it, where another counts `not_connected`; earlier
 * ones counted no connections, which are compared if both have all of them.
 */
export function comparable(left: BucketCounters, right: BucketCounters): readonly BucketCounters[] {
  const slugs = new Set([left, right].flatMap(({ deliveries }) => Object.keys(deliveries)));
  const both = [left, right].map((counters) => ({
    ...counters,
    deliveries: withEveryPlatform(counters.deliveries, slugs),
  }));
  if (isComplete(left) && isComplete(right)) return both;
  return both.map(({ versions: _v, connections: _c, ...counters }) => counters);
}

/** Every event has one word at every platform: of those it has none at, the platform was not connected. */
function withEveryPlatform(
  deliveries: BucketCounters['deliveries'],
  slugs: ReadonlySet<string>,
): BucketCounters['deliveries'] {
  const decided = new Map<string, number>();
  for (const names of Object.values(deliveries))
    for (const [name, words] of Object.entries(names))
      decided.set(name, Math.max(decided.get(name) ?? 0, sumOf(Object.values(words))));
  const bySlug = new Map(Object.entries(deliveries));
  const wordsAt = (slug: string): BucketCounters['deliveries'][string] => {
    const own = new Map(Object.entries(bySlug.get(slug) ?? {}));
    return Object.fromEntries(
      [...decided].map(([name, events]) => {
        const words = own.get(name) ?? {};
        const missing = events - sumOf(Object.values(words));
        return [
          name,
          missing === 0 ? words : { ...words, [NOT_CONNECTED]: (words[NOT_CONNECTED] ?? 0) + missing },
        ];
      }),
    );
  };
  return Object.fromEntries([...slugs].map((slug) => [slug, wordsAt(slug)]));
}

type Figures = ReadonlyMap<string, string>;

/** Every number by its dotted name. */
export function figuresOf(counters: BucketCounters): Figures {
  const figures = new Map<string, string>();
  const visit = (path: string, value: unknown): void => {
    if (typeof value !== 'object' || value === null) figures.set(path, String(value));
    else
      for (const [key, member] of Object.entries(value)) visit(path === '' ? key : `${path}.${key}`, member);
  };
  visit('', counters);
  return figures;
}
