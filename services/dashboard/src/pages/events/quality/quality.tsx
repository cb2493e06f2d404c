// Match quality: what events say about people, and which repair brings most.

import { Link } from 'wouter';
import { type Answer, useAsk } from '#dashboard/app/api.tsx';
import { Bar } from '#dashboard/parts/bar.tsx';
import { Figure } from '#dashboard/parts/figure.tsx';
import { Empty, Loaded, Page, Panel } from '#dashboard/parts/page.tsx';
import { Cell, Row, Table } from '#dashboard/parts/table.tsx';
import { withQuery } from '#dashboard/parts/url-state.ts';
import { count, Id, score } from '#dashboard/parts/written.tsx';
import { useRange } from '../ranges.tsx';
import { issueWords } from '../words.ts';

type Quality = Answer<'getQuality'>;

const points = (value: number): string => `+${value.toFixed(1)}`;

export default function QualityPage() {
  const { input, picker } = useRange();
  const quality = useAsk('getQuality', input, { keep: true });
  return (
    <Page
      title="Match quality"
      about="How well platforms can match your events to people, and what to repair first."
      actions={picker}
    >
      <Loaded query={quality} rows={10}>
        {(data) =>
          data.events === 0 ? (
            <Panel title="Nothing to match yet">
              <Empty title="No event came in this range">
                Send e-mail, phone and browser ids in user_data: they leave hashed.
              </Empty>
            </Panel>
          ) : (
            <Found data={data} />
          )
        }
      </Loaded>
    </Page>
  );
}

function Found({ data }: { readonly data: Quality }) {
  const delta = data.deltas.score ?? 0;
  return (
    <>
      <dl className="mb-6 grid grid-cols-2 gap-4 sm:grid-cols-3">
        <Figure
          name="Score"
          value={`${score(data.score)} / 100`}
          delta={delta === 0 ? undefined : { text: Math.abs(delta).toFixed(1), isUp: delta > 0 }}
        />
        <Figure
          name="Events looked at"
          value={count(data.events)}
          to={withQuery('/events', { start: data.start, end: data.end })}
        />
        <Figure
          name="Server orders with a click id"
          value={`${count(data.click_ids.with_click_id)} of ${count(data.click_ids.server_orders)}, ${count(data.click_ids.gained_from_page)} from their page, ${count(data.click_ids.gained_from_earlier)} from earlier events`}
        />
        {data.page_wait.orders > 0 && (
          <Figure name="Orders that waited for their page" value={waitWords(data.page_wait)} />
        )}
      </dl>
      <Panel title="What to repair first">
        <Hints hints={data.hints} />
      </Panel>
      <Panel title="Values that match nobody">
        <Issues issues={data.issues} />
      </Panel>
      <Panel title="How many events carry each field">
        <dl className="grid gap-x-8 gap-y-2 md:grid-cols-2">
          {data.completeness.map(({ field, share }) => (
            <div key={field} className="grid grid-cols-3 items-center gap-2">
              <dt>{field}</dt>
              <dd className="col-span-2">
                <Bar share={share} />
              </dd>
            </div>
          ))}
        </dl>
      </Panel>
    </>
  );
}

/** What the wait brought, and what it cost. */
function waitWords(wait: Quality['page_wait']): string {
  const brought = `${count(wait.completed)} of ${count(wait.orders)} completed`;
  const after = wait.page_after_p90_sec === null ? '' : `, nine in ten within ${wait.page_after_p90_sec} s`;
  return `${brought}${after}; all ${wait.mean_sec ?? 0} s later on average`;
}

function Examples({ ids }: { readonly ids: readonly string[] }) {
  return ids.map((id) => (
    <Link key={id} href={withQuery('/event', { id })} className="block min-h-6 py-1">
      <Id>{id}</Id>
    </Link>
  ));
}

function Hints({ hints }: { readonly hints: Quality['hints'] }) {
  if (hints.length === 0) return <p className="text-good">✔ Every event carries all that helps.</p>;
  return (
    <Table name="Repairs" head={['Field', 'Gain', 'Events without it', 'How', 'Such as']}>
      {hints.map(({ field, expected_gain, affected, fix, example_event_ids }) => (
        <Row key={field}>
          <Cell className="font-bold">{field}</Cell>
          <Cell className="whitespace-nowrap text-good">{points(expected_gain)}</Cell>
          <Cell>{count(affected)}</Cell>
          <Cell className="foreign min-w-60">{fix}</Cell>
          <Cell className="min-w-40">
            <Examples ids={example_event_ids} />
          </Cell>
        </Row>
      ))}
    </Table>
  );
}

function Issues({ issues }: { readonly issues: Quality['issues'] }) {
  if (issues.length === 0) return <p className="text-good">✔ None was noticed.</p>;
  return (
    <Table name="Each value that matches nobody" head={['Field', 'What', 'Events', 'Repair', 'Such as']}>
      {issues.map(({ field, code, events, fix, example_event_ids }) => (
        <Row key={`${field} ${code}`}>
          <Cell className="foreign font-bold">{field}</Cell>
          <Cell className="text-wait">▲ {issueWords(code)}</Cell>
          <Cell>{count(events)}</Cell>
          <Cell className="foreign min-w-60">{fix}</Cell>
          <Cell className="min-w-40">
            <Examples ids={example_event_ids} />
          </Cell>
        </Row>
      ))}
    </Table>
  );
}
