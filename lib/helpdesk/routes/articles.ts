// Knowledge articles. The older paths take API keys only; their twins under v1 take sessions as well.
import * as z from 'zod';
import { defineRoute } from '../../core/http/route.ts';
import { limitParam, offsetParam, searchParam } from '../../core/routes/list-query.ts';
import { OFFSET_MAX, TEXT_LIMITS } from '../domain/account/limits.ts';
import { ARTICLE_STATUSES } from '../domain/articles/article.ts';
import { ARTICLE_LIMITS } from '../domain/articles/change.ts';
import {
  byKey,
  byScope,
  CAPPED,
  count,
  ETAG,
  idParams,
  ifMatch,
  ifNoneMatch,
  line,
  openLine,
  paged,
  success,
  text,
  time,
  timeOrNull,
} from './wire.ts';

export const article = z
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

const legacy = { part: 'helpdesk', rateLimit: { perMinute: 60 } } as const;
const shared = { part: 'helpdesk', rateLimit: { perMinute: 60 }, cors: 'listed' } as const;
const texts = { not_found: 'Article not found' } as const;
const one = z.object({ success, article });

const filters = {
  limit: limitParam(50, 100),
  search: searchParam(TEXT_LIMITS.searchChars),
  status: z.enum(ARTICLE_STATUSES).optional(),
};

export const findArticles = defineRoute({
  ...legacy,
  id: 'findArticles',
  method: 'GET',
  path: '/api/knowledge/articles',
  summary: 'Articles, newest first',
  auth: byKey('read:knowledge'),
  query: z.strictObject(filters),
  replies: {
    200: z.object({ success, articles: z.array(article) }).meta({ id: 'ArticleListResponse' }),
  },
  replyHeaders: CAPPED,
  errors: [],
});

export const ingestArticle = defineRoute({
  ...legacy,
  id: 'ingestArticle',
  method: 'POST',
  path: '/api/knowledge/ingest',
  summary: 'Add an article; the same title again makes another one',
  auth: byKey('write:knowledge'),
  idempotent: true,
  body: ingestBody,
  replies: { 200: one.meta({ id: 'IngestKnowledgeResponse' }) },
  replyHeaders: ETAG,
  errors: [],
});

export const readArticle = defineRoute({
  ...legacy,
  id: 'readArticle',
  method: 'GET',
  path: '/api/knowledge/articles/:id',
  summary: 'One article',
  auth: byKey('read:knowledge'),
  texts,
  params: idParams,
  headers: ifNoneMatch,
  replies: { 200: one, 304: null },
  replyHeaders: ETAG,
  errors: ['not_found'],
});

export const changeArticle = defineRoute({
  ...legacy,
  id: 'changeArticle',
  method: 'PATCH',
  path: '/api/knowledge/articles/:id',
  summary: 'Change what is given of an article; its slug stays',
  auth: byKey('write:knowledge'),
  texts,
  params: idParams,
  headers: ifMatch,
  body: changeBody,
  replies: { 200: one },
  replyHeaders: ETAG,
  errors: ['not_found', 'precondition_failed'],
});

export const listArticles = defineRoute({
  ...shared,
  id: 'listArticles',
  method: 'GET',
  path: '/api/v1/articles',
  summary: 'Articles, newest first',
  auth: byScope('read:knowledge'),
  query: z.strictObject({ ...filters, offset: offsetParam(OFFSET_MAX) }),
  replies: { 200: z.object({ success, articles: z.array(article), ...paged, total: count }) },
  replyHeaders: CAPPED,
  errors: [],
});

export const createArticle = defineRoute({
  ...shared,
  id: 'createArticle',
  method: 'POST',
  path: '/api/v1/articles',
  summary: 'Add an article; the same title again makes another one',
  auth: byScope('write:knowledge'),
  idempotent: true,
  body: ingestBody,
  replies: { 201: article },
  replyHeaders: { ...ETAG, location: 'Path of the article.' },
  errors: [],
});

export const getArticle = defineRoute({
  ...shared,
  id: 'getArticle',
  method: 'GET',
  path: '/api/v1/articles/:id',
  summary: 'One article',
  auth: byScope('read:knowledge'),
  texts,
  params: idParams,
  headers: ifNoneMatch,
  replies: { 200: article, 304: null },
  replyHeaders: ETAG,
  errors: ['not_found'],
});

export const updateArticle = defineRoute({
  ...shared,
  id: 'updateArticle',
  method: 'PATCH',
  path: '/api/v1/articles/:id',
  summary: 'Change what is given of an article; its slug stays',
  auth: byScope('write:knowledge'),
  texts,
  params: idParams,
  headers: ifMatch,
  body: changeBody,
  replies: { 200: article },
  replyHeaders: ETAG,
  errors: ['not_found', 'precondition_failed'],
});

export const ARTICLE_ROUTES = [
  findArticles,
  ingestArticle,
  readArticle,
  changeArticle,
  listArticles,
  createArticle,
  getArticle,
  updateArticle,
] as const;
