// The articles a draft may be made from. Guarantees: published ones of the workspace only, as their rows say and not the index;
// a bounded number of reads, however much was written.
import { inParallel } from '#lib/adapters/concurrency/in-parallel.ts';
import type { Article } from '#lib/helpdesk/domain/articles/article.ts';
import type { Citation } from '#lib/helpdesk/domain/runs/run.ts';
import {
  COMMON_WORD_ARTICLES,
  rankArticles,
  SOURCES_MAX,
  wordsToLookUp,
} from '#lib/helpdesk/domain/runs/sources.ts';
import type { Conversation } from './conversation.ts';
import type { RunPorts } from './ports.ts';

const LOOKUPS_AT_ONCE = 8;
const MESSAGES_MAX = 5;
/** Rows read at a time, and in all: drafts and archived articles may be among the best. */
const READ_AT_ONCE = 8;
const READ_MAX = 40;

export interface Sources {
  readonly words: readonly string[];
  readonly articles: readonly Article[];
  /** The same ones, as they would be cited. */
  readonly citations: readonly Citation[];
}

export async function findSources(
  workspaceId: string,
  { ticket, messages }: Conversation,
  { stores }: RunPorts,
): Promise<Sources> {
  const written = messages.filter(({ author, isInternal }) => author.type === 'customer' && !isInternal);
  const texts = [ticket.subject, ...written.slice(-MESSAGES_MAX).map(({ body }) => body)];
  const words = wordsToLookUp(texts);
  const found = await inParallel(
    words,
    LOOKUPS_AT_ONCE,
    async (text): Promise<[string, readonly string[]]> => {
      const token = { text, isPrefix: false };
      const { ids, isWhole } = await stores.search.find(workspaceId, 'article', token, COMMON_WORD_ARTICLES);
      return [text, isWhole ? ids : []];
    },
  );
  const ranked = rankArticles(new Map(found)).slice(0, READ_MAX);
  const articles: Article[] = [];
  for (let from = 0; from < ranked.length && articles.length < SOURCES_MAX; from += READ_AT_ONCE) {
    const ids = ranked.slice(from, from + READ_AT_ONCE).map(({ articleId }) => articleId);
    const rows = await stores.articles.readMany(workspaceId, ids);
    articles.push(...rows.map(({ record }) => record).filter(({ status }) => status === 'published'));
  }
  const best = articles.slice(0, SOURCES_MAX);
  const scores = new Map(ranked.map(({ articleId, score }) => [articleId, score]));
  const citations = best.map(({ id, title }) => ({ articleId: id, title, score: scores.get(id) ?? 0 }));
  return { words, articles: best, citations };
}
