// Every attempt at every platform on one axis, from the moment the event came to the end of the time in which they take it, or in
// which we try.
import { FATES, fateOf } from '#dashboard/look/sign.tsx';
import { type Lane, Lanes } from '#dashboard/parts/charts/lanes.tsx';
import { duration } from '#dashboard/parts/written.tsx';
import { usePlatforms } from '../platform-list.ts';
import type { EventAnswer } from './event.tsx';
import { attemptText, hasTimes, isGood, type Place, placesOf } from './places.ts';

export function Timeline({ answer: { event, deliveries } }: { readonly answer: EventAnswer }) {
  const { data } = usePlatforms();
  const fromMs = Date.parse(event.received_at);
  const places = deliveries.flatMap((delivery) => placesOf(delivery, data)).filter(hasTimes);
  if (places.length === 0) return <p className="text-dim">Nothing was tried yet.</p>;
  return (
    <>
      <Lanes
        name="Attempts by platform"
        fromMs={fromMs}
        lanes={places.map((place) => laneOf(place, fromMs))}
      />
      <p className="mt-2 text-sm text-dim">
        <span aria-hidden>✔</span> taken · <span aria-hidden>✖</span> not taken · <span aria-hidden>▷</span>{' '}
        next attempt · <span aria-hidden>┃</span> it ends then, as the platform takes it no longer or we stop
        trying. Early times are drawn wider than late ones.
      </p>
    </>
  );
}

function laneOf({ key, name, status, history, next, closes, isOurEnd }: Place, fromMs: number): Lane {
  const after = (at: string): string => duration(Date.parse(at) - fromMs);
  const marks = history.map((attempt) => ({
    atMs: Date.parse(attempt.at),
    sign: isGood(attempt) ? '✔' : '✖',
    look: isGood(attempt) ? 'text-good' : 'text-bad',
    said: `after ${after(attempt.at)}: ${attemptText(attempt)}`,
  }));
  const coming = next === undefined ? [] : [{ atMs: Date.parse(next), sign: '▷', look: 'text-wait' }];
  const parts = [
    FATES[fateOf(status)].word,
    ...marks.map(({ said }) => said),
    ...(next === undefined ? [] : [`next attempt ${after(next)} after it came`]),
    ...(closes === undefined ? [] : [`${isOurEnd ? 'tried' : 'taken'} until ${after(closes)} after it came`]),
  ];
  return {
    key,
    name,
    marks: [...marks, ...coming.map((mark) => ({ ...mark, said: 'next attempt' }))],
    closesMs: closes === undefined ? undefined : Date.parse(closes),
    said: parts.join('; '),
  };
}
