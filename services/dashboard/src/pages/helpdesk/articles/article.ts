// An article as the helpdesk returns it, as it is typed, and the difference.
import type { HelpdeskAnswer, HelpdeskInput } from '#dashboard/app/api.tsx';
import type { Versioned } from '../versioned.ts';

type Listed = HelpdeskAnswer<'listArticles'>;
export type Status = Listed['articles'][number]['status'];
export type Changes = HelpdeskInput<'updateArticle'>['body'];
export type NewArticle = HelpdeskInput<'createArticle'>['body'];

/** As read: its version is sent with every change. */
export type Article = Versioned<HelpdeskAnswer<'createArticle'>>;

export const STATUSES = ['published', 'draft', 'archived'] as const satisfies readonly Status[];

export const LOOKS: Readonly<Record<Status, { readonly sign: string; readonly name: string; text: string }>> =
  {
    published: { sign: '✔', name: 'Published', text: 'text-good' },
    draft: { sign: '○', name: 'Draft', text: 'text-wait' },
    archived: { sign: '–', name: 'Archived', text: 'text-dim' },
  };

export interface Typed {
  readonly title: string;
  readonly excerpt: string;
  /** Separated by commas. */
  readonly tags: string;
  readonly content: string;
}

export const FIELDS = ['title', 'excerpt', 'tags', 'content'] as const satisfies readonly (keyof Typed)[];

export const typedOf = (article: Article | undefined): Typed => ({
  title: article?.title ?? '',
  excerpt: article?.excerpt ?? '',
  tags: article?.tags.join(', ') ?? '',
  content: article?.content ?? '',
});

const tagsIn = (text: string): string[] =>
  text
    .split(',')
    .map((tag) => tag.trim())
    .filter((tag) => tag !== '');

export const newOf = (
  { title, excerpt, tags, content }: Typed,
  status: 'draft' | 'published',
): NewArticle => ({
  title,
  content,
  status,
  tags: tagsIn(tags),
  ...(excerpt.trim() === '' ? {} : { excerpt }),
});

/** The fields that differ from the start: unchanged ones are not sent. */
export function changesOf(before: Typed, typed: Typed): Changes {
  const differs = (name: keyof Typed): boolean => before[name] !== typed[name];
  return {
    ...(differs('title') ? { title: typed.title } : {}),
    ...(differs('excerpt') ? { excerpt: typed.excerpt.trim() === '' ? null : typed.excerpt } : {}),
    ...(differs('tags') ? { tags: tagsIn(typed.tags) } : {}),
    ...(differs('content') ? { content: typed.content } : {}),
  };
}
