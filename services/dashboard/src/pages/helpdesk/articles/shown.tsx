// An article as it is read, as it is edited, and whether it is cited.

import { Field, fieldsOf, Lines } from '#dashboard/parts/field.tsx';
import type { Problems } from '#dashboard/parts/problems.ts';
import { Time } from '#dashboard/parts/written.tsx';
import { type Article, LOOKS, type Status, type Typed } from './article.ts';

export function StatusSign({ status }: { readonly status: Status }) {
  const { sign, name, text } = LOOKS[status];
  return (
    <b className={text}>
      {sign} {name}
    </b>
  );
}

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

interface ArticleFieldsProps {
  readonly typed: Typed;
  readonly change: (typed: Typed) => void;
  readonly problems: Problems;
}

/** All of it is text: nothing that is typed becomes markup anywhere. */
export function ArticleFields({ typed, change, problems }: ArticleFieldsProps) {
  const bind = fieldsOf(typed, (name, text) => change({ ...typed, [name]: text }), problems);
  return (
    <div className="grid gap-4">
      <Field label="Title" {...bind('title')} />
      <Field label="Summary" help="One sentence for the list; it may be empty." {...bind('excerpt')} />
      <Field label="Tags" help="With commas between." {...bind('tags')} />
      <Lines
        label="Text"
        rows={16}
        dir="auto"
        spellCheck
        help="Text only: what looks like markup is shown as it is written."
        {...bind('content')}
      />
    </div>
  );
}
