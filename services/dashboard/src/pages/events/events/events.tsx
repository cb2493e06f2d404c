// Events: find one. Every filter is in the URL; a row has one sign per platform and opens the event.
import { memo, useEffect, useRef } from 'react';
import { Link, useLocation } from 'wouter';
import { type Client, useAsk } from '../../../app/api.tsx';
import { useLive } from '../../../app/polling.ts';
import { fateOf, Sign } from '../../../look/sign.tsx';
import { Button } from '../../../parts/button.tsx';
import { Page, Panel } from '../../../parts/page.tsx';
import { Empty, Loaded, Notice } from '../../../parts/states.tsx';
import { Cell, Row, Table } from '../../../parts/table.tsx';
import { type UrlState, useUrlState, withQuery } from '../../../parts/url-state.ts';
import { count, Id, money, Time } from '../../../parts/written.tsx';
import { labelOf, type PlatformList, usePlatforms } from '../platform-list.ts';
import { Filters } from './filters.tsx';
import { useRowKeys } from './row-keys.ts';

type Listed = Awaited<ReturnType<Client['listEvents']>>['body'];
type ListedEvent = Listed['events'][number];
type Query = NonNullable<NonNullable<Parameters<Client['listEvents']>[0]>['query']>;

const PAGE_ROWS = 50;

/** As it is in the URL: what the API does not take, it says so itself. */
const queryOf = (state: UrlState): Query => ({ limit: PAGE_ROWS, ...state }) as Query;

export default function EventsPage() {
  const [state, change] = useUrlState();
  const platforms = usePlatforms();
  const everyMs = useLive();
  const isFirst = state.cursor === undefined && state.offset === undefined;
  const events = useAsk(
    ['events', state],
    (client, signal) => client.listEvents({ query: queryOf(state) }, { signal }),
    { keep: true, everyMs: isFirst ? everyMs : 0 },
  );
  return (
    <Page title="Events" about="What your shop sent, and what became of it at each platform.">
      <Filters state={state} change={change} platforms={platforms.data} />
      <Panel title={foundText(events.data)} busy={events.isPlaceholderData}>
        <Loaded query={events} rows={10}>
          {(data) => <Found data={data} state={state} change={change} platforms={platforms.data} />}
        </Loaded>
      </Panel>
    </Page>
  );
}

function foundText(data: Listed | undefined): string {
  if (data === undefined) return 'Events';
  const total = data.total_is_exact ? count(data.total) : `more than ${count(data.total)}`;
  return data.total === 1 ? '1 event' : `${total} events`;
}

interface FoundProps {
  readonly data: Listed;
  readonly state: UrlState;
  readonly change: (changes: UrlState) => void;
  readonly platforms: PlatformList | undefined;
}

function Found({ data, state, change, platforms }: FoundProps) {
  const isFiltered = Object.keys(state).length > 0;
  if (data.events.length === 0)
    return (
      <Empty title={isFiltered ? 'No event fits these filters' : 'No event in the last 30 days'}>
        {isFiltered ? (
          <Button onClick={() => change(Object.fromEntries(Object.keys(state).map((name) => [name, ''])))}>
            Clear the filters
          </Button>
        ) : (
          'Events appear here a moment after your shop sends them.'
        )}
      </Empty>
    );
  return (
    <>
      {!data.total_is_exact && (
        <Notice tone="plain">More events are in this time than one request looks at: narrow the time.</Notice>
      )}
      <EventTable events={data.events} platforms={platforms} />
      <div className="mt-4 flex items-center gap-3">
        {state.cursor !== undefined && <Button onClick={() => change({ cursor: '' })}>First page</Button>}
        {data.next_cursor !== null && (
          <Button onClick={() => change({ cursor: data.next_cursor ?? '', offset: '' })}>Next page</Button>
        )}
      </div>
    </>
  );
}

interface EventTableProps {
  readonly events: readonly ListedEvent[];
  readonly platforms: PlatformList | undefined;
}

const addressOf = ({ event_id, trust }: ListedEvent): string => withQuery('/event', { id: event_id, trust });

function EventTable({ events, platforms }: EventTableProps) {
  const [, navigate] = useLocation();
  const table = useRef<HTMLDivElement>(null);
  const at = useRowKeys(events.length, (row) => {
    const event = events[row];
    if (event !== undefined) navigate(addressOf(event));
  });
  useEffect(() => {
    if (at >= 0) table.current?.querySelectorAll('tbody tr')[at]?.querySelector('a')?.focus();
  }, [at]);
  return (
    <div ref={table}>
      <Table name="Events found" head={['Event', 'Name', 'Value', 'Received', 'Source', 'At platforms']}>
        {events.map((event, row) => (
          <EventRow
            key={`${event.trust} ${event.event_id}`}
            event={event}
            platforms={platforms}
            selected={row === at}
          />
        ))}
      </Table>
    </div>
  );
}

interface EventRowProps {
  readonly event: ListedEvent;
  readonly platforms: PlatformList | undefined;
  readonly selected: boolean;
}

/** Drawn anew when it is another one: j and k change two rows of fifty. */
const EventRow = memo(function EventRow({ event, platforms, selected }: EventRowProps) {
  return (
    <Row selected={selected}>
      <Cell className="min-w-40">
        <Link href={addressOf(event)}>
          <Id>{event.event_id}</Id>
        </Link>
        {event.bot && <span className="ml-2 text-sm text-dim">bot</span>}
      </Cell>
      <Cell className="foreign min-w-32">{event.event_name}</Cell>
      <Cell className="whitespace-nowrap">
        {event.value === undefined ? '' : money(event.value, event.currency)}
      </Cell>
      <Cell className="whitespace-nowrap">
        <Time at={event.received_at} />
      </Cell>
      <Cell className="foreign">{event.source}</Cell>
      <Cell>
        <Signs event={event} platforms={platforms} />
      </Cell>
    </Row>
  );
});

function Signs({
  event,
  platforms,
}: {
  readonly event: ListedEvent;
  readonly platforms: PlatformList | undefined;
}) {
  const statuses = new Map([
    ...event.deliveries.map(({ platform, status }) => [platform, status] as const),
    ...event.withheld.map(({ platform, verdict }) => [platform, verdict] as const),
  ]);
  if (statuses.size === 0)
    return <span className="text-dim">{event.state === 'accepted' ? 'on its way' : 'none'}</span>;
  const slugs = platforms?.available.map(({ platform }) => platform) ?? [...statuses.keys()];
  return (
    <span className="whitespace-nowrap">
      {slugs.map((slug) => {
        const said = `${labelOf(platforms, slug)}: ${statuses.get(slug)?.replaceAll('_', ' ') ?? 'not connected'}`;
        const status = statuses.get(slug);
        return (
          <span key={slug} title={said}>
            <Sign fate={status === undefined ? 'none' : fateOf(status)} said={said} />
          </span>
        );
      })}
    </span>
  );
}
