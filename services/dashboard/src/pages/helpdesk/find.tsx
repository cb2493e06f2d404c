// Search by words, and the pages of a list: both end in the URL.

import { useState } from 'react';
import { Form } from '#dashboard/parts/field.tsx';
import { Button } from '../../parts/button.tsx';
import { Field } from '../../parts/field.tsx';

export const PAGE_ROWS = 50;

interface FindProps {
  readonly search: string;
  readonly placeholder: string;
  /** False: only Enter searches. */
  readonly hasButton?: boolean;
  readonly find: (text: string) => void;
}

/** Give it `key={search}`: Back shows what was searched for then. */
export function Find({ search, placeholder, hasButton = true, find }: FindProps) {
  const [text, setText] = useState(search);
  return (
    <search>
      <Form send={() => find(text.trim())} className="flex flex-wrap items-end gap-2">
        <Field
          label="Search"
          type="search"
          placeholder={placeholder}
          maxLength={200}
          value={text}
          change={setText}
        />
        {hasButton && <Button type="submit">Search</Button>}
      </Form>
    </search>
  );
}

interface PagerProps {
  /** As it is in the URL. */
  readonly offset: string | undefined;
  readonly total: number;
  readonly go: (offset: string) => void;
}

export function Pager({ offset, total, go }: PagerProps) {
  const from = Number(offset) || 0;
  if (from <= 0 && total <= PAGE_ROWS) return null;
  return (
    <div className="mt-3 flex gap-2">
      {from > 0 && <Button onClick={() => go(String(Math.max(0, from - PAGE_ROWS)))}>Before</Button>}
      {from + PAGE_ROWS < total && <Button onClick={() => go(String(from + PAGE_ROWS))}>After</Button>}
    </div>
  );
}
