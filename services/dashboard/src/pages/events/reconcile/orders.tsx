// Orders of a comparison and how each stands, with links to their events. Which ones is in the URL.

import { Link } from 'wouter';
import { type Answer, type Input, useAsk } from '#dashboard/app/api.tsx';
import { Choice } from '#dashboard/parts/field.tsx';
import { Empty, Loaded, Panel } from '#dashboard/parts/page.tsx';
import { Cell, Pager, Row, Table } from '#dashboard/parts/table.tsx';
import { useUrlState, withQuery } from '#dashboard/parts/url-state.ts';
import { Id, Time } from '#dashboard/parts/written.tsx';
import { reasonWords } from '#lib/client/reason-words.ts';
import { EventLink } from '../event-link.tsx';
import { labelOf, type PlatformList, usePlatforms } from '../platform-list.ts';
import { LOOKS, type Reconciliation, STANDINGS } from './standings.ts';

type Query = NonNullable<Input<'listReconciledOrders'>['query']>;
type Order = Answer<'listReconciledOrders'>['orders'][number];
type AtPlatform = Order['platforms'][string];

const PAGE_ROWS = 50;

export function Orders({ reconciliation: { id, platforms } }: { readonly reconciliation: Reconciliation }) {
  const [{ platform = '', status = '', cursor }, change] = useUrlState();
  const { data: list } = usePlatforms();
  const query = {
    limit: PAGE_ROWS,
    platform: platform || undefined,
    status: status || undefined,
    cursor,
  } as Query;
  const orders = useAsk('listReconciledOrders', { params: { id }, query }, { keep: true });
  const slugs = Object.keys(platforms).map((slug) => [slug, labelOf(list, slug)] as const);
  const standings = STANDINGS.map((one) => [one, LOOKS[one].name.toLowerCase()] as const);
  return (
    <Panel title="Orders" busy={orders.isPlaceholderData}>
      <div className="mb-3 grid max-w-120 gap-3 sm:grid-cols-2">
        <Choice
          label="At"
          value={platform}
          options={[['', 'any platform'], ...slugs]}
          change={(to) => change({ platform: to, cursor: '' })}
        />
        <Choice
          label="Which"
          value={status}
          options={[['', 'not as they should be'], ...standings]}
          change={(to) => change({ status: to, cursor: '' })}
        />
      </div>
      <Loaded query={orders} rows={6}>
        {({ orders: rows, next_cursor }) => (
          <>
            {rows.length === 0 ? (
              <Empty title="No such order" />
            ) : (
              <Table name="Orders found" head={['Order', 'At platforms', 'Value', 'Made', 'Events']}>
                {rows.map((order) => (
                  <OneOrder
                    key={`${order.order_id ?? ''} ${order.event_id ?? ''}`}
                    order={order}
                    status={status}
                    list={list}
                  />
                ))}
              </Table>
            )}
            <Pager cursor={cursor} next={next_cursor} go={(to) => change({ cursor: to })} />
          </>
        )}
      </Loaded>
    </Panel>
  );
}

interface OneOrderProps {
  readonly order: Order;
  readonly status: string;
  readonly list: PlatformList | undefined;
}

function OneOrder({ order, status, list }: OneOrderProps) {
  const { order_id, event_id, value, currency, time, events, platforms } = order;
  const shown = Object.entries(platforms).filter(([, at]) =>
    status === '' ? at.status !== 'matched' : at.status === status,
  );
  // What is the same at several platforms is said once.
  const alike = Map.groupBy(shown, ([, at]) => saidOf(at));
  return (
    <Row>
      <Cell className="min-w-32">
        <Id>{order_id ?? event_id ?? ''}</Id>
      </Cell>
      <Cell className="min-w-60">
        <ul>
          {[...alike].map(([said, places]) => (
            <li key={said} className="foreign">
              <Sign at={places[0]?.[1]} /> {places.map(([slug]) => labelOf(list, slug)).join(', ')}: {said}
            </li>
          ))}
        </ul>
      </Cell>
      <Cell className="foreign whitespace-nowrap">
        {value} {currency}
      </Cell>
      <Cell className="whitespace-nowrap">{time !== undefined && <Time at={time} />}</Cell>
      <Cell className="min-w-40">
        <Events order={order} />
        {events.length === 0 && order_id !== undefined && (
          <Link href={withQuery('/events', { search: order_id })}>Search for it</Link>
        )}
      </Cell>
    </Row>
  );
}

function Sign({ at }: { readonly at: AtPlatform | undefined }) {
  if (at === undefined) return null;
  const { look, sign } = LOOKS[at.status];
  return (
    <span className={`font-bold ${look}`} aria-hidden>
      {sign}
    </span>
  );
}

function saidOf({ status, times, reason, sent }: AtPlatform): string {
  const parts = [LOOKS[status].name.toLowerCase()];
  if (times > 1) parts.push(`counted ${times} times`);
  if (reason !== undefined) parts.push(reasonWords(reason));
  if (sent !== undefined) parts.push(`was sent ${sent.value ?? 'no value'} ${sent.currency ?? ''}`.trim());
  return parts.join(' · ');
}

function Events({ order: { events } }: { readonly order: Order }) {
  return (
    <ul>
      {events.map(({ event_id, trust }) => (
        <li key={`${trust} ${event_id}`}>
          <EventLink event_id={event_id} trust={trust} />
        </li>
      ))}
    </ul>
  );
}
