// Lists of articles, by words or all of them. Guarantees: no scan; an article that moved to another status a moment ago is not
// shown under the one before; an answer stays within what a function may answer.
import { inParallel } from '#lib/adapters/concurrency/in-parallel.ts';
import { SEARCH_TOTAL_MAX } from '#lib/helpdesk/domain/account/limits.ts';
import { ARTICLE_STATUSES, type Article, type ArticleStatus } from '#lib/helpdesk/domain/articles/article.ts';
import { type ArticleView, articleView } from '#lib/helpdesk/domain/articles/change.ts';
import { statusToken } from '#lib/helpdesk/domain/articles/tokens.ts';
import { wholeCharacters } from '#lib/helpdesk/domain/runs/sources.ts';
import { likelyRarest, type QueryToken, queryOf } from '#lib/helpdesk/domain/search/tokens.ts';
import { TOTAL_MAX } from '#lib/helpdesk/ports/stores.ts';
import type { HelpdeskApiPorts } from './ports.ts';

/** Content of a list's articles that is shown whole; what comes after it is cut. */
const CONTENTS_MAX_BYTES = 4_000_000;
const CUT_CONTENT_CHARS = 1_000;
const LOOKUPS_AT_ONCE = 8;
/** Articles of one word that are compared with those of the others. */
const WORD_ARTICLES_MAX = 10_000;

export interface ArticleQuery {
  readonly search?: string | undefined;
  readonly status?: ArticleStatus | undefined;
  readonly limit: number;
  readonly offset: number;
}

export interface FoundArticles {
  readonly articles: readonly (ArticleView & { readonly content_truncated?: true })[];
  readonly total: number;
  /** There may be more than `total`. */
  readonly isCapped: boolean;
}

export async function findArticlesOf(
  workspaceId: string,
  query: ArticleQuery,
  ports: Pick<HelpdeskApiPorts, 'stores'>,
): Promise<FoundArticles> {
  const { stores } = ports;
  const { search, status } = query;
  const { ids, total, isCapped } =
    search === undefined
      ? await listed(workspaceId, query, ports)
      : await searched(workspaceId, queryOf(search), query, ports);
  const rows = await stores.articles.readMany(workspaceId, ids);
  const articles = rows
    .map(({ record }) => record)
    .filter((article) => status === undefined || article.status === status);
  return { articles: shownWithin(articles), total, isCapped };
}

interface FoundIds {
  readonly ids: readonly string[];
  readonly total: number;
  readonly isCapped: boolean;
}

async function listed(
  workspaceId: string,
  { status, limit, offset }: ArticleQuery,
  { stores }: Pick<HelpdeskApiPorts, 'stores'>,
): Promise<FoundIds> {
  const statuses = status === undefined ? ARTICLE_STATUSES : [status];
  const { ids, total } = await stores.lists.articles(workspaceId, statuses, { limit, offset });
  return { ids, total, isCapped: total >= TOTAL_MAX };
}

/** By the index alone: articles are too large to be read only to be left out. */
async function searched(
  workspaceId: string,
  words: readonly QueryToken[],
  { status, limit, offset }: ArticleQuery,
  { stores }: Pick<HelpdeskApiPorts, 'stores'>,
): Promise<FoundIds> {
  if (words.length === 0) return { ids: [], total: 0, isCapped: false };
  const wanted = status === undefined ? [] : [{ text: statusToken(status), isPrefix: false }];
  const found = await inParallel(likelyRarest([...words, ...wanted]), LOOKUPS_AT_ONCE, async (token) => {
    const some = await stores.search.find(workspaceId, 'article', token, SEARCH_TOTAL_MAX);
    if (some.isWhole) return some;
    return await stores.search.find(workspaceId, 'article', token, WORD_ARTICLES_MAX);
  });
  const [first = [], ...others] = found.map(({ ids }) => ids);
  const sets = others.map((ids) => new Set(ids));
  const matching = first.filter((id) => sets.every((ids) => ids.has(id)));
  const total = Math.min(matching.length, SEARCH_TOTAL_MAX);
  const isCapped = matching.length > total || found.some(({ isWhole }) => !isWhole);
  return { ids: matching.slice(0, total).slice(offset, offset + limit), total, isCapped };
}

function shownWithin(articles: readonly Article[]): FoundArticles['articles'] {
  let bytes = 0;
  return articles.map((article) => {
    const view = articleView(article);
    bytes += Buffer.byteLength(article.content);
    if (bytes <= CONTENTS_MAX_BYTES || article.content.length <= CUT_CONTENT_CHARS) return view;
    const content = wholeCharacters(article.content.slice(0, CUT_CONTENT_CHARS));
    return { ...view, content, content_truncated: true };
  });
}
