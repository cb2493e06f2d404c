// Platforms: each connection, whether it works, what waits for it, and what can be done about it.
import { useState } from 'react';
import { Link } from 'wouter';
import { useRefusal } from '#dashboard/app/account.ts';
import { useChange } from '#dashboard/app/api.tsx';
import { useLive } from '#dashboard/app/polling.ts';
import { FATES } from '#dashboard/look/sign.tsx';
import { Button, LinkButton } from '#dashboard/parts/button.tsx';
import { Confirm, lazily } from '#dashboard/parts/lazily.tsx';
import { Empty, Failure, Loaded, Notice, Page } from '#dashboard/parts/page.tsx';
import { withQuery } from '#dashboard/parts/url-state.ts';
import { count, duration, percent, Time } from '#dashboard/parts/written.tsx';
import { reasonWords } from '#lib/client/reason-words.ts';
import { type Connection, usePlatforms } from '../platform-list.ts';
import { TestResult } from '../test-result.tsx';
import { ownRulesText } from './own-rules-words.ts';
import { Version, type VersionProps } from './version.tsx';

const OwnRules = lazily(() => import('./own-rules.tsx'));

export default function PlatformsPage() {
  const platforms = usePlatforms(useLive());
  const refusal = useRefusal('connectPlatform');
  return (
    <Page
      title="Platforms"
      about="Where your events go. A secret that was entered is never shown again."
      actions={
        refusal === undefined && (
          <LinkButton to="/connect" kind="primary">
            Connect a platform
          </LinkButton>
        )
      }
    >
      <Loaded query={platforms} rows={10}>
        {({ platforms: connections, available }) =>
          connections.length === 0 ? (
            <Empty title="No platform is connected">
              Events are kept meanwhile, and can be replayed to a platform that is connected later.
            </Empty>
          ) : (
            <ul className="grid gap-4 lg:grid-cols-2">
              {connections.map((connection) => (
                <OneConnection
                  key={connection.id}
                  connection={connection}
                  versions={available.find((one) => one.platform === connection.platform)?.api_versions ?? []}
                />
              ))}
            </ul>
          )
        }
      </Loaded>
    </Page>
  );
}

type Word = readonly [text: string, look: string];

function conditionOf({ status, paused_reason, health }: Connection): Word {
  if (status === 'paused' && paused_reason === 'auth')
    return ['✖ the platform refused its credentials', 'text-bad'];
  if (status === 'paused') return ['↻ paused by a person', 'text-wait'];
  if (health.circuit.state === 'open') return ['↻ does not answer; tried again by itself', 'text-wait'];
  if (health.trouble?.kind === 'failing') return ['▲ fails most of what it is sent', 'text-bad'];
  if (health.trouble?.kind === 'limited') return ['↻ events held back by its limit', 'text-wait'];
  if (health.delivered_24h + health.undelivered_24h === 0) return ['– nothing in 24 hours', 'text-dim'];
  return ['✔ works', 'text-good'];
}

const DAY_MS = 86_400_000;

/** To the minute: a link does not change with each drawing of the page. */
const aDayAgo = (): string => `${new Date(Date.now() - DAY_MS).toISOString().slice(0, 16)}:00.000Z`;

function OneConnection({ connection, versions }: VersionProps) {
  const { label, name, platform, health, paused_at, next_probe_at } = connection;
  // Its figures are its own: not those of another connection to the platform.
  const own = { platform: connection.id };
  const [words, look] = conditionOf(connection);
  const start = aDayAgo();
  return (
    <li className="min-w-0 rounded-md border border-line bg-surface p-4">
      <div className="flex flex-wrap items-baseline justify-between gap-x-4">
        <h2 className="text-lg">{label}</h2>
        <span className={`font-bold ${look}`}>{words}</span>
      </div>
      <p className="foreign text-sm text-dim">
        {name}
        {paused_at && (
          <>
            {' '}
            · since <Time at={paused_at} as="ago" />
          </>
        )}
      </p>
      {ownRulesText(connection) !== null && <p className="foreign text-sm">{ownRulesText(connection)}</p>}
      {connection.paused_reason === 'auth' && (
        <Notice tone="bad">
          {count(health.backlog)} events wait for new credentials, each for as long as the platform takes it
          and it is kept here. One is sent each hour
          {next_probe_at && health.backlog > 0 && (
            <>
              {' '}
              (next <Time at={next_probe_at} as="ago" />)
            </>
          )}
          , and the rest once it is taken.{' '}
          <Link href={withQuery('/connect', { platform, step: 'credentials' })}>Enter new credentials</Link>
        </Notice>
      )}
      <dl className="my-3 grid grid-cols-2 gap-2 sm:grid-cols-4">
        <Fact
          name="Delivered, 24 h"
          value={count(health.delivered_24h)}
          to={withQuery('/events', { ...own, outcome: 'delivered', start })}
        />
        <Fact
          name="Not taken, 24 h"
          value={health.error_rate_24h === null ? '–' : percent(health.error_rate_24h)}
          to={withQuery('/events', {
            ...own,
            outcome: health.retrying_24h > 0 ? 'waiting' : 'failed',
            start,
          })}
        />
        <Fact
          name="Waiting"
          value={count(health.backlog)}
          to={withQuery('/events', { ...own, outcome: 'waiting' })}
        />
        <Fact
          name="Answers, p95"
          value={health.call_latency_p95_ms === null ? '–' : duration(health.call_latency_p95_ms)}
        />
      </dl>
      <Later of={own} later={health.later} />
      <Waiting health={health} />
      {connection.warnings.map(({ code, message }) => (
        <p key={code} className="foreign mb-3 text-sm text-wait">
          ▲ {message}
        </p>
      ))}
      <Actions connection={connection} />
      {versions.length > 1 && <Version connection={connection} versions={versions} />}
    </li>
  );
}

function Fact({ name, value, to }: { readonly name: string; readonly value: string; readonly to?: string }) {
  return (
    <div>
      <dt className="text-xs text-dim">{name}</dt>
      <dd className="text-lg">
        {to === undefined ? (
          value
        ) : (
          <Link href={to} className="text-ink">
            {value}
          </Link>
        )}
      </dd>
    </div>
  );
}

/** What it took back of the last week. */
function Later({
  of: own,
  later,
}: {
  readonly of: { readonly platform: string };
  readonly later: Connection['health']['later'];
}) {
  return later.map(({ word, reason, events, rejected, since }) => {
    const said = laterText(word, count(events), rejected === undefined ? 'some' : count(rejected));
    // Of the others no row says which they are.
    const rows = withQuery('/events', { ...own, status: 'FAILED', code: reason, start: since });
    return (
      <p key={`${word} ${reason}`} className="foreign mb-3 text-sm">
        {word === 'rejected' ? <Link href={rows}>{said}</Link> : said}: {reasonWords(reason)}
      </p>
    );
  });
}

function laterText(
  word: Connection['health']['later'][number]['word'],
  events: string,
  some: string,
): string {
  if (word === 'rejected') return `${events} accepted events were rejected later`;
  return word === 'partly'
    ? `${some} of ${events} accepted events were rejected later, it is not said which`
    : `${events} accepted events were never confirmed`;
}

function Waiting({ health: { oldest_waiting: oldest, circuit } }: { readonly health: Connection['health'] }) {
  if (oldest === null) return null;
  return (
    <p className="mb-3 text-sm">
      <span className={FATES.waiting.text}>↻</span> the oldest came <Time at={oldest.received_at} as="ago" />
      {oldest.window_closes_at && (
        <>
          ; {oldest.we_try_until === undefined ? 'the platform takes it' : 'it is kept or tried'} until{' '}
          <Time at={oldest.window_closes_at} />
        </>
      )}
      {circuit.next_probe_at && (
        <>
          ; tried again <Time at={circuit.next_probe_at} as="ago" />
        </>
      )}
    </p>
  );
}

type Status = Connection['status'];

function Actions({ connection }: { readonly connection: Connection }) {
  const { id, platform, label, status, version } = connection;
  const [asks, setAsks] = useState(false);
  const [edits, setEdits] = useState(false);
  const test = useChange(({ client }) => client.testPlatform({ params: { id } }));
  const change = useChange(
    ({ client }, to: Status) =>
      client.updatePlatform({
        params: { id },
        headers: { 'if-match': `"${version}"` },
        body: { status: to },
      }),
    { refresh: ['listPlatforms'] },
  );
  const refusal = useRefusal('updatePlatform');
  return (
    <>
      <div className="flex flex-wrap gap-2">
        <Button refused={refusal} busy={test.isPending} onClick={() => test.send()}>
          {test.isPending ? 'Testing…' : 'Test'}
        </Button>
        <Button
          refused={refusal}
          busy={change.isPending}
          onClick={() => change.send(status === 'active' ? 'paused' : 'active')}
        >
          {status === 'active' ? 'Pause' : 'Resume'}
        </Button>
        <LinkButton to={withQuery('/connect', { platform, step: 'credentials' })}>New credentials</LinkButton>
        <Button refused={refusal} onClick={() => setEdits(true)}>
          Events and consent
        </Button>
        <Button kind="danger" refused={refusal} onClick={() => setAsks(true)}>
          Disconnect
        </Button>
      </div>
      <Failure error={test.error} />
      <Failure error={change.error} />
      {test.data && <TestResult result={test.data.body} />}
      {edits && <OwnRules connection={connection} close={() => setEdits(false)} />}
      {asks && <Disconnect id={id} label={label} close={() => setAsks(false)} />}
    </>
  );
}

interface DisconnectProps {
  readonly id: string;
  readonly label: string;
  readonly close: () => void;
}

function Disconnect({ id, label, close }: DisconnectProps) {
  const disconnect = useChange(({ client }) => client.disconnectPlatform({ params: { id } }), {
    refresh: ['listPlatforms'],
    done: close,
  });
  return (
    <Confirm title={`Disconnect ${label}?`} action="Disconnect" change={disconnect} close={close}>
      <p>
        What waits for it is not sent any more, and its credentials are deleted. What was delivered stays
        delivered, and events can be replayed once it is connected again.
      </p>
    </Confirm>
  );
}
