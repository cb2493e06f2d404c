// How an article is made and changed, as callers see it, and what follows from it. Guarantees: pure; what is not given stays;
// what changes nothing is the same object; the slug is given once. A status may follow any other.

import { type AuditedFields, auditEntry, changesOf, type RequestFacts } from '../audit/audit.ts';
import type { OutboxEntry } from '../outbox.ts';
import { searchEntries } from '../search/search-tokens.ts';
import { type Committed, eventEntry } from '../webhooks/event-payload.ts';
import { iso } from '../wire-views.ts';
import type { Article, ArticleStatus } from './article.ts';
import { articleTokens } from './tokens.ts';

/** With its tokens, events and the names of its fields, a record stays well under what a table takes. */
export const ARTICLE_LIMITS = {
  titleChars: 500,
  contentBytes: 300_000,
  excerptChars: 1_000,
  tags: 50,
  tagChars: 64,
} as const;

export interface ArticleFacts {
  readonly title?: string | undefined;
  readonly content?: string | undefined;
  readonly excerpt?: string | null | undefined;
  readonly tags?: readonly string[] | undefined;
  readonly status?: ArticleStatus | undefined;
}

export function newArticle(
  key: { readonly id: string; readonly workspaceId: string; readonly slug: string },
  facts: ArticleFacts & { readonly title: string; readonly content: string },
  nowMs: number,
): Article {
  const { title, content, excerpt = null, tags = [], status = 'draft' } = facts;
  return {
    ...key,
    title,
    content,
    excerpt,
    tags: uniqueTags(tags),
    status,
    publishedAtMs: status === 'published' ? nowMs : null,
    createdAtMs: nowMs,
    updatedAtMs: nowMs,
  };
}

/** The same object where nothing differs. */
export function changedArticle(article: Article, facts: ArticleFacts, nowMs: number): Article {
  const { title = article.title, content = article.content, status = article.status } = facts;
  const excerpt = facts.excerpt === undefined ? article.excerpt : facts.excerpt;
  const tags = facts.tags === undefined ? article.tags : uniqueTags(facts.tags);
  const isSame =
    title === article.title &&
    content === article.content &&
    status === article.status &&
    excerpt === article.excerpt &&
    JSON.stringify(tags) === JSON.stringify(article.tags);
  if (isSame) return article;
  const publishes = status === 'published' && article.status !== 'published';
  return {
    ...article,
    title,
    content,
    excerpt,
    tags,
    status,
    publishedAtMs: publishes ? nowMs : article.publishedAtMs,
    updatedAtMs: nowMs,
  };
}

const AUDITED: AuditedFields<Article> = {
  shown: ['title', 'slug', 'status', 'tags', 'publishedAtMs'],
  hidden: ['content', 'excerpt'],
};

/** What follows from a commit; `before` is null at birth. */
export function articleOutbox(
  before: Article | null,
  after: Article,
  by: RequestFacts,
  at: Committed,
): readonly OutboxEntry[] {
  const { id } = after;
  const publishes = after.status === 'published' && before?.status !== 'published';
  const kinds = [
    ...(before === null ? (['article.created'] as const) : []),
    ...(publishes ? (['article.published'] as const) : []),
  ];
  const entry = auditEntry(
    by,
    {
      action: actionOf(before, after),
      resourceType: 'article',
      resourceId: id,
      changes: changesOf(before, after, AUDITED),
    },
    { id: at.newId(), atMs: at.atMs },
  );
  return [
    { kind: 'audit', entry },
    ...searchEntries(
      { type: 'article', recordId: id, version: at.version },
      before === null ? [] : articleTokens(before),
      articleTokens(after),
    ),
    ...kinds.map((kind) => eventEntry(kind, { article: articlePreview(after) }, at)),
  ];
}

function actionOf(before: Article | null, after: Article): string {
  if (before === null) return 'article.ingested';
  return after.status === 'archived' && before.status !== 'archived' ? 'article.archived' : 'article.updated';
}

export type ArticleView = ReturnType<typeof articleView>;

export function articleView(article: Article) {
  const { id, title, slug, content, excerpt, tags, status, publishedAtMs, createdAtMs, updatedAtMs } =
    article;
  return {
    id,
    title,
    slug,
    content,
    excerpt,
    tags: [...tags],
    status,
    published_at: publishedAtMs === null ? null : iso(publishedAtMs),
    created_at: iso(createdAtMs),
    updated_at: iso(updatedAtMs),
  };
}

/** As events contain it: without the content, which may be large. */
function articlePreview(article: Article) {
  const { content: _content, ...rest } = articleView(article);
  return rest;
}

const uniqueTags = (tags: readonly string[]): readonly string[] => [...new Set(tags)];
