// Overview: is tracking healthy. Every figure opens the rows it counts; each platform's bar adds up to the events.
import { Link } from 'wouter';
import { type Client, useAsk } from '../../../app/api.tsx';
import { useLive } from '../../../app/polling.ts';
import { FateLegend, SplitBar } from '../../../parts/charts/split-bar.tsx';
import { Figure } from '../../../parts/figure.tsx';
import { Page, Panel } from '../../../parts/page.tsx';
import { Loaded, Notice } from '../../../parts/states.tsx';
import { withQuery } from '../../../parts/url-state.ts';
import { count, duration, money, percent } from '../../../parts/written.tsx';
import { labelOf, usePlatforms } from '../platform-list.ts';
import { RangePicker, useRange } from '../ranges.tsx';
import { CostPerMillion } from './cost-per-million.tsx';
import { FirstEvent } from './first-event.tsx';
import { Recount } from './recount.tsx';
import { Volume } from './volume.tsx';

type Overview = Awaited<ReturnType<Client['getOverview']>>['body'];
type PlatformSums = Overview['platforms'][number];

export default function OverviewPage() {
  const [range, setRange] = useRange();
  const everyMs = useLive();
  const overview = useAsk(
    ['overview', range],
    (client, signal) => client.getOverview({ query: { range } }, { signal }),
    { everyMs, keep: true },
  );
  return (
    <Page
      title="Overview"
      about="Whether what your shop sends arrives where it should."
      actions={<RangePicker range={range} change={setRange} />}
    >
      <Loaded query={overview} rows={8}>
        {(data) =>
          data.events === 0 && data.events_24h === 0 && data.refused.total === 0 ? (
            <FirstEvent steps={data.next_steps} />
          ) : (
            <Figures data={data} />
          )
        }
      </Loaded>
    </Page>
  );
}

function Figures({ data }: { readonly data: Overview }) {
  const { start, end } = data;
  const rows = (outcome?: 'delivered' | 'failed') => withQuery('/events', { outcome, start, end });
  return (
    <>
      <Warnings data={data} />
      <dl className="mb-6 grid grid-cols-2 gap-4 sm:grid-cols-4 lg:grid-cols-7">
        <Figure
          name="Accepted"
          value={count(data.events)}
          to={rows()}
          delta={changeOf(data, 'events', count)}
        />
        <Figure
          name="Delivered"
          value={data.delivered + data.undelivered === 0 ? '–' : percent(data.delivery_rate)}
          to={rows('delivered')}
          delta={changeOf(data, 'delivery_rate', percent)}
          note={`${count(data.delivered)} deliveries`}
        />
        <Figure
          name="Not delivered"
          value={count(data.undelivered)}
          to={rows('failed')}
          delta={changeOf(data, 'undelivered', count)}
        />
        <Figure
          name="Health"
          value={`${Math.round(data.health_score)} / 100`}
          to="/platforms"
          delta={changeOf(data, 'health_score', (value) => count(Math.round(value)))}
        />
        <Figure
          name="Time to deliver"
          value={data.avg_latency_ms === 0 ? '–' : duration(data.avg_latency_ms)}
          to={withQuery('/events', { outcome: 'delivered', start, end, orderBy: 'received_at' })}
          delta={changeOf(data, 'avg_latency_ms', duration)}
        />
        <Figure
          name="Revenue"
          value={data.revenue_currency === null ? '–' : money(data.revenue_tracked, data.revenue_currency)}
          to={withQuery('/events', { event_name: 'Purchase', start, end })}
          delta={changeOf(data, 'revenue_tracked', (value) => money(value, data.revenue_currency))}
        />
        <CostPerMillion />
      </dl>
      <Recount range={data.range === 'custom' ? '24h' : data.range} />
      <WhereEventsWent data={data} />
      <Volume range={data.range === 'custom' ? '24h' : data.range} />
      {data.refused.total > 0 && <Refused refused={data.refused} />}
    </>
  );
}

function changeOf(data: Overview, name: string, write: (value: number) => string) {
  const delta = data.deltas[name];
  if (delta === undefined || delta === 0) return undefined;
  return { text: write(Math.abs(delta)), isUp: delta > 0 };
}

function Warnings({ data }: { readonly data: Overview }) {
  const steps = data.next_steps.slice(0, 3);
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
      {data.platforms.map((sums) => (
        <SplitBar
          key={sums.platform}
          name={labelOf(platforms.data, sums.platform)}
          parts={splitsOf(sums, data.start, data.end)}
        />
      ))}
    </Panel>
  );
}

function splitsOf({ platform, ...sums }: PlatformSums, start: string, end: string) {
  return (['delivered', 'waiting', 'failed', 'withheld'] as const).map((fate) => ({
    fate,
    value: sums[fate],
    to: withQuery('/events', { platform, outcome: fate, start, end }),
  }));
}

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
              {reason}
              {field && <> ({field})</>}
            </span>
          </li>
        ))}
      </ul>
    </Panel>
  );
}
