// Finding records by words, in the order of a list. Guarantees: the index is asked for each word, and the rarest says which
// records are read; an answer that is not capped has all that match. Of words that more records have than are looked up, the list
// itself is read from its beginning: a page from there misses nothing of the newest RECORDS_MAX. No scan: what is read is bounded
// by the limits below. What the index says is compared with the record, so that a stale entry finds nothing; words are written
// before a change is answered, so that all but the commonest find it at once.
import { SEARCH_TOTAL_MAX } from '#lib/helpdesk/domain/account/limits.ts';
import type { SearchType } from '#lib/helpdesk/domain/outbox.ts';
import { likelyRarest, matchesQuery, type QueryToken } from '#lib/helpdesk/domain/search/tokens.ts';
import type { FoundIds, Page, RecordStore, SearchIndex } from '#lib/helpdesk/ports/stores.ts';

export interface Found<R> {
  /** Those of the page. */
  readonly records: readonly R[];
  /** Of all matches; where there may be more, of those that are known. */
  readonly total: number;
  /** There may be more. */
  readonly isCapped: boolean;
}

export interface SearchAsk {
  readonly workspaceId: string;
  readonly type: SearchType;
  readonly query: readonly QueryToken[];
  readonly page: Page;
}

export interface Searched<R> {
  readonly index: Pick<SearchIndex, 'find'>;
  readonly store: Pick<RecordStore<R>, 'readMany'>;
  readonly tokensOf: (record: R) => readonly string[];
  /** Ids of the list in which is searched, in its order. */
  readonly listed: (page: Page) => Promise<readonly string[]>;
  /** The order of the list. */
  readonly inOrder: (a: R, b: R) => number;
  /** That order is the one of ids, the last first. */
  readonly isById: boolean;
  /** As it is shown; null for what is not wanted. Absent: all are wanted. */
  readonly shown?: (record: R) => R | null;
}

/** Words of a query that are looked up; a record that is read is compared with all of them. */
const LOOKED_UP_MAX = 8;
const FEW_IDS = 200;
const MANY_IDS = 2 * SEARCH_TOTAL_MAX;
const MOST_IDS = 10_000;
/** Records read of one search. */
const RECORDS_MAX = SEARCH_TOTAL_MAX;
/** Of the list, before more of the index is read. */
const FIRST_LISTED = 200;
const READ_AT_ONCE = 50;
const LISTED_AT_ONCE = 1_000;

export async function searchRecords<R extends { readonly id: string }>(
  ask: SearchAsk,
  searched: Searched<R>,
): Promise<Found<R>> {
  const words = likelyRarest(ask.query).slice(0, LOOKED_UP_MAX);
  if (words.length === 0) return { records: [], total: 0, isCapped: false };
  const lookUp = (limit: number): Promise<readonly FoundIds[]> =>
    Promise.all(words.map((word) => searched.index.find(ask.workspaceId, ask.type, word, limit)));

  for (const limit of [FEW_IDS, MANY_IDS]) {
    const ids = idsInAll(await lookUp(limit));
    if (ids !== null) return await among(ids, ask, searched);
  }
  const needed = ask.page.offset + ask.page.limit;
  const walk = startWalk(ask, searched);
  await walk.list(FIRST_LISTED, needed);
  if (walk.matches().length >= needed) return pageOf(walk.matches(), ask, SEARCH_TOTAL_MAX);
  if (walk.hasAll()) return { ...pageOf(walk.matches(), ask), isCapped: false };
  const known = await lookUp(MOST_IDS);
  const ids = idsInAll(known);
  if (ids !== null) return await among(ids, ask, searched);
  await walk.list(RECORDS_MAX, needed);
  // The list was not enough of a beginning: what the index gave of the rarest word comes behind.
  const [rarest] = known.toSorted((a, b) => a.ids.length - b.ids.length);
  if (walk.matches().length < needed) await walk.read(rarest?.ids ?? [], needed);
  const matches = walk.matches();
  return pageOf(matches, ask, matches.length < needed ? matches.length : SEARCH_TOTAL_MAX);
}

/** Null where each word may have more than what was found. */
function idsInAll(found: readonly FoundIds[]): readonly string[] | null {
  const whole = found.filter(({ isWhole }) => isWhole).map(({ ids }) => ids);
  const [fewest, ...others] = whole.toSorted((a, b) => a.length - b.length);
  if (fewest === undefined) return null;
  const sets = others.map((ids) => new Set(ids));
  return fewest.filter((id) => sets.every((ids) => ids.has(id)));
}

/** `ids` has every match. */
async function among<R extends { readonly id: string }>(
  ids: readonly string[],
  ask: SearchAsk,
  searched: Searched<R>,
): Promise<Found<R>> {
  const { offset, limit } = ask.page;
  const isCapped = ids.length > RECORDS_MAX;
  const total = Math.min(ids.length, RECORDS_MAX);
  // What the index says of one word is the answer already: only the page itself is read.
  const isAnswer = ask.query.length === 1 && searched.isById && searched.shown === undefined;
  if (isAnswer) {
    const records = await matching(ids.slice(offset, offset + limit), ask, searched);
    return { records, total, isCapped };
  }
  const first = isCapped && !searched.isById ? await firstListed(new Set(ids), searched) : ids;
  const matches = await matching(first.slice(0, RECORDS_MAX), ask, searched);
  return { ...pageOf(matches.toSorted(searched.inOrder), ask), isCapped };
}

/** Those that the list has first, and behind them those that it does not have. */
async function firstListed<R>(ids: ReadonlySet<string>, { listed }: Searched<R>): Promise<readonly string[]> {
  const first = new Set<string>();
  for (let offset = 0; offset < MOST_IDS && first.size < RECORDS_MAX; offset += LISTED_AT_ONCE) {
    const some = await listed({ offset, limit: LISTED_AT_ONCE });
    for (const id of some) if (ids.has(id)) first.add(id);
    if (some.length < LISTED_AT_ONCE) break;
  }
  return [...first, ...[...ids].filter((id) => !first.has(id))];
}

/** Reads records until enough of them match. */
function startWalk<R extends { readonly id: string }>(ask: SearchAsk, searched: Searched<R>) {
  const seen = new Set<string>();
  const found: R[] = [];
  let listedTo = 0;
  let isAtEnd = false;
  const read = async (ids: readonly string[], needed: number): Promise<void> => {
    const unread = ids.filter((id) => !seen.has(id)).slice(0, RECORDS_MAX);
    for (let from = 0; from < unread.length && found.length < needed; from += READ_AT_ONCE) {
      const some = unread.slice(from, from + READ_AT_ONCE);
      for (const id of some) seen.add(id);
      found.push(...(await matching(some, ask, searched)));
    }
  };
  return {
    read,
    /** Records of the list, from where it was read to. */
    async list(to: number, needed: number): Promise<void> {
      const ids = await searched.listed({ offset: listedTo, limit: to - listedTo });
      isAtEnd = ids.length < to - listedTo;
      listedTo = to;
      await read(ids, needed);
    },
    /** The list has no more than what was read, unless enough of it matched before. */
    hasAll: () => isAtEnd,
    matches: (): readonly R[] => found.toSorted(searched.inOrder),
  };
}

function pageOf<R>(
  matches: readonly R[],
  { page: { offset, limit } }: SearchAsk,
  total = matches.length,
): Found<R> {
  return { records: matches.slice(offset, offset + limit), total, isCapped: true };
}

async function matching<R>(
  ids: readonly string[],
  { workspaceId, query }: SearchAsk,
  { store, tokensOf, shown = (record) => record }: Searched<R>,
): Promise<readonly R[]> {
  const stored = await store.readMany(workspaceId, ids);
  return stored
    .filter(({ record }) => matchesQuery(tokensOf(record), query))
    .map(({ record }) => shown(record))
    .filter((record) => record !== null);
}
