// Columns over time: from zero, UTC below, the unfinished one hatched. One column takes the focus at a time and arrow keys move
// it; each opens its rows; the same numbers are there as a table.
import { scaleLinear } from 'd3-scale';
import { type KeyboardEvent, useRef, useState } from 'react';
import { Link } from 'wouter';
import { count } from '../written.tsx';

export interface Column {
  /** Under the column. */
  readonly label: string;
  /** What the column says, in a sentence. */
  readonly said: string;
  readonly value: number;
  readonly to: string;
  readonly isOpen: boolean;
}

/** A time during which something was wrong: shares of the whole width. */
export interface Band {
  readonly id: string;
  readonly name: string;
  readonly from: number;
  readonly to: number;
}

const LABELS_MAX = 12;

interface ColumnsProps {
  readonly about: string;
  readonly columns: readonly Column[];
  /** Behind the columns; the page explains them beside the chart. */
  readonly bands?: readonly Band[];
}

export function Columns({ about, columns, bands = [] }: ColumnsProps) {
  const [at, setAt] = useState(columns.length - 1);
  const group = useRef<HTMLUListElement>(null);
  const scale = scaleLinear()
    .domain([0, Math.max(1, ...columns.map(({ value }) => value))])
    .nice(4)
    .range([0, 100]);
  const ticks = scale.ticks(4).filter(Number.isInteger);
  const every = Math.ceil(columns.length / LABELS_MAX);
  const press = (event: KeyboardEvent): void => {
    const step = { ArrowLeft: -1, ArrowRight: 1, Home: -columns.length, End: columns.length }[event.key];
    if (step === undefined) return;
    event.preventDefault();
    const next = Math.min(columns.length - 1, Math.max(0, at + step));
    setAt(next);
    group.current?.querySelectorAll('a')[next]?.focus();
  };
  return (
    <div>
      <p className="mb-3 text-dim">{about}</p>
      <div className="relative ml-10 h-40">
        {ticks.map((tick) => (
          <div
            key={tick}
            aria-hidden
            className="absolute right-0 left-0 border-t border-line"
            style={{ bottom: `${scale(tick)}%` }}
          >
            <span className="absolute right-full mr-2 -translate-y-1/2 text-xs text-dim">{count(tick)}</span>
          </div>
        ))}
        {bands.map(({ id, name, from, to }) => (
          <div
            key={id}
            aria-hidden
            title={name}
            className="absolute top-0 bottom-0 min-w-1 border-x border-wait bg-wait-tint hatched"
            style={{ right: `${100 * (1 - to)}%`, width: `${100 * (to - from)}%` }}
          />
        ))}
        <ul ref={group} className="absolute inset-0 flex items-end gap-px" onKeyDown={press}>
          {columns.map(({ label, said, value, to, isOpen }, index) => (
            <li key={label} className="flex h-full min-w-0 grow basis-0 items-end">
              <Link
                href={to}
                tabIndex={index === at ? 0 : -1}
                aria-label={said}
                title={said}
                onFocus={() => setAt(index)}
                className="flex h-full w-full items-end hover:bg-hover"
              >
                <span
                  className={`w-full border-control bg-fill-delivered ${value === 0 ? '' : 'border'} ${isOpen ? 'hatched' : ''}`}
                  style={{ height: `${scale(value)}%` }}
                />
              </Link>
            </li>
          ))}
        </ul>
      </div>
      <div aria-hidden className="mt-1 ml-10 flex text-xs text-dim">
        {columns.map(({ label }, index) => (
          <span key={label} className="min-w-0 grow basis-0 overflow-visible whitespace-nowrap">
            <span className={index % (every * 3) === 0 ? '' : 'hidden sm:inline'}>
              {index % every === 0 ? label : ''}
            </span>
          </span>
        ))}
      </div>
    </div>
  );
}
