// The time a page of figures is about, in its URL.
import { useUrlState } from '../../parts/url-state.ts';

const RANGES = ['24h', '7d', '30d', '90d'] as const;
export type Range = (typeof RANGES)[number];

/** What is no range is read as the first one. `input` is what operations take, `picker` the choice of another range. */
export function useRange() {
  const [state, change] = useUrlState();
  const range = RANGES.find((one) => one === state.range) ?? '24h';
  const picker = <RangePicker range={range} change={(next) => change({ range: next })} />;
  return { range, input: { query: { range } }, picker };
}

function RangePicker({ range, change }: { readonly range: Range; readonly change: (range: Range) => void }) {
  return (
    <fieldset className="flex rounded-sm border border-control">
      <legend className="sr-only">Range</legend>
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
