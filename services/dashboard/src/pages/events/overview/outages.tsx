// Outages as recorded by the connections: the times in which a platform refused its credentials or did not answer. None
// is derived from counts.
import { Link } from 'wouter';
import type { Band } from '#dashboard/parts/charts/columns.tsx';
import { Time } from '#dashboard/parts/written.tsx';
import type { Connection } from '../platform-list.ts';

type Cause = Connection['health']['outages'][number]['cause'];

export interface Outage {
  readonly id: string;
  readonly name: string;
  readonly cause: Cause;
  readonly since: string;
  /** Absent: it continues. */
  readonly until?: string;
}

const SAID: Readonly<Record<Cause, { readonly present: string; readonly past: string }>> = {
  auth: { present: 'refuses its credentials', past: 'refused its credentials' },
  circuit: { present: 'does not answer', past: 'did not answer' },
};
const saidOf = ({ cause, until }: Outage): string => SAID[cause][until === undefined ? 'present' : 'past'];

/** Per connection: the past ones, then the current one. */
export function outagesOf(connections: readonly Connection[]): readonly Outage[] {
  return connections.flatMap((connection) => {
    const { id, label, name, health } = connection;
    const of = (cause: Cause, since: string, until?: string): Outage => ({
      id: `${id} ${cause} ${since}`,
      name: `${label}, ${name},`,
      cause,
      since,
      ...(until === undefined ? {} : { until }),
    });
    const over = health.outages.map(({ cause, started_at, ended_at }) => of(cause, started_at, ended_at));
    return [...over, ...goingOn(connection).map(({ cause, since }) => of(cause, since))];
  });
}

function goingOn({
  status,
  paused_reason,
  paused_at,
  health,
}: Connection): readonly Pick<Outage, 'cause' | 'since'>[] {
  if (status === 'paused')
    return paused_reason === 'auth' && paused_at ? [{ cause: 'auth', since: paused_at }] : [];
  const { state, opened_at } = health.circuit;
  return state === 'open' && opened_at ? [{ cause: 'circuit', since: opened_at }] : [];
}

interface Span {
  readonly points: readonly { readonly start: string }[];
  readonly interval: 'hour' | 'day';
  readonly end: string;
}

const STEP_MS = { hour: 3_600_000, day: 86_400_000 } as const;

const startOf = ({ points, end }: Span): number => Date.parse(points[0]?.start ?? end);

/** Outages within the shown time. */
export const within = (outages: readonly Outage[], span: Span): readonly Outage[] =>
  outages.filter(({ since, until }) => since < span.end && Date.parse(until ?? span.end) > startOf(span));

/** Relative to the width of the columns, the last of which has not ended. */
export function bandsOf(outages: readonly Outage[], span: Span): readonly Band[] {
  const { points, interval, end } = span;
  const lastsMs = Math.max(1, points.length) * STEP_MS[interval];
  const shareOf = (at: string): number =>
    Math.min(1, Math.max(0, (Date.parse(at) - startOf(span)) / lastsMs));
  return within(outages, span).map((outage) => ({
    id: outage.id,
    name: `${outage.name} ${saidOf(outage)}`,
    from: shareOf(outage.since),
    to: shareOf(outage.until ?? end),
  }));
}

/** The same in words, for screen readers. */
export function Outages({ outages }: { readonly outages: readonly Outage[] }) {
  if (outages.length === 0) return null;
  return (
    <ul aria-label="Outages" className="mt-4">
      {outages.map((outage) => (
        <li key={outage.id} className="foreign flex items-baseline gap-2 py-1">
          <span
            aria-hidden
            className="inline-block h-3 w-4 shrink-0 border-x border-wait bg-wait-tint hatched"
          />
          <span>
            {outage.name} {saidOf(outage)} {outage.until === undefined ? 'since' : 'from'}{' '}
            <Time at={outage.since} />
            {outage.until === undefined ? null : (
              <>
                {' '}
                to <Time at={outage.until} />
              </>
            )}
            .{' '}
            <Link href="/platforms" className="underline">
              Look
            </Link>
          </span>
        </li>
      ))}
    </ul>
  );
}
