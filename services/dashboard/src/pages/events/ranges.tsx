// The time a page of figures is about, in its URL.
import { useUrlState } from '../../parts/url-state.ts';

export const RANGES = ['24h', '7d', '30d', '90d'] as const;
export type Range = (typeof RANGES)[number];

/** What is no range is shown as the first one. */
export function useRange(): readonly [Range, (range: Range) => void] {
  const [state, change] = useUrlState();
  return [RANGES.find((range) => range === state.range) ?? '24h', (range) => change({ range })];
}

export function RangePicker({
  range,
  change,
}: {
  readonly range: Range;
  readonly change: (range: Range) => void;
}) {
  return (
    <fieldset className="flex rounded-sm border border-control">
      <legend className="sr-only">Range, in UTC</legend>
      {RANGES.map((one) => (
        <button
          key={one}
          type="button"
          aria-pressed={one === range}
          className={`min-h-8 px-3 ${one === range ? 'bg-accent font-bold text-on-accent' : 'hover:bg-hover'}`}
          onClick={() => change(one)}
        >
          {one}
        </button>
      ))}
    </fieldset>
  );
}
