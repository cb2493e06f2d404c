// An article as it is stored.
import * as z from 'zod';
import { ARTICLE_STATUSES, type Article } from './articles/article.ts';

export const STORED_ARTICLE: z.ZodType<Article> = z.looseObject({
  id: z.string(),
  workspaceId: z.string(),
  title: z.string(),
  slug: z.string(),
  content: z.string(),
  excerpt: z.string().nullable(),
  tags: z.array(z.string()),
  status: z.enum(ARTICLE_STATUSES),
  publishedAtMs: z.number().nullable(),
  createdAtMs: z.number(),
  updatedAtMs: z.number(),
} satisfies Record<keyof Article, z.ZodType>);
