// A table that scrolls by itself where it is too wide, and can be reached by keys to do so.
import type { ReactNode } from 'react';

interface TableProps {
  readonly name: string;
  /** An empty one stands over what can be done with a row. */
  readonly head: readonly ReactNode[];
  readonly children: ReactNode;
  readonly busy?: boolean;
}

export function Table({ name, head, children, busy = false }: TableProps) {
  return (
    <section
      aria-label={name}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keys
      tabIndex={0}
      aria-busy={busy || undefined}
      className={`relative overflow-x-auto ${busy ? 'opacity-70' : ''}`}
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

export function Row({
  children,
  selected = false,
}: {
  readonly children: ReactNode;
  readonly selected?: boolean;
}) {
  return <tr className={`border-b border-line ${selected ? 'bg-tint' : 'hover:bg-hover'}`}>{children}</tr>;
}

export function Cell({
  children,
  className = '',
}: {
  readonly children?: ReactNode;
  readonly className?: string;
}) {
  return <td className={`px-2 py-2 align-top ${className}`}>{children}</td>;
}
