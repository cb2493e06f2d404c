// The fields of an article. All of it is text: nothing that is typed becomes markup anywhere.
import { Field, Lines } from '#dashboard/parts/field.tsx';
import type { Typed } from './article.ts';

interface ArticleFieldsProps {
  readonly typed: Typed;
  readonly change: (typed: Typed) => void;
  readonly problemOf: (field: string) => string | undefined;
}

export function ArticleFields({ typed, change, problemOf }: ArticleFieldsProps) {
  const bind = (name: keyof Typed) => ({
    value: typed[name],
    problem: problemOf(name),
    onChange: ({ target }: { readonly target: { readonly value: string } }) =>
      change({ ...typed, [name]: target.value }),
  });
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
