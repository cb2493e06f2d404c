// One key figure: its name, the number, what changed, and a link to the rows it counts.
import type { ReactNode } from 'react';
import { Link } from 'wouter';

interface FigureProps {
  readonly name: string;
  readonly value: string;
  /** Against the range before; absent where there was none. */
  readonly delta?: { readonly text: string; readonly isUp: boolean } | undefined;
  readonly note?: ReactNode;
  /** The rows it counts. */
  readonly to?: string;
}

export function Figure({ name, value, delta, note, to }: FigureProps) {
  const number = <span className="foreign text-2xl lg:text-xl">{value}</span>;
  return (
    <div className="min-w-0 border-l-4 border-line pl-3">
      <dt className="text-sm text-dim">{name}</dt>
      <dd>
        {to === undefined ? (
          number
        ) : (
          <Link href={to} className="text-ink" title={`Show what ${name.toLowerCase()} counts`}>
            {number}
          </Link>
        )}
        <p className="text-sm text-dim">
          {delta && (
            <span>
              <span aria-hidden>{delta.isUp ? '▲' : '▼'}</span>
              <span className="sr-only">{delta.isUp ? 'up by' : 'down by'}</span> {delta.text}
            </span>
          )}
          {note && (
            <span>
              {delta ? ' · ' : ''}
              {note}
            </span>
          )}
        </p>
      </dd>
    </div>
  );
}
