// Attempts of one delivery over time: when each was, what it was answered, when the next one is and until when the platform
// takes the event, or we try it. A list first, so that it reads the same without seeing the bar.
import { duration, Time } from '../written.tsx';
import { placeOf } from './log-time.ts';

export interface Attempt {
  readonly at: string;
  readonly said: string;
  readonly isGood: boolean;
}

interface LadderProps {
  readonly from: string;
  readonly attempts: readonly Attempt[];
  readonly next?: string | undefined;
  readonly closes?: string | undefined;
  /** Until then we try: the platform would take it for longer. */
  readonly isOurEnd?: boolean;
}

export function Ladder({ from, attempts, next, closes, isOurEnd = false }: LadderProps) {
  const fromMs = Date.parse(from);
  const lastMs = Math.max(
    ...[...attempts.map(({ at }) => at), next, closes].map((at) => (at ? Date.parse(at) : fromMs)),
  );
  const mark = (at: string, sign: string, text: string) => (
    <span
      key={`${at} ${sign}`}
      className={`absolute top-0 ${text}`}
      style={{ left: `${placeOf(Date.parse(at) - fromMs, lastMs - fromMs)}%` }}
    >
      {sign}
    </span>
  );
  return (
    <div>
      <div aria-hidden className="relative my-2 h-6 border-b border-control">
        {attempts.map(({ at, isGood }) => mark(at, isGood ? '✔' : '✖', isGood ? 'text-good' : 'text-bad'))}
        {next && mark(next, '▷', 'text-wait')}
        {closes && mark(closes, '┃', 'text-dim')}
      </div>
      <ol className="text-sm">
        {attempts.map(({ at, said, isGood }) => (
          <li key={`${at} ${said}`} className="foreign py-1">
            <span aria-hidden className={isGood ? 'text-good' : 'text-bad'}>
              {isGood ? '✔' : '✖'}
            </span>{' '}
            <Time at={at} as="clock" />
            <span className="text-dim"> (after {duration(Date.parse(at) - fromMs)})</span> {said}
          </li>
        ))}
        {next && (
          <li className="py-1 text-wait">
            ▷ next attempt <Time at={next} as="ago" />
          </li>
        )}
        {closes && (
          <li className="py-1 text-dim">
            ┃ {isOurEnd ? 'we try it' : 'the platform takes it'} until <Time at={closes} /> (
            <Time at={closes} as="ago" />)
          </li>
        )}
      </ol>
    </div>
  );
}
