// One sentence per platform, and under it the attempts and the request as it would go out.
import { useState } from 'react';
import { useAsk } from '../../../app/api.tsx';
import { FATES, fateOf, Sign } from '../../../look/sign.tsx';
import { type Attempt, Ladder } from '../../../parts/charts/ladder.tsx';
import { JsonView } from '../../../parts/json-view.tsx';
import { Empty, Loaded } from '../../../parts/states.tsx';
import { count } from '../../../parts/written.tsx';
import type { EventAnswer, Explained } from './event.tsx';

type OneVerdict = Explained['verdicts'][number];
type Delivery = EventAnswer['deliveries'][number];

interface VerdictsProps {
  readonly id: string;
  readonly trust: Explained['trust'];
  readonly receivedAt: string | undefined;
  readonly verdicts: Explained['verdicts'];
  readonly deliveries: EventAnswer['deliveries'];
}

export function Verdicts({ verdicts, deliveries, ...rest }: VerdictsProps) {
  if (verdicts.length === 0) return <Empty title="No platform is known for this event." />;
  return (
    <>
      <p className="mb-3 text-dim">{summaryOf(verdicts)}</p>
      <ul>
        {verdicts.map((verdict) => (
          <OnePlatform
            key={verdict.platform}
            verdict={verdict}
            delivery={deliveries.find(({ platform }) => platform === verdict.platform)}
            {...rest}
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

interface OnePlatformProps extends Omit<VerdictsProps, 'verdicts' | 'deliveries'> {
  readonly verdict: OneVerdict;
  readonly delivery: Delivery | undefined;
}

function OnePlatform({ verdict, delivery, id, trust, receivedAt }: OnePlatformProps) {
  const [isOpen, setOpen] = useState(false);
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
            {verdict.subject !== undefined && <span className="text-dim"> ({verdict.subject})</span>}
            {delivery?.maybe_delivered && (
              <span className="text-wait"> An attempt without an answer may have reached it.</span>
            )}
          </span>
        </summary>
        {isOpen && (
          <div className="grid gap-4 py-3 md:grid-cols-2">
            <div className="min-w-0">
              <h3 className="mb-1">Attempts</h3>
              {delivery === undefined || receivedAt === undefined || delivery.history.length === 0 ? (
                <p className="text-dim">There was none.</p>
              ) : (
                <Ladder
                  from={receivedAt}
                  attempts={delivery.history.map(attemptOf)}
                  next={delivery.next_attempt_at}
                  closes={delivery.window_closes_at}
                />
              )}
              {verdict.changed_by !== undefined && (
                <p className="mt-2">Changed by rules: {verdict.changed_by.join(', ')}</p>
              )}
            </div>
            <Payload id={id} trust={trust} platform={verdict.platform} label={verdict.label} />
          </div>
        )}
      </details>
    </li>
  );
}

function attemptOf({
  at,
  latency_ms,
  http_status,
  outcome,
  code,
  message,
  batch_size,
}: Delivery['history'][number]): Attempt {
  const answer = http_status === undefined ? 'no answer' : `HTTP ${http_status}`;
  const words = [answer, outcome, code, message].filter((word) => word !== undefined && word !== '');
  const together = batch_size > 1 ? `, with ${count(batch_size - 1)} others` : '';
  return {
    at,
    said: `${words.join(' · ')} in ${Math.round(latency_ms)} ms${together}`,
    isGood: outcome === 'delivered' || outcome === 'duplicate',
  };
}

/** Asked for when it is opened: it is made anew from the event, with every secret masked. */
function Payload({
  id,
  trust,
  platform,
  label,
}: Omit<OnePlatformProps, 'verdict' | 'delivery' | 'receivedAt'> & {
  readonly platform: string;
  readonly label: string;
}) {
  const body = { platform, event_id: id, trust };
  const preview = useAsk(['preview', id, trust, platform], (client, signal) =>
    client.previewPlatform({ body }, { signal }),
  );
  return (
    <div className="min-w-0">
      <h3 className="mb-1">Request to {label}</h3>
      <Loaded query={preview} rows={4}>
        {({ request, warnings, errors }) => (
          <>
            {[...errors, ...warnings].map(({ code, field, message }) => (
              <p key={`${code} ${field ?? ''}`} className="foreign text-sm text-wait">
                ▲ {message}
              </p>
            ))}
            {request === null ? (
              <p className="text-dim">No request can be made of it.</p>
            ) : (
              <>
                <p className="foreign my-1 font-mono text-sm">
                  {request.method} {request.url}
                </p>
                <JsonView name={`Request to ${label}`} value={request.body_json ?? request.body} />
              </>
            )}
          </>
        )}
      </Loaded>
    </div>
  );
}
