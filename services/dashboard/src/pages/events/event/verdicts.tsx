// One sentence per platform, and under it the attempts and what was received, sent and answered.
import { useState } from 'react';
import { FATES, fateOf, Sign } from '#dashboard/look/sign.tsx';
import { Ladder } from '#dashboard/parts/charts/ladder.tsx';
import { Empty } from '#dashboard/parts/page.tsx';
import { count, Time } from '#dashboard/parts/written.tsx';
import { usePlatforms } from '../platform-list.ts';
import type { EventAnswer, Explained } from './event.tsx';
import { attemptText, type Delivery, hasTimes, isGood, type Place, placesOf } from './places.ts';
import { SideBySide } from './side-by-side.tsx';

type OneVerdict = Explained['verdicts'][number];

interface VerdictsProps {
  readonly verdicts: Explained['verdicts'];
  /** Not there yet, or not to be had. */
  readonly answer: EventAnswer | undefined;
}

export function Verdicts({ verdicts, answer }: VerdictsProps) {
  if (verdicts.length === 0) return <Empty title="No platform is known for this event." />;
  return (
    <>
      <p className="mb-3 text-dim">{summaryOf(verdicts)}</p>
      <ul>
        {verdicts.map((verdict) => (
          <OnePlatform
            key={verdict.platform}
            verdict={verdict}
            delivery={answer?.deliveries.find(({ platform }) => platform === verdict.platform)}
            event={answer?.event}
          />
        ))}
      </ul>
    </>
  );
}

function summaryOf(verdicts: readonly OneVerdict[]): string {
  const groups = Map.groupBy(verdicts, ({ verdict, delivery }) => fateOf(delivery ?? verdict));
  const parts = [...groups].map(([fate, list]) => `${count(list.length)} ${FATES[fate].word}`);
  return `${count(verdicts.length)} platforms: ${parts.join(', ')}.`;
}

interface OnePlatformProps {
  readonly verdict: OneVerdict;
  readonly event: EventAnswer['event'] | undefined;
  readonly delivery: Delivery | undefined;
}

function OnePlatform({ verdict, delivery, event }: OnePlatformProps) {
  const [isOpen, setOpen] = useState(false);
  const { data: list } = usePlatforms();
  const fate = fateOf(verdict.delivery ?? verdict.verdict);
  return (
    <li className="border-b border-line py-1">
      <details onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
        <summary className="grid min-h-7 grid-cols-1 items-baseline gap-x-4 sm:grid-cols-3">
          <span className="font-bold">
            <span aria-hidden className="inline-block w-4 text-dim">
              {isOpen ? '▾' : '▸'}
            </span>
            <Sign fate={fate} /> {verdict.label}
          </span>
          <span className="foreign sm:col-span-2">
            {verdict.explanation}
            {delivery?.maybe_delivered && (
              <span className="text-wait"> An attempt without an answer may have reached it.</span>
            )}
          </span>
        </summary>
        {isOpen && (
          <div className="py-3">
            {verdict.connections?.map((one) => (
              <p key={one.connection_id ?? one.explanation} className="foreign mb-1">
                <Sign fate={fateOf(one.delivery ?? one.verdict)} />{' '}
                <span className="font-bold">{one.connection_name ?? 'removed'}</span>
                {one.removed_at && (
                  <>
                    , removed <Time at={one.removed_at} />
                  </>
                )}
                : {one.explanation}
              </p>
            ))}
            {verdict.connections === undefined && verdict.removed_at && (
              <p className="foreign mb-1">
                It went to {verdict.connection_name}
                {verdict.account === undefined ? '' : ` (${verdict.account})`}, removed{' '}
                <Time at={verdict.removed_at} />.
              </p>
            )}
            <h3 className="mb-1">Attempts</h3>
            <Attempts
              places={delivery === undefined ? [] : placesOf(delivery, list)}
              from={event?.received_at}
            />
            {verdict.changed_by !== undefined && (
              <p className="foreign mt-2">Changed by rules: {verdict.changed_by.join(', ')}</p>
            )}
            {event !== undefined && (
              <div className="mt-4">
                <SideBySide
                  event={event}
                  platform={verdict.platform}
                  label={verdict.label}
                  history={delivery?.history ?? []}
                />
              </div>
            )}
          </div>
        )}
      </details>
    </li>
  );
}

interface AttemptsProps {
  readonly places: readonly Place[];
  readonly from: string | undefined;
}

function Attempts({ places, from }: AttemptsProps) {
  const shown = places.filter(hasTimes);
  if (from === undefined || shown.length === 0) return <p className="text-dim">There was none.</p>;
  return shown.map(({ key, name, history, next, closes, isOurEnd }) => (
    <div key={key}>
      {places.length > 1 && <p className="foreign mt-2 font-bold">{name}</p>}
      <Ladder
        from={from}
        attempts={history.map((attempt) => ({
          at: attempt.at,
          said: attemptText(attempt),
          isGood: isGood(attempt),
        }))}
        next={next}
        closes={closes}
        isOurEnd={isOurEnd}
      />
    </div>
  ));
}
