// One event: why each platform got it, or did not, with its attempts; and what was received.

import { useState } from 'react';
import { Link } from 'wouter';
import { type Answer, useAsk } from '#dashboard/app/api.tsx';
import { useLive } from '#dashboard/app/polling.ts';
import { Empty, LoadedPanel, Notice, Page } from '#dashboard/parts/page.tsx';
import { useUrlState, withQuery } from '#dashboard/parts/url-state.ts';
import { count, Id, money, Time } from '#dashboard/parts/written.tsx';
import { issueWords } from '../words.ts';
import { Received } from './received.tsx';
import type { Resent } from './resend.ts';
import { ResendActions, ResentNotice } from './resend-actions.tsx';
import { Timeline } from './timeline.tsx';
import { Verdicts } from './verdicts.tsx';

export type EventAnswer = Answer<'readEvent'>;
export type Explained = Answer<'explainEvent'>;

type Trust = 'server' | 'browser';

const trustOf = (text: string | undefined): Trust | undefined =>
  text === 'server' || text === 'browser' ? text : undefined;

export default function EventPage() {
  const [{ id = '', trust }] = useUrlState();
  if (id !== '') return <OneEvent id={id} trust={trustOf(trust)} />;
  return (
    <Page title="No event named">
      <Empty title="The address names no event">
        <p>
          Open one from the <Link href="/events">list of events</Link>, or find it by its id.
        </p>
      </Empty>
    </Page>
  );
}

function OneEvent({ id, trust }: { readonly id: string; readonly trust: Trust | undefined }) {
  const everyMs = useLive();
  const [resent, setResent] = useState<Resent | null>(null);
  const input = { params: { id }, query: trust === undefined ? {} : { trust } };
  const event = useAsk('readEvent', input, { everyMs });
  const explained = useAsk('explainEvent', input, { everyMs });
  return (
    <Page
      title={id}
      about={event.data && <Summary event={event.data.event} />}
      actions={event.data && <ResendActions answer={event.data} done={setResent} />}
    >
      {resent?.of === id && <ResentNotice resent={resent} />}
      {event.data && <Notes event={event.data.event} />}
      <LoadedPanel title="Timeline" query={event} rows={4}>
        {(data) => <Timeline answer={data} />}
      </LoadedPanel>
      <LoadedPanel title="At the platforms" query={explained} rows={12}>
        {(data) => <Verdicts verdicts={data.verdicts} answer={event.data} />}
      </LoadedPanel>
      <LoadedPanel title="Received" query={event} rows={6}>
        {(data) => <Received event={data.event} />}
      </LoadedPanel>
    </Page>
  );
}

function Summary({ event }: { readonly event: EventAnswer['event'] }) {
  return (
    <>
      <span className="foreign">{event.event_name}</span>
      {event.value !== undefined && <> · {money(event.value, event.currency)}</>} · {event.trust} · received{' '}
      <Time at={event.received_at} />
    </>
  );
}

function Notes({ event }: { readonly event: EventAnswer['event'] }) {
  const other = event.trust === 'server' ? 'browser' : 'server';
  return (
    <>
      {event.copies[other] && (
        <Notice tone="plain">
          This is the {event.trust} copy; a {other} copy of the same id came as well.{' '}
          <Link href={withQuery('/event', { id: event.event_id, trust: other })}>Show the {other} copy</Link>
        </Notice>
      )}
      {event.completed_from_earlier !== undefined && (
        <Notice tone="plain">
          Completed from earlier events of the same person: {event.completed_from_earlier.join(', ')}.
        </Notice>
      )}
      {event.completed_from_page !== undefined && (
        <Notice tone="plain">Completed from the page’s copy: {event.completed_from_page.join(', ')}.</Notice>
      )}
      {event.test && (
        <Notice tone="plain">
          A test: it came with a test key, counts nowhere, and went only where tests are kept apart.
        </Notice>
      )}
      {event.replay_of !== undefined && (
        <Notice tone="plain">
          A replay of{' '}
          <Link href={withQuery('/event', { id: event.replay_of })}>
            <Id>{event.replay_of}</Id>
          </Link>
          . Platforms know it by the original’s id, and it is counted in no other figure.
        </Notice>
      )}
      {event.personal_data === 'erased' && (
        <Notice tone="plain">
          Its personal data was erased: what was sent about the person is gone for good.
        </Notice>
      )}
      {event.issues.length > 0 && (
        <Notice tone="wait">
          {count(event.issues.length)} {event.issues.length === 1 ? 'value was' : 'values were'} noticed:{' '}
          {event.issues.map(({ field, code }) => `${field} ${issueWords(code)}`).join('; ')}
        </Notice>
      )}
    </>
  );
}
