// Shows what would be sent to which platform before it is sent. One press is one request; a retry after a lost answer
// has the same idempotency key.

import { useState } from 'react';
import { type Api, type KeyHeaders, useKeyedChange, useRefresh } from '#dashboard/app/api.tsx';
import { fateOf, Sign } from '#dashboard/look/sign.tsx';
import { LinkButton } from '#dashboard/parts/button.tsx';
import { FormDialog } from '#dashboard/parts/dialog.tsx';
import { Empty, Failure, Loaded, Notice } from '#dashboard/parts/page.tsx';
import { codeOf } from '#dashboard/parts/problems.ts';
import { Tick, Ticks } from '#dashboard/parts/tick.tsx';
import { reasonWords } from '#lib/client/reason-words.ts';
import { connectedIn, namedIn, type PlatformList, usePlatforms } from '../platform-list.ts';
import type { EventAnswer } from './event.tsx';
import { isRetried, type ResendMode, type Resent } from './resend.ts';

interface ResendDialogProps {
  readonly mode: ResendMode;
  readonly answer: EventAnswer;
  readonly close: () => void;
  readonly done: (resent: Resent) => void;
}

type Dedupe = 'original' | 'new';

interface Wish {
  readonly mode: ResendMode;
  readonly id: string;
  readonly platforms: readonly string[];
  readonly dedupe: Dedupe;
}

const TITLES: Readonly<Record<ResendMode, string>> = {
  replay: 'Replay this event',
  forward: 'Forward this event',
  retry: 'Retry what failed',
};

const RESENT = ['readEvent', 'explainEvent'] as const;

async function send(
  { client }: Api,
  { mode, id, platforms, dedupe }: Wish,
  headers: KeyHeaders,
): Promise<Resent> {
  const common = { params: { id }, headers };
  if (mode === 'replay') {
    const { body } = await client.replayEvent({ ...common, body: { dedupe } });
    return { of: id, id: body.event_id, to: null };
  }
  const { body } =
    mode === 'forward'
      ? await client.forwardEvent({ ...common, body: { platforms: [...platforms], dedupe } })
      : await client.retryFailed({ ...common, body: {} });
  return { of: id, id: body.event_id, to: body.platforms };
}

export default function ResendDialog({ mode, answer, close, done }: ResendDialogProps) {
  const { event, deliveries } = answer;
  const id = event.event_id;
  const platforms = usePlatforms();
  const [chosen, choose] = useState<readonly string[]>([]);
  const [dedupe, setDedupe] = useState<Dedupe>('original');
  const change = useKeyedChange(send, {
    refresh: RESENT,
    done: (resent) => {
      done(resent);
      close();
    },
  });
  return (
    <FormDialog
      title={TITLES[mode]}
      close={close}
      canLeave={!change.isPending}
      action="Send once more"
      busy={change.isPending}
      refused={mode === 'forward' && chosen.length === 0 ? 'Choose a platform first.' : undefined}
      send={() => change.send({ mode, id, platforms: chosen, dedupe })}
    >
      {event.trust === 'browser' && event.copies.server && (
        <Notice tone="plain">Its server copy is what is sent: that is the one which counts.</Notice>
      )}
      <Loaded query={platforms} rows={3}>
        {(list) => (
          <Targets mode={mode} list={list} deliveries={deliveries} chosen={chosen} choose={choose} />
        )}
      </Loaded>
      {mode !== 'retry' && <DedupeChoice dedupe={dedupe} change={setDedupe} />}
      <Refused error={change.error} />
    </FormDialog>
  );
}

/** Nothing left to retry is not a failure: another person, or the platform, was faster. */
function Refused({ error }: { readonly error: unknown }) {
  const refresh = useRefresh();
  if (codeOf(error) !== 'nothing_to_retry') return <Failure error={error} />;
  return (
    <Notice tone="wait">
      There is nothing left to retry: no delivery of this event has failed or waits for a retry any more.
      Somebody may have retried it meanwhile, or a platform has taken it. To send it all the same, replay it.{' '}
      <button type="button" className="text-accent underline" onClick={() => void refresh(RESENT)}>
        Show what became of it
      </button>
    </Notice>
  );
}

interface TargetsProps {
  readonly mode: ResendMode;
  readonly list: PlatformList;
  readonly deliveries: EventAnswer['deliveries'];
  readonly chosen: readonly string[];
  readonly choose: (slugs: readonly string[]) => void;
}

function Targets({ mode, list, deliveries, chosen, choose }: TargetsProps) {
  const connected = connectedIn(list);
  if (mode === 'retry')
    return (
      <>
        <p className="mb-2">
          Sent to these platforms once more, under the id they know it by. Retries that wait end.
        </p>
        <ul>
          {deliveries.filter(isRetried).map(({ platform, label, status, reason }) => (
            <li key={platform} className="foreign py-1">
              <Sign fate={fateOf(status)} /> {label}
              {reason !== undefined && <span className="text-dim"> · {reasonWords(reason)}</span>}
            </li>
          ))}
        </ul>
      </>
    );
  if (connected.length === 0)
    return (
      <Empty title="No platform is connected">
        <LinkButton to="/connect">Connect a platform</LinkButton>
      </Empty>
    );
  if (mode === 'replay')
    return (
      <p className="foreign">
        It goes through the whole pipeline once more, to every platform that is connected now:{' '}
        {connected.map(([, label]) => label).join(', ')}.
      </p>
    );
  return (
    <fieldset>
      <legend className="mb-1 font-bold">To</legend>
      <Ticks
        options={namedIn(list, connected).map(([slug, label]) => {
          const status = statusAt(deliveries, slug);
          return [
            slug,
            <span key={slug}>
              {label} {status !== undefined && <Sign fate={fateOf(status)} />}
            </span>,
          ];
        })}
        chosen={chosen}
        choose={choose}
      />
    </fieldset>
  );
}

/** At a platform, or one connection to it. */
function statusAt(deliveries: EventAnswer['deliveries'], name: string): string | undefined {
  const rows = deliveries.flatMap((row) => [
    { name: row.platform, status: row.status },
    ...(row.connections ?? []).map(({ connection_id, status }) => ({ name: connection_id, status })),
  ]);
  return rows.find((row) => row.name === name)?.status;
}

const DEDUPES = [
  ['original', 'The id they know it by: a platform that has the event counts it once.'],
  ['new', 'A new id: a platform that has the event counts it, and its value, a second time.'],
] as const;

interface DedupeChoiceProps {
  readonly dedupe: Dedupe;
  readonly change: (dedupe: Dedupe) => void;
}

function DedupeChoice({ dedupe, change }: DedupeChoiceProps) {
  return (
    <fieldset className="mt-4">
      <legend className="mb-1 font-bold">Under</legend>
      {DEDUPES.map(([value, words]) => (
        <Tick key={value} group="dedupe" isOn={dedupe === value} set={() => change(value)}>
          {words}
        </Tick>
      ))}
    </fieldset>
  );
}
