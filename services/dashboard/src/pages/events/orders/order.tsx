// One order: what is left of it, what took it back, and every event that reported it.
import { Link } from 'wouter';
import { type Answer, useAsk } from '#dashboard/app/api.tsx';
import { Facts } from '#dashboard/parts/facts.tsx';
import { Empty, LoadedPanel, Notice, Page } from '#dashboard/parts/page.tsx';
import { Cell, Row, Table } from '#dashboard/parts/table.tsx';
import { useUrlState } from '#dashboard/parts/url-state.ts';
import { counted, money, Time } from '#dashboard/parts/written.tsx';
import { EventLink } from '../event-link.tsx';
import { labelOf, type PlatformList, usePlatforms } from '../platform-list.ts';
import { Signs } from '../signs.tsx';
import { clickText } from './orders.tsx';

type Order = Answer<'readOrder'>['order'];

export default function OrderPage() {
  const [{ id = '' }] = useUrlState();
  if (id !== '') return <OneOrder id={id} />;
  return (
    <Page title="No order named">
      <Empty title="The address names no order">
        <p>
          Open one from the <Link href="/orders">list of orders</Link>.
        </p>
      </Empty>
    </Page>
  );
}

function OneOrder({ id }: { readonly id: string }) {
  const order = useAsk('readOrder', { params: { id } });
  const platforms = usePlatforms().data;
  return (
    <Page title={id} about="An order, and every event that told of it.">
      <LoadedPanel title="Worth" query={order} rows={4}>
        {(data) => <Worth order={data.order} platforms={platforms} />}
      </LoadedPanel>
      {order.data !== undefined && order.data.order.items.length > 0 && (
        <LoadedPanel title="Items" query={order} rows={2}>
          {(data) => <Items order={data.order} />}
        </LoadedPanel>
      )}
      {order.data !== undefined && order.data.order.refunds.length > 0 && (
        <LoadedPanel title="Refunds" query={order} rows={2}>
          {(data) => <Refunds order={data.order} platforms={platforms} />}
        </LoadedPanel>
      )}
      <LoadedPanel title="Reported by" query={order} rows={4}>
        {(data) => <Reports order={data.order} platforms={platforms} />}
      </LoadedPanel>
    </Page>
  );
}

interface PartProps {
  readonly order: Order;
  readonly platforms: PlatformList | undefined;
}

function Worth({ order, platforms }: PartProps) {
  const { value, refunded = 0, net, currency, placed_at, credited_to, last_click } = order;
  const amount = (of: number | undefined): string => (of === undefined ? 'not said' : money(of, currency));
  return (
    <Facts
      facts={[
        ['Net', amount(net)],
        ['Value', amount(value)],
        ...(refunded === 0 ? [] : [['Refunded', amount(refunded)] as const]),
        ...(placed_at === undefined ? [] : [['Placed', <Time key="placed" at={placed_at} />] as const]),
        ['First click', clickText(credited_to, platforms) || 'not known'],
        ['Last click', clickText(last_click, platforms) || 'not known'],
      ]}
    />
  );
}

function Items({ order: { items, currency } }: Pick<PartProps, 'order'>) {
  return (
    <Table name="Items of the order" head={['Item', 'Quantity', 'Price', 'Together']}>
      {items.map(({ id, quantity, price, name, brand, variant }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: an item may be there twice, and they keep their places
        <Row key={index}>
          <Cell className="min-w-40">
            {[name ?? id, brand, variant].filter((word) => word !== undefined).join(', ')}
            {name !== undefined && <span className="ml-2 text-dim">{id}</span>}
          </Cell>
          <Cell>{String(quantity)}</Cell>
          <Cell className="whitespace-nowrap">
            {price === undefined ? 'not said' : money(price, currency)}
          </Cell>
          <Cell className="whitespace-nowrap">
            {price === undefined ? '' : money(price * quantity, currency)}
          </Cell>
        </Row>
      ))}
    </Table>
  );
}

/** What became of a refund. A status without words does not compile. */
const REFUNDS: Readonly<Record<Order['refunds'][number]['status'], string>> = {
  applied: 'taken back',
  reduced: 'taken back as far as something was left',
  repeated: 'nothing: its event was taken before',
  refused: 'nothing: in another currency, or one too many',
};

function Refunds({ order: { refunds, currency }, platforms }: PartProps) {
  return (
    <Table name="Refunds of the order" head={['Event', 'Amount', 'What it did', 'Not taken back at']}>
      {refunds.map(({ event_id, amount, status, not_taken_back }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: an event id may be there twice, and they keep their places
        <Row key={index}>
          <Cell className="min-w-40">
            <EventLink event_id={event_id} trust="server" />
          </Cell>
          <Cell className="whitespace-nowrap">{money(amount, currency)}</Cell>
          <Cell className="min-w-40">{REFUNDS[status]}</Cell>
          <Cell className="min-w-60">
            {not_taken_back.map(({ platform, explanation }) => (
              <span key={platform} title={explanation}>
                <span className="mr-2 whitespace-nowrap">{labelOf(platforms, platform)}</span>{' '}
              </span>
            ))}
          </Cell>
        </Row>
      ))}
    </Table>
  );
}

function Reports({ order: { events, is_complete }, platforms }: PartProps) {
  return (
    <>
      {!is_complete && (
        <Notice tone="plain">
          More events may have reported it than the {events.length} that are remembered.
        </Notice>
      )}
      <p className="mb-2 text-dim">
        {counted(events.length, 'event')}. Revenue counts the order by one of them, once.
      </p>
      <Table name="Events of the order" head={['Event', 'Value', 'Received', 'From', 'At platforms']}>
        {events.map((event) => (
          <Row key={`${event.trust} ${event.event_id}`}>
            <Cell className="min-w-40">
              <EventLink event_id={event.event_id} trust={event.trust} />
              {event.counted && <span className="ml-2 text-sm font-bold">counted</span>}
            </Cell>
            <Cell className="whitespace-nowrap">
              {event.value === undefined ? '' : money(event.value, event.currency)}
            </Cell>
            <Cell className="whitespace-nowrap">
              <Time at={event.received_at} />
            </Cell>
            <Cell>{event.trust}</Cell>
            <Cell>
              <Signs of={event} platforms={platforms} />
            </Cell>
          </Row>
        ))}
      </Table>
    </>
  );
}
