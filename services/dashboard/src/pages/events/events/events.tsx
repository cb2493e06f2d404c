// Events: find one. Every filter is in the URL; a row has one sign per platform and opens the event. While the list is used, new
// events are held back: no row moves under the pointer, the focus or the keys.

import { memo, useEffect, useMemo, useRef } from 'react';
import { useLocation } from 'wouter';
import { type Answer, type Input, useAsk } from '#dashboard/app/api.tsx';
import { useLive } from '#dashboard/app/polling.ts';
import { Button } from '#dashboard/parts/button.tsx';
import { Empty, LoadedPanel, Notice, Page } from '#dashboard/parts/page.tsx';
import { HeldRows, type SteadyList, useSteadyList } from '#dashboard/parts/steady-list.tsx';
import { Cell, Pager, Row, Table } from '#dashboard/parts/table.tsx';
import { cleared, type UrlProps, type UrlState, useUrlState } from '#dashboard/parts/url-state.ts';
import { counted, money, Time } from '#dashboard/parts/written.tsx';
import { EventLink, eventAddress } from '../event-link.tsx';
import { isConnection, type PlatformList, usePlatforms } from '../platform-list.ts';
import { Signs } from '../signs.tsx';
import { Filters } from './filters.tsx';
import { type Selection, useRowKeys, useSelection } from './row-keys.ts';

type Listed = Answer<'listEvents'>;
type ListedEvent = Listed['events'][number];
type Query = NonNullable<Input<'listEvents'>['query']>;

const PAGE_ROWS = 50;

const NONE: readonly ListedEvent[] = [];

const keyOf = ({ event_id, trust }: ListedEvent): string => `${trust} ${event_id}`;

/** As it is in the URL: what the API does not take, it says so itself. */
/** What stands for the platform in the URL may be one connection to it. */
function queryOf({ platform, ...state }: UrlState): Query {
  const name =
    platform === undefined ? {} : { [isConnection(platform) ? 'connection_id' : 'platform']: platform };
  return { limit: PAGE_ROWS, ...name, ...state } as Query;
}

export default function EventsPage() {
  const [state, change] = useUrlState();
  const platforms = usePlatforms();
  const everyMs = useLive();
  const isFirst = state.cursor === undefined && state.offset === undefined;
  const events = useAsk(
    'listEvents',
    { query: queryOf(state) },
    { keep: true, everyMs: isFirst ? everyMs : 0 },
  );
  // What stays on the page until the answer to other filters comes is the list of those before.
  const of = events.isPlaceholderData || events.data === undefined ? '' : JSON.stringify(state);
  const selection = useSelection(of);
  const list = useSteadyList(events.data?.events ?? NONE, {
    of,
    keyOf,
    isHeld: selection.at !== null,
  });
  const panel = useRef<HTMLDivElement>(null);
  return (
    <Page title="Events" about="What your shop sent, and what became of it at each platform.">
      <Filters state={state} change={change} platforms={platforms.data} />
      <div ref={panel} {...list.hold}>
        <LoadedPanel
          title={foundText(events.data, state)}
          busy={events.isPlaceholderData}
          actions={
            <HeldRows
              list={list}
              then={() => {
                selection.select(null);
                panel.current?.querySelector<HTMLElement>('[tabindex]')?.focus();
              }}
            />
          }
          query={events}
          rows={10}
        >
          {(data) => (
            <Found
              data={data}
              state={state}
              change={change}
              platforms={platforms.data}
              list={list}
              selection={selection}
            />
          )}
        </LoadedPanel>
      </div>
    </Page>
  );
}

function foundText(data: Listed | undefined, { order_id }: UrlState): string {
  const of = order_id === undefined ? '' : ` of order ${order_id}`;
  if (data === undefined) return `Events${of}`;
  return `${data.total_is_exact ? '' : 'at least '}${counted(data.total, 'event')}${of}`;
}

interface FoundProps extends UrlProps {
  readonly data: Listed;
  readonly platforms: PlatformList | undefined;
  readonly list: SteadyList<ListedEvent>;
  readonly selection: Selection;
}

function Found({ data, state, change, platforms, list, selection }: FoundProps) {
  const isFiltered = Object.keys(state).length > 0;
  if (list.rows.length === 0)
    return (
      <Empty title={isFiltered ? 'No event fits these filters' : 'No event in the last 30 days'}>
        {isFiltered ? (
          <Button onClick={() => change(cleared(state))}>Clear the filters</Button>
        ) : (
          'Events appear here a moment after your shop sends them.'
        )}
      </Empty>
    );
  return (
    <>
      {!data.total_is_exact && state.orderBy !== undefined && (
        <Notice tone="plain">More events are in this time than one request looks at: narrow the time.</Notice>
      )}
      <EventTable list={list} selection={selection} platforms={platforms} />
      <Pager
        cursor={state.cursor}
        next={data.next_cursor}
        go={(cursor) => change(cursor === '' ? { cursor } : { cursor, offset: '' })}
      />
    </>
  );
}

interface EventTableProps {
  readonly list: SteadyList<ListedEvent>;
  readonly selection: Selection;
  readonly platforms: PlatformList | undefined;
}

function EventTable({ list: { rows }, selection, platforms }: EventTableProps) {
  const [, navigate] = useLocation();
  const table = useRef<HTMLDivElement>(null);
  const keys = useMemo(() => rows.map(keyOf), [rows]);
  useRowKeys(keys, selection, (key) => {
    const event = rows.find((row) => keyOf(row) === key);
    if (event !== undefined) navigate(eventAddress(event));
  });
  const { at } = selection;
  // biome-ignore lint/correctness/useExhaustiveDependencies: the focus moves with the selection only
  useEffect(() => {
    if (at !== null)
      table.current?.querySelectorAll('tbody tr')[keys.indexOf(at)]?.querySelector('a')?.focus();
  }, [at]);
  return (
    <div ref={table}>
      <Table name="Events found" head={['Event', 'Name', 'Value', 'Received', 'Source', 'At platforms']}>
        {rows.map((event) => {
          const key = keyOf(event);
          return <EventRow key={key} event={event} platforms={platforms} selected={key === at} />;
        })}
      </Table>
    </div>
  );
}

interface EventRowProps {
  readonly event: ListedEvent;
  readonly platforms: PlatformList | undefined;
  readonly selected: boolean;
}

/** Rendered again only if its props change: j and k change two rows of fifty. */
const EventRow = memo(function EventRow({ event, platforms, selected }: EventRowProps) {
  return (
    <Row selected={selected}>
      <Cell className="min-w-40">
        <EventLink event_id={event.event_id} trust={event.trust} />
        {event.bot && <span className="ml-2 text-sm text-dim">bot</span>}
        {event.test && <span className="ml-2 text-sm text-dim">test</span>}
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
        <Signs of={event} platforms={platforms} none={event.state === 'accepted' ? 'on its way' : 'none'} />
      </Cell>
    </Row>
  );
});
