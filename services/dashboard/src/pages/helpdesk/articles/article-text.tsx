// An article to be read: its text as it is.
import { Time } from '#dashboard/parts/written.tsx';
import type { Article } from './article.ts';

export function ArticleText({ article }: { readonly article: Article }) {
  const { title, excerpt, tags, content, updated_at } = article;
  return (
    <>
      <p className="foreign font-bold">{title}</p>
      {excerpt && <p className="foreign mt-1 text-dim">{excerpt}</p>}
      {tags.length > 0 && <p className="foreign mt-1 text-sm text-dim">{tags.join(', ')}</p>}
      <section
        aria-label="Text of the article"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keys
        tabIndex={0}
        className="mt-3 max-h-100 overflow-y-auto"
      >
        <p className="foreign whitespace-pre-wrap" dir="auto">
          {content}
        </p>
      </section>
      <p className="mt-3 text-sm text-dim">
        Changed <Time at={updated_at} as="ago" />
      </p>
    </>
  );
}
