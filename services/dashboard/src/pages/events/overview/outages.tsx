// Outages that go on, as the connections tell of them: since when a platform refuses its credentials, or does not answer. The
// API keeps no outages that are over, and none is guessed from counts.
import { Link } from 'wouter';
import type { Band } from '../../../parts/charts/columns.tsx';
import { Time } from '../../../parts/written.tsx';
import type { Connection } from '../platform-list.ts';

export interface Outage {
  readonly id: string;
  readonly name: string;
  readonly what: string;
  readonly since: string;
}

export function outagesOf(connections: readonly Connection[]): readonly Outage[] {
  return connections.flatMap(({ id, label, name, status, paused_reason, paused_at, health }) => {
    const of = { id, name: `${label}, ${name},` };
    if (status === 'paused')
      return paused_reason === 'auth' && paused_at
        ? [{ ...of, what: 'refuses its credentials', since: paused_at }]
        : [];
    const { state, opened_at } = health.circuit;
    return state === 'open' && opened_at ? [{ ...of, what: 'does not answer', since: opened_at }] : [];
  });
}

interface Span {
  readonly points: readonly { readonly start: string }[];
  readonly interval: 'hour' | 'day';
  readonly end: string;
}

export const STEP_MS = { hour: 3_600_000, day: 86_400_000 } as const;

/** On the width of the columns, whose last one has not ended. */
export function bandsOf(outages: readonly Outage[], { points, interval, end }: Span): readonly Band[] {
  const startMs = Date.parse(points[0]?.start ?? end);
  const shareOf = (at: string): number =>
    Math.min(1, Math.max(0, (Date.parse(at) - startMs) / (Math.max(1, points.length) * STEP_MS[interval])));
  return outages
    .filter(({ since }) => since < end)
    .map(({ name, what, since }) => ({ name: `${name} ${what}`, from: shareOf(since), to: shareOf(end) }));
}

/** The same in words, for whoever does not see the bands. */
export function Outages({ outages }: { readonly outages: readonly Outage[] }) {
  if (outages.length === 0) return null;
  return (
    <ul aria-label="Outages" className="mt-4">
      {outages.map(({ id, name, what, since }) => (
        <li key={id} className="foreign flex items-baseline gap-2 py-1">
          <span
            aria-hidden
            className="inline-block h-3 w-4 shrink-0 border-x border-wait bg-wait-tint hatched"
          />
          <span>
            {name} {what} since <Time at={since} />. <Link href="/platforms">Look</Link>
          </span>
        </li>
      ))}
    </ul>
  );
}
