// What a rule would change in the last events: counted and shown before it is saved, and nothing is written.

import { useEffect, useState } from 'react';
import { type Answer, type Input, useChange } from '#dashboard/app/api.tsx';
import { FATES, fateOf } from '#dashboard/look/sign.tsx';
import { Button } from '#dashboard/parts/button.tsx';
import { Field, Form } from '#dashboard/parts/field.tsx';
import { Empty, Failure, Notice, Panel } from '#dashboard/parts/page.tsx';
import { type Problems, problemsOf } from '#dashboard/parts/problems.ts';
import { count, Time } from '#dashboard/parts/written.tsx';
import { EventLink } from '../event-link.tsx';
import { labelOf, usePlatforms } from '../platform-list.ts';
import { numberOf } from './typed-values.ts';

export type PreviewBody = Omit<Input<'previewRule'>['body'], 'last'>;
type Preview = Answer<'previewRule'>;
type Outcome = Preview['events'][number]['platforms'][number]['before'];

const LAST = '100';
/** More are counted, but not shown. */
const ROWS = 50;

interface DryRunProps {
  readonly body: PreviewBody;
  /** What else is to be known of what was tried. */
  readonly about?: string | undefined;
  /** Of the rule, once it was refused. */
  readonly refused?: (error: unknown) => Problems;
  /** Called with a refusal, so that a form can show it at its fields. */
  readonly onError?: (error: unknown) => void;
}

export function DryRun({ body, about, refused, onError }: DryRunProps) {
  const [last, setLast] = useState(LAST);
  const [tried, setTried] = useState('');
  const now = JSON.stringify([body, last]);
  const preview = useChange(({ client }, asked: PreviewBody) =>
    client.previewRule({ body: { ...asked, last: numberOf(last) as number } }),
  );
  const { error } = preview;
  useEffect(() => onError?.(error), [onError, error]);
  const own = problemsOf(error, ['last']);
  const isAtFields = error !== null && (own.rest === null || refused?.(error).rest === null);
  return (
    <Panel title="Dry run" busy={preview.isPending}>
      <p className="mb-3 text-dim">
        Tries it on the newest events that are stored, with all other rules as they are. Nothing is written.
        {about !== undefined && <> {about}</>}
      </p>
      <Form
        className="flex flex-wrap items-end gap-3"
        send={() => {
          if (preview.isPending) return;
          setTried(now);
          preview.send(body);
        }}
      >
        <Field
          label="Newest events (500 at most)"
          inputMode="numeric"
          value={last}
          problem={own.at('last')}
          change={setLast}
        />
        <Button type="submit" busy={preview.isPending}>
          {preview.isPending ? 'Trying…' : 'Try it'}
        </Button>
      </Form>
      {!isAtFields && <Failure error={error} />}
      {isAtFields && <Notice tone="bad">It could not be tried: see the marked fields.</Notice>}
      {preview.data && <Found preview={preview.data.body} isOld={tried !== now} />}
    </Panel>
  );
}

function Found({ preview, isOld }: { readonly preview: Preview; readonly isOld: boolean }) {
  const { examined, changed, skipped, events } = preview;
  return (
    <div className="mt-4">
      <output className="block">
        <strong>{count(changed)}</strong> of the last {count(examined)} events would change.
        {skipped > 0 && <> Of {count(skipped)} nothing can be said: they were erased, or are replays.</>}
        {isOld && <span className="block text-wait">▲ The rule was changed since: try it again.</span>}
      </output>
      {examined === 0 && <Empty title="No event is stored yet" />}
      {events.length > 0 && (
        <div className={`mt-3 ${isOld ? 'opacity-70' : ''}`}>
          <ul aria-label="Events that would change">
            {events.slice(0, ROWS).map((event) => (
              <OneEvent key={`${event.trust} ${event.event_id}`} event={event} />
            ))}
          </ul>
          {events.length > ROWS && (
            <p className="mt-2 text-sm text-dim">The newest {count(ROWS)} are shown.</p>
          )}
        </div>
      )}
    </div>
  );
}

function OneEvent({ event }: { readonly event: Preview['events'][number] }) {
  const { event_id, trust, event_name, received_at, platforms } = event;
  const list = usePlatforms();
  const groups = Map.groupBy(platforms, ({ before, after }) => JSON.stringify([before, after]));
  return (
    <li className="grid gap-x-4 border-b border-line py-2 md:grid-cols-3">
      <div className="min-w-0">
        <EventLink event_id={event_id} trust={trust} />
        <span className="block text-sm text-dim">
          <bdi className="foreign">{event_name}</bdi>, received <Time at={received_at} as="ago" />
        </span>
      </div>
      <ul className="min-w-0 md:col-span-2">
        {[...groups].map(([key, same]) => (
          <li key={key} className="py-1">
            <span className="block text-sm font-bold">
              {new Set(same.map(({ platform }) => platform)).size === list.data?.available.length
                ? 'Every platform'
                : same
                    .map(({ platform, connection_id }) => labelOf(list.data, connection_id ?? platform))
                    .join(', ')}
            </span>
            {same.slice(0, 1).map(({ platform, before, after }) => (
              <span key={platform}>
                <Said outcome={before} /> → <Said outcome={after} />
              </span>
            ))}
          </li>
        ))}
      </ul>
    </li>
  );
}

function Said({ outcome: { verdict, subject, changed_by } }: { readonly outcome: Outcome }) {
  const { sign, text } = FATES[verdict === 'pending' ? 'delivered' : fateOf(verdict)];
  return (
    <span className="foreign">
      <span aria-hidden className={`${text} font-bold`}>
        {sign}
      </span>{' '}
      {WORDS[verdict]}
      {verdict === 'invalid' && subject !== undefined && <> ({subject})</>}
      {changed_by.length > 0 && ', changed by a rule'}
    </span>
  );
}

const WORDS: Readonly<Record<Outcome['verdict'], string>> = {
  pending: 'is sent',
  not_connected: 'not connected',
  not_selected: 'meant for other platforms only',
  connection_paused: 'waits for its connection',
  rule_excluded: 'kept back by a rule',
  consent_denied: 'withheld: consent',
  consent_missing: 'withheld: consent',
  event_not_listed: 'not in the list of the connection',
  invalid: 'not valid there',
  unmapped: 'no such event there',
  too_old: 'too old',
  bot: 'a bot',
  suppressed: 'a suppressed person',
  personal_found: 'something personal in it',
  server_copy: 'yields to the server copy',
  same_order: 'has the order from another event',
  not_taken_back: 'not taken back there',
  test_mode: 'a test',
};
