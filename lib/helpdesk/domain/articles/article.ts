import * as z from 'zod';
import type { StoredAs } from '#lib/core/record/stored-type.ts';

export const ARTICLE_STATUSES = ['draft', 'published', 'archived'] as const;
export type ArticleStatus = (typeof ARTICLE_STATUSES)[number];

export const STORED_ARTICLE = z.looseObject({
  /** UUIDv7. */
  id: z.string(),
  workspaceId: z.string(),
  title: z.string(),
  /** Unique in its workspace. */
  slug: z.string(),
  content: z.string(),
  excerpt: z.string().nullable(),
  tags: z.array(z.string()),
  status: z.enum(ARTICLE_STATUSES),
  publishedAtMs: z.number().nullable(),
  createdAtMs: z.number(),
  updatedAtMs: z.number(),
});
export type Article = StoredAs<typeof STORED_ARTICLE>;
