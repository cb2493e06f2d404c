// Overview: is tracking healthy. What is wrong comes first; every figure opens the rows it counts; each platform's bar adds up to the events.
import { Link } from 'wouter';
import { type Answer, useAsk } from '#dashboard/app/api.tsx';
import { useLive } from '#dashboard/app/polling.ts';
import { FateLegend, SplitBar } from '#dashboard/parts/charts/split-bar.tsx';
import { Figure } from '#dashboard/parts/figure.tsx';
import { Loaded, Notice, Page, Panel } from '#dashboard/parts/page.tsx';
import { withQuery } from '#dashboard/parts/url-state.ts';
import { count, duration, money, percent, score } from '#dashboard/parts/written.tsx';
import { otherMoney } from '../currencies.ts';
import { labelOf, linesOf, usePlatforms } from '../platform-list.ts';
import { useRange } from '../ranges.tsx';
import { CostPerMillion } from './cost-per-million.tsx';
import { FirstEvent } from './first-event.tsx';
import { Recount } from './recount.tsx';
import { Troubles } from './troubles.tsx';
import { Volume } from './volume.tsx';

type Overview = Answer<'getOverview'>;
type PlatformSums = Overview['platforms'][number];

export default function OverviewPage() {
  const { input, picker } = useRange();
  const everyMs = useLive();
  const overview = useAsk('getOverview', input, { everyMs, keep: true });
  // Connections are dearer to ask about than counters, and change less often.
  const platforms = usePlatforms(everyMs * 3);
  return (
    <Page title="Overview" about="Whether what your shop sends arrives where it should." actions={picker}>
      <Troubles connections={platforms.data?.platforms ?? []} />
      <Loaded query={overview} rows={8}>
        {(data) =>
          data.events === 0 && data.events_24h === 0 && data.refused.total === 0 ? (
            <FirstEvent steps={data.next_steps} />
          ) : (
            <Figures data={data} everyMs={everyMs} isNamed={platforms.data !== undefined} />
          )
        }
      </Loaded>
    </Page>
  );
}

interface FiguresProps {
  readonly data: Overview;
  readonly everyMs: number;
  /** What is wrong with connections is said above already. */
  readonly isNamed: boolean;
}

function Figures({ data, everyMs, isNamed }: FiguresProps) {
  const { start, end } = data;
  const has = (name: Overview['without_data'][number]): boolean => !data.without_data.includes(name);
  const rows = (outcome?: 'delivered' | 'waiting' | 'failed') =>
    withQuery('/events', { outcome, start, end });
  return (
    <>
      <Warnings data={data} isNamed={isNamed} />
      <dl className="mb-6 grid grid-cols-2 gap-4 md:grid-cols-4">
        <Figure
          name="Accepted"
          value={count(data.events)}
          to={rows()}
          delta={changeOf(data, 'events', count)}
        />
        <Figure
          name="Delivered"
          value={has('delivery_rate') ? percent(data.delivery_rate) : '–'}
          to={rows('delivered')}
          delta={changeOf(data, 'delivery_rate', percent)}
          note={`${count(data.delivered)} of ${count(data.due)} that were due`}
        />
        <Figure
          name="Waiting"
          value={count(data.waiting)}
          to={rows('waiting')}
          note={data.waiting === 0 ? undefined : 'not delivered yet'}
        />
        <Figure
          name="Not delivered"
          value={count(data.undelivered)}
          to={rows('failed')}
          delta={changeOf(data, 'undelivered', count)}
        />
        <Figure
          name="Health"
          value={has('health_score') ? `${score(data.health_score)} / 100` : '–'}
          to="/platforms"
          delta={changeOf(data, 'health_score', score)}
        />
        <Figure
          name="Time to deliver"
          value={has('avg_latency_ms') ? duration(data.avg_latency_ms) : '–'}
          to={withQuery('/events', { outcome: 'delivered', start, end, orderBy: 'received_at' })}
          delta={changeOf(data, 'avg_latency_ms', duration)}
        />
        <Figure
          name="Revenue"
          value={data.revenue_currency === null ? '–' : money(data.revenue_tracked, data.revenue_currency)}
          to={withQuery('/orders', { start, end })}
          delta={changeOf(data, 'revenue_tracked', (value) => money(value, data.revenue_currency))}
          note={otherMoney(data.revenue_by_currency, data.revenue_not_included)}
        />
        <CostPerMillion everyMs={everyMs} />
      </dl>
      <Recount range={data.range === 'custom' ? '24h' : data.range} />
      <WhereEventsWent data={data} />
      <Volume range={data.range === 'custom' ? '24h' : data.range} everyMs={everyMs} />
      {data.refused.total > 0 && <Refused refused={data.refused} />}
    </>
  );
}

function changeOf(data: Overview, name: string, write: (value: number) => string) {
  const delta = data.deltas[name];
  if (delta === undefined || delta === 0) return undefined;
  return { text: write(Math.abs(delta)), isUp: delta > 0 };
}

function Warnings({ data, isNamed }: Pick<FiguresProps, 'data' | 'isNamed'>) {
  const steps = data.next_steps.filter(({ code }) => !isNamed || code !== 'repair_connection').slice(0, 3);
  return (
    <>
      {steps.map(({ code, text }) => (
        <Notice key={code} tone="wait">
          {text}
          {code === 'repair_connection' && (
            <>
              {' '}
              <Link href="/platforms">Repair</Link>
            </>
          )}
        </Notice>
      ))}
      {data.browser_limit.reached_at !== null && (
        <Notice tone="wait">
          More than {count(data.browser_limit.events_per_minute)} browser events came in one minute, and what
          came on top was refused.
        </Notice>
      )}
    </>
  );
}

function WhereEventsWent({ data }: { readonly data: Overview }) {
  const platforms = usePlatforms();
  const pairs = data.events * data.platforms.length;
  return (
    <Panel title="Where every event went" actions={<FateLegend />}>
      <p className="mb-2 text-dim">
        {count(data.events)} events × {count(data.platforms.length)} platforms = {count(pairs)}. A number
        opens its events.
      </p>
      {data.platforms.flatMap((sums) => [
        <SplitBar
          key={sums.platform}
          name={labelOf(platforms.data, sums.platform)}
          parts={splitsOf(sums.platform, sums, data)}
        />,
        ...linesOf(platforms.data, sums.platform, data.connections).map(({ name, label, ...own }) => (
          <SplitBar key={name} name={label} parts={splitsOf(name, own, data)} />
        )),
      ])}
    </Panel>
  );
}

/** `platform`: its slug, or the id of a connection to it. */
function splitsOf(platform: string, sums: Omit<PlatformSums, 'platform'>, { start, end }: Overview) {
  return (['delivered', 'waiting', 'failed', 'withheld'] as const).map((fate) => ({
    fate,
    value: sums[fate],
    to: withQuery('/events', { platform, outcome: fate, start, end }),
  }));
}

/** Why events were refused at the door. A code without words does not compile. */
const REFUSED: Readonly<Record<Overview['refused']['by_reason'][number]['reason'], string>> = {
  invalid_json: 'The body was not valid JSON',
  invalid_request: 'Something in the event was wrong or missing',
  payload_too_large: 'The request was too large',
  unsupported_media_type: 'The body was not sent as application/json',
  unauthorized: 'The API key was missing, revoked or wrong',
  forbidden: 'The API key may not send events',
  merchant_mismatch: 'The event named another merchant than the API key',
  browser_ingestion_disabled: 'Events from browsers are switched off',
  origin_not_allowed: 'The website is not one that may send events',
  duplicate_event: 'An event with this id came within the last 24 hours',
  rate_limited: 'Too many requests in a short time',
  browser_limit_reached: 'More browser events in a minute than are taken',
  event_limit_reached: 'More events of servers in a minute than are taken',
};

function Refused({ refused }: { readonly refused: Overview['refused'] }) {
  return (
    <Panel title="Refused at the door">
      <p className="mb-2 text-dim">
        About {count(refused.total)} events or requests were answered with an error, and are in no figure
        above.
      </p>
      <ul>
        {refused.by_reason.map(({ reason, field, count: times }) => (
          <li key={`${reason} ${field ?? ''}`} className="flex gap-3 py-1">
            <span className="w-16 text-right font-bold">{count(times)}</span>
            <span>
              {REFUSED[reason]}
              {field && <>: {field}</>}
            </span>
          </li>
        ))}
      </ul>
    </Panel>
  );
}
