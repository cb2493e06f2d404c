// What articles are found under: their status, all words of title, tags and excerpt, and the most frequent ones of the content.
// Guarantees: pure. Refuses nothing; a rare word of a long content is not found.

import { tokensOf } from '../search/tokens.ts';
import type { Article, ArticleStatus } from './article.ts';

export const CONTENT_TOKENS_MAX = 150;

/** No word of a text or a query has a colon. */
export const statusToken = (status: ArticleStatus): string => `status:${status}`;

export function articleTokens(
  article: Pick<Article, 'title' | 'tags' | 'excerpt' | 'content' | 'status'>,
): readonly string[] {
  const named = tokensOf([article.title, ...article.tags, article.excerpt]);
  return [
    ...new Set([
      statusToken(article.status),
      ...named,
      ...frequentTokens(article.content, CONTENT_TOKENS_MAX),
    ]),
  ];
}

/** Of those that are equally frequent the first ones. */
export function frequentTokens(text: string, max: number): readonly string[] {
  const counts = new Map<string, number>();
  const known = new Map<string, readonly string[]>();
  for (const [word] of text.matchAll(/[^\s。、！？]+/gu)) {
    const tokens = known.get(word) ?? tokensOf([word], Number.POSITIVE_INFINITY);
    known.set(word, tokens);
    for (const token of tokens) counts.set(token, (counts.get(token) ?? 0) + 1);
  }
  return [...counts]
    .sort(([, a], [, b]) => b - a)
    .slice(0, max)
    .map(([token]) => token);
}
