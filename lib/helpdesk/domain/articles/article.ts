export const ARTICLE_STATUSES = ['draft', 'published', 'archived'] as const;
export type ArticleStatus = (typeof ARTICLE_STATUSES)[number];

export interface Article {
  /** UUIDv7. */
  readonly id: string;
  readonly workspaceId: string;
  readonly title: string;
  /** Unique in its workspace. */
  readonly slug: string;
  readonly content: string;
  readonly excerpt: string | null;
  readonly tags: readonly string[];
  readonly status: ArticleStatus;
  readonly publishedAtMs: number | null;
  readonly createdAtMs: number;
  readonly updatedAtMs: number;
}
