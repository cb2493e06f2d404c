// Knowledge articles. The older paths take API keys only; their twins under v1 take sessions as well.
import * as z from 'zod';
import { succeeds } from '#lib/core/routes/wire.ts';
import { defineRoute } from '../../core/http/route.ts';
import { limitParam, offsetParam, searchParam } from '../../core/routes/list-query.ts';
import { OFFSET_MAX, TEXT_LIMITS } from '../domain/account/limits.ts';
import { ARTICLE_STATUSES } from '../domain/articles/article.ts';
import { ARTICLE_LIMITS } from '../domain/articles/change.ts';
import {
  CAPPED,
  changes,
  count,
  creates,
  ETAG,
  line,
  older,
  openLine,
  paged,
  reads,
  success,
  text,
  time,
  timeOrNull,
  v1,
} from './wire.ts';

const article = z
  .object({
    id: z.guid(),
    title: z.string(),
    slug: z.string(),
    content: z.string(),
    content_truncated: z.literal(true).optional().meta({
      description: 'In a list that would be too large: read the article itself for its whole content.',
    }),
    excerpt: z.string().nullable(),
    tags: z.array(z.string()),
    status: z.enum(ARTICLE_STATUSES),
    published_at: timeOrNull,
    created_at: time,
    updated_at: time,
  })
  .meta({ id: 'Article' });

const { titleChars, contentBytes, excerptChars, tags: tagsMax, tagChars } = ARTICLE_LIMITS;
const title = line(titleChars);
const content = text(contentBytes).refine(
  (value) => Buffer.byteLength(value) <= contentBytes,
  `must be at most ${contentBytes} bytes as UTF-8`,
);
const excerpt = openLine(excerptChars);
const tags = z.array(line(tagChars)).max(tagsMax);

const ingestBody = z
  .strictObject({
    title,
    content,
    excerpt: excerpt.optional(),
    tags: tags.optional(),
    status: z.enum(['draft', 'published']).default('draft'),
  })
  .meta({ id: 'IngestKnowledgeRequest' });
const changeBody = z.strictObject({
  title: title.optional(),
  content: content.optional(),
  excerpt: excerpt.nullable().optional(),
  tags: tags.optional(),
  status: z.enum(ARTICLE_STATUSES).optional().meta({
    description: '`archived`: no draft is made from it any more, and it is kept.',
  }),
});

const one = z.object({ success, article });
const texts = { not_found: 'Article not found' } as const;

const filters = {
  limit: limitParam(50, 100),
  search: searchParam(TEXT_LIMITS.searchChars),
  status: z.enum(ARTICLE_STATUSES).optional(),
};

const listed = {
  method: 'GET',
  summary: 'Articles, newest first',
  replyHeaders: CAPPED,
  errors: [],
} as const;
const added = {
  summary: 'Add an article; the same title again makes another one',
  body: ingestBody,
  errors: [],
} as const;
const read = { summary: 'One article', texts } as const;
const changed = {
  summary: 'Change what is given of an article; its slug stays',
  texts,
  body: changeBody,
} as const;

export const ARTICLE_ROUTES = [
  defineRoute({
    ...older('read:knowledge'),
    ...listed,
    id: 'findArticles',
    path: '/api/knowledge/articles',
    query: z.strictObject(filters),
    replies: {
      200: z.object({ success, articles: z.array(article) }).meta({ id: 'ArticleListResponse' }),
    },
  }),
  defineRoute({
    ...older('write:knowledge'),
    ...added,
    id: 'ingestArticle',
    method: 'POST',
    path: '/api/knowledge/ingest',
    idempotent: true,
    replies: { 200: one.meta({ id: 'IngestKnowledgeResponse' }) },
    replyHeaders: ETAG,
  }),
  defineRoute({
    ...older('read:knowledge'),
    ...reads(one),
    ...read,
    id: 'readArticle',
    path: '/api/knowledge/articles/:id',
  }),
  defineRoute({
    ...older('write:knowledge'),
    ...changes(one),
    ...changed,
    id: 'changeArticle',
    path: '/api/knowledge/articles/:id',
  }),
  defineRoute({
    ...v1('read:knowledge'),
    ...listed,
    id: 'listArticles',
    path: '/api/v1/articles',
    query: z.strictObject({ ...filters, offset: offsetParam(OFFSET_MAX) }),
    replies: succeeds({ articles: z.array(article), ...paged, total: count }),
  }),
  defineRoute({
    ...v1('write:knowledge'),
    ...creates(article, 'article'),
    ...added,
    id: 'createArticle',
    path: '/api/v1/articles',
  }),
  defineRoute({
    ...v1('read:knowledge'),
    ...reads(article),
    ...read,
    id: 'getArticle',
    path: '/api/v1/articles/:id',
  }),
  defineRoute({
    ...v1('write:knowledge'),
    ...changes(article),
    ...changed,
    id: 'updateArticle',
    path: '/api/v1/articles/:id',
  }),
] as const;
