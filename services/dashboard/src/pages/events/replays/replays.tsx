// Replays: recover after an outage. A plan lives in the service: a reload, or somebody else, sees the same one.
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useRefusal } from '../../../app/account.ts';
import { type Client, useAsk, useChange } from '../../../app/api.tsx';
import { useLive } from '../../../app/polling.ts';
import { Button } from '../../../parts/button.tsx';
import { Page, Panel } from '../../../parts/page.tsx';
import { Empty, Failure, Loaded, Notice } from '../../../parts/states.tsx';
import { Cell, Row, Table } from '../../../parts/table.tsx';
import { useUrlState } from '../../../parts/url-state.ts';
import { count, Time } from '../../../parts/written.tsx';
import { labelOf, usePlatforms } from '../platform-list.ts';
import { PlanForm } from './plan-form.tsx';

type Replay = Awaited<ReturnType<Client['readReplay']>>['body']['replay'];

const REPLAYS_KEY = ['replays'] as const;

export default function ReplaysPage() {
  const [{ cursor }, change] = useUrlState();
  const queries = useQueryClient();
  const update = (): void => void queries.invalidateQueries({ queryKey: REPLAYS_KEY });
  const refusal = useRefusal('createReplay');
  const replays = useAsk(
    [...REPLAYS_KEY, cursor],
    (client, signal) =>
      client.listReplays({ query: { limit: 20, ...(cursor === undefined ? {} : { cursor }) } }, { signal }),
    { everyMs: useLive(), keep: true },
  );
  return (
    <Page title="Replays" about="Send stored events once more, after an outage or to a platform that is new.">
      <Notice tone="plain">
        Nothing counts twice: platforms get the id of the original event, by which they know what they have,
        and our own figures leave replays out.
      </Notice>
      {refusal === undefined ? <PlanForm made={update} /> : <Notice tone="plain">{refusal}</Notice>}
      <Panel title="Plans">
        <Loaded query={replays} rows={4}>
          {({ replays: plans, next_cursor }) =>
            plans.length === 0 ? (
              <Empty title="There was no replay yet">
                A dry run counts what one would do, and sends nothing.
              </Empty>
            ) : (
              <>
                <ul>
                  {plans.map((replay) => (
                    <OneReplay key={replay.id} replay={replay} update={update} />
                  ))}
                </ul>
                {next_cursor !== null && (
                  <Button onClick={() => change({ cursor: next_cursor })}>Older ones</Button>
                )}
              </>
            )
          }
        </Loaded>
      </Panel>
    </Page>
  );
}

const STATES = {
  running: ['↻', 'text-wait'],
  paused: ['❚❚', 'text-wait'],
  done: ['✔', 'text-good'],
  cancelled: ['✖', 'text-dim'],
} as const;

interface OneReplayProps {
  readonly replay: Replay;
  readonly update: () => void;
}

function OneReplay({ replay, update }: OneReplayProps) {
  const { state, dry_run, filter, only, rate, progress, created_at, updated_at } = replay;
  const [sign, look] = STATES[state];
  const isOver = state === 'done' || state === 'cancelled';
  return (
    <li className="border-b border-line py-4">
      <div className="flex flex-wrap items-baseline justify-between gap-x-4">
        <h3>
          <span className={look}>
            <span aria-hidden>{sign}</span> {state}
          </span>{' '}
          · {dry_run ? 'dry run' : 'replay'} of {only === 'all' ? 'all events' : 'what was not delivered'}
        </h3>
        <span className="text-sm text-dim">
          made <Time at={created_at} as="ago" />, looked at <Time at={updated_at} as="ago" />
        </span>
      </div>
      <p className="foreign text-dim">
        received <Time at={filter.start} /> to <Time at={filter.end} />
        {filter.event_name && <>, {filter.event_name}</>}
        {filter.source && <>, from {filter.source}</>}
        {filter.event_ids && <>, {count(filter.event_ids.length)} ids</>} · {count(rate)} a second at most
      </p>
      <p className="my-2">
        <strong>{count(progress.sent)}</strong> {dry_run ? 'would be sent' : 'sent'} of{' '}
        {count(progress.matched)} that fit, {count(progress.seen)} looked at
        {progress.unreadable > 0 && <>, {count(progress.unreadable)} unreadable</>}.
      </p>
      <Counts replay={replay} />
      {!isOver && <Steering replay={replay} update={update} />}
    </li>
  );
}

const WORDS = [
  ['will_send', 'sent'],
  ['already_delivered', 'already there'],
  ['in_progress', 'under way'],
  ['too_old', 'too old'],
  ['excluded', 'excluded'],
  ['erased', 'erased'],
] as const;

function Counts({ replay: { counts, dry_run } }: { readonly replay: Replay }) {
  const platforms = usePlatforms();
  const entries = Object.entries(counts);
  if (entries.length === 0) return null;
  const head = WORDS.map(([word, name]) => (word === 'will_send' && dry_run ? 'would be sent' : name));
  return (
    <details>
      <summary className="text-sm">By platform</summary>
      <Table name="By platform" head={['Platform', ...head]}>
        {entries.map(([slug, words]) => (
          <Row key={slug}>
            <Cell className="font-bold">{labelOf(platforms.data, slug)}</Cell>
            {WORDS.map(([word]) => (
              <Cell key={word}>{count(words[word] ?? 0)}</Cell>
            ))}
          </Row>
        ))}
      </Table>
    </details>
  );
}

/** Of a plan that is not over. */
function Steering({ replay: { id, state }, update }: OneReplayProps) {
  const [asks, setAsks] = useState(false);
  const change = useChange((client: Client, to: 'running' | 'paused') =>
    client.changeReplay({ params: { id }, body: { state: to } }),
  );
  const cancel = useChange((client: Client, _: null) => client.cancelReplay({ params: { id } }));
  const isRunning = state === 'running';
  return (
    <>
      <div className="mt-2 flex flex-wrap gap-2">
        <Button busy={change.isPending} onClick={() => change.send(isRunning ? 'paused' : 'running', update)}>
          {isRunning ? 'Pause' : 'Resume'}
        </Button>
        {asks ? (
          <>
            <Button kind="danger" busy={cancel.isPending} onClick={() => cancel.send(null, update)}>
              Cancel for good: what was sent stays sent
            </Button>
            <Button onClick={() => setAsks(false)}>Keep it</Button>
          </>
        ) : (
          <Button kind="danger" onClick={() => setAsks(true)}>
            Cancel
          </Button>
        )}
      </div>
      {change.error && <Failure error={change.error} />}
      {cancel.error && <Failure error={cancel.error} />}
    </>
  );
}
