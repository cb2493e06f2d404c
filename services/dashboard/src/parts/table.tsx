// A table that scrolls by itself where it is too wide, and can be reached by keys to do so.
import type { ReactNode } from 'react';
import { Button } from './button.tsx';

interface TableProps {
  readonly name: string;
  /** An empty one stands over what can be done with a row. */
  readonly head: readonly ReactNode[];
  readonly children: ReactNode;
}

export function Table({ name, head, children }: TableProps) {
  return (
    <section
      aria-label={name}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keys
      tabIndex={0}
      className="relative overflow-x-auto"
    >
      <table className="w-full border-collapse text-left">
        <thead>
          <tr className="border-b border-control">
            {head.map((title, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: columns keep their places
              <th key={index} scope="col" className="px-2 py-2 text-sm whitespace-nowrap">
                {title === '' ? <span className="sr-only">Actions</span> : title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>{children}</tbody>
      </table>
    </section>
  );
}

interface RowProps {
  readonly children: ReactNode;
  readonly selected?: boolean;
}

export function Row({ children, selected = false }: RowProps) {
  return <tr className={`border-b border-line ${selected ? 'bg-tint' : 'hover:bg-hover'}`}>{children}</tr>;
}

interface CellProps {
  readonly children?: ReactNode;
  readonly className?: string | undefined;
}

export function Cell({ children, className = '' }: CellProps) {
  return <td className={`px-2 py-2 align-top ${className}`}>{children}</td>;
}

interface PagerProps {
  /** Of the page that is shown; absent: the first. */
  readonly cursor: string | undefined;
  /** Of the page after it; null: there is none. */
  readonly next: string | null;
  /** '' is the first page. */
  readonly go: (cursor: string) => void;
  readonly names?: readonly [first: string, next: string];
}

/** The way through the pages of a list, by the cursor that its answer names. */
export const Pager = ({
  cursor,
  next,
  go,
  names: [first, more] = ['First page', 'Next page'],
}: PagerProps) => (
  <div className="mt-3 flex gap-3">
    {cursor !== undefined && <Button onClick={() => go('')}>{first}</Button>}
    {next !== null && <Button onClick={() => go(next)}>{more}</Button>}
  </div>
);
