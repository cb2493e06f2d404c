// Coverage: which events reach which platform, as a table: every cell opens its events, arrow keys go from cell to cell.
import { type KeyboardEvent, useRef, useState } from 'react';
import { Link } from 'wouter';
import { type Answer, useAsk } from '#dashboard/app/api.tsx';
import { FATES, fateOf } from '#dashboard/look/sign.tsx';
import { Choice } from '#dashboard/parts/field.tsx';
import { Empty, LoadedPanel, Page } from '#dashboard/parts/page.tsx';
import { useUrlState, withQuery } from '#dashboard/parts/url-state.ts';
import { count, percent } from '#dashboard/parts/written.tsx';
import { labelOf, linesOf, type PlatformList, usePlatforms } from '../platform-list.ts';
import { useRange } from '../ranges.tsx';

type CoverageAnswer = Answer<'getCoverage'>;

const SHOWN = [
  ['numbers', 'delivered events'],
  ['share', 'share of those sent'],
  ['problems', 'what did not arrive'],
] as const;
type Shown = (typeof SHOWN)[number][0];

export default function CoveragePage() {
  const { input, picker } = useRange();
  const [state, change] = useUrlState();
  const shown = SHOWN.find(([name]) => name === state.show)?.[0] ?? 'numbers';
  const platforms = usePlatforms();
  const coverage = useAsk('getCoverage', input, { keep: true });
  return (
    <Page title="Coverage" about="Which events reach which platform." actions={picker}>
      <div className="mb-4 max-w-60">
        <Choice label="Show" value={shown} options={SHOWN} change={(show) => change({ show })} />
      </div>
      <LoadedPanel title="Events by platform" query={coverage} rows={12}>
        {(data) => <Matrix data={data} shown={shown} list={platforms.data} />}
      </LoadedPanel>
    </Page>
  );
}

interface Sums {
  readonly delivered: number;
  readonly problems: number;
  readonly said: string;
}

/** Of one cell: all its states, grouped into the ones shown. */
function sumsOf(counts: Readonly<Record<string, number>>): Sums {
  const folded = Object.groupBy(Object.entries(counts), ([status]) => fateOf(status));
  const sum = (fate: keyof typeof folded): number =>
    (folded[fate] ?? []).reduce((all, [, times]) => all + times, 0);
  const parts = (['delivered', 'waiting', 'failed', 'withheld', 'none'] as const).filter(
    (fate) => sum(fate) > 0,
  );
  return {
    delivered: sum('delivered'),
    problems: sum('failed') + sum('waiting'),
    said: parts.map((fate) => `${count(sum(fate))} ${FATES[fate].word}`).join(', '),
  };
}

const STEPS = [
  '',
  'bg-step-1',
  'bg-step-2',
  'bg-step-3',
  'bg-step-4 text-on-accent',
  'bg-step-5 text-on-accent',
];
/** On a logarithmic scale, so that one event and a thousand are both visible. */
const stepOf = (value: number, most: number): string =>
  STEPS[value === 0 ? 0 : 1 + Math.round((4 * Math.log1p(value)) / Math.log1p(Math.max(1, most)))] ?? '';

interface MatrixProps {
  readonly data: CoverageAnswer;
  readonly shown: Shown;
  readonly list: PlatformList | undefined;
}

/** A platform, or one of several connections to it. */
interface Column {
  readonly name: string;
  readonly label: string;
  /** Event name → what came to what. */
  readonly sums: ReadonlyMap<string, Sums>;
}

function columnsOf(
  { platforms, cells, connections }: CoverageAnswer,
  list: PlatformList | undefined,
): readonly Column[] {
  const sums = (own: readonly Pick<CoverageAnswer['cells'][number], 'event_name' | 'counts'>[]) =>
    new Map(own.map(({ event_name, counts }) => [event_name, sumsOf(counts)]));
  return platforms.flatMap((slug) => [
    { name: slug, label: labelOf(list, slug), sums: sums(cells.filter(({ platform }) => platform === slug)) },
    ...linesOf(list, slug, connections).map((one) => ({
      name: one.name,
      label: one.label,
      sums: sums(one.cells),
    })),
  ]);
}

const NONE: Sums = { delivered: 0, problems: 0, said: 'none' };

function Matrix({ data, shown, list }: MatrixProps) {
  const [at, setAt] = useState<readonly [row: number, column: number]>([0, 0]);
  const table = useRef<HTMLTableElement>(null);
  const columns = columnsOf(data, list);
  const names = data.event_names.filter((name) => columns.some(({ sums }) => sums.has(name)));
  if (names.length === 0) return <Empty title="No event came in this range" />;
  const most = Math.max(
    ...columns.flatMap(({ sums }) => [...sums.values()].map(({ delivered }) => delivered)),
  );
  const press = (event: KeyboardEvent): void => {
    const step = STEP_OF[event.key];
    if (step === undefined) return;
    event.preventDefault();
    const row = Math.min(names.length - 1, Math.max(0, at[0] + step[0]));
    const column = Math.min(columns.length - 1, Math.max(0, at[1] + step[1]));
    setAt([row, column]);
    table.current?.querySelectorAll('tbody tr')[row]?.querySelectorAll('a')[column]?.focus();
  };
  return (
    <div className="relative overflow-x-auto">
      <table ref={table} className="border-collapse text-right" onKeyDown={press}>
        <caption className="pb-3 text-left text-dim">{captionOf(shown)}</caption>
        <thead>
          <tr>
            <th scope="col" className="px-2 py-1 text-left text-sm">
              Event
            </th>
            {columns.map(({ name, label }) => (
              <th key={name} scope="col" className="foreign px-1 py-1 align-bottom text-xs">
                {label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {names.map((name, row) => (
            <tr key={name} className="border-t border-line">
              <th scope="row" className="px-2 py-1 text-left">
                {name}
              </th>
              {columns.map((one, column) => {
                const sums = one.sums.get(name) ?? NONE;
                return (
                  <td
                    key={one.name}
                    className={`border border-line p-0 ${shown === 'numbers' ? stepOf(sums.delivered, most) : ''}`}
                  >
                    <Link
                      href={withQuery('/events', {
                        event_name: name,
                        platform: one.name,
                        start: data.start,
                        end: data.end,
                      })}
                      tabIndex={row === at[0] && column === at[1] ? 0 : -1}
                      title={`${name} at ${one.label}: ${sums.said}`}
                      // The visible text is part of the accessible name, so that voice control can address it.
                      aria-label={`${name} at ${one.label}: ${textOf(sums, shown)}; ${sums.said}`}
                      onFocus={() => setAt([row, column])}
                      className="block min-h-8 px-1 py-1 text-inherit no-underline hover:underline"
                    >
                      {textOf(sums, shown)}
                    </Link>
                  </td>
                );
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

const STEP_OF: Readonly<Record<string, readonly [number, number]>> = {
  ArrowUp: [-1, 0],
  ArrowDown: [1, 0],
  ArrowLeft: [0, -1],
  ArrowRight: [0, 1],
};

const captionOf = (shown: Shown): string =>
  ({
    numbers: 'Events that were delivered; the stronger the colour, the more. A cell opens its events.',
    share: 'Delivered, of those delivered, waiting and failed. A cell opens its events.',
    problems: 'Events that failed or wait. A cell opens its events.',
  })[shown];

function textOf({ delivered, problems }: Sums, shown: Shown): string {
  if (shown === 'problems') return problems === 0 ? '·' : `▲ ${count(problems)}`;
  if (delivered + problems === 0) return '–';
  return shown === 'numbers' ? count(delivered) : percent(delivered / (delivered + problems));
}
