// Orders: each once, however often it was reported, with what is left of it. What they come to is the figure of the overview.
import { Link } from 'wouter';
import { type Answer, type Input, useAsk } from '#dashboard/app/api.tsx';
import { Button } from '#dashboard/parts/button.tsx';
import { Figure } from '#dashboard/parts/figure.tsx';
import { Empty, LoadedPanel, Notice, Page } from '#dashboard/parts/page.tsx';
import { Cell, Pager, Row, Table } from '#dashboard/parts/table.tsx';
import { cleared, type UrlProps, type UrlState, useUrlState, withQuery } from '#dashboard/parts/url-state.ts';
import { count, Id, money, Time } from '#dashboard/parts/written.tsx';
import { largestFirst, withoutRateText } from '../currencies.ts';
import { FilterForm } from '../filter-form.tsx';
import { labelOf, type PlatformList, usePlatforms } from '../platform-list.ts';
import { Signs } from '../signs.tsx';

type Listed = Answer<'listOrders'>;
type Order = Listed['orders'][number];
type Totals = NonNullable<Listed['totals']>;
type Query = NonNullable<Input<'listOrders'>['query']>;

const PAGE_ROWS = 25;

export default function OrdersPage() {
  const [state, change] = useUrlState();
  const platforms = usePlatforms();
  // As it is in the URL: what the API does not take, it says so itself.
  const query = { limit: PAGE_ROWS, ...state } as Query;
  const orders = useAsk('listOrders', { query }, { keep: true });
  return (
    <Page
      title="Orders"
      about="Each order once, however often it was reported, with what refunds left of it."
    >
      <Filters state={state} change={change} />
      <LoadedPanel
        title={state.cursor === undefined ? 'Orders' : 'Earlier orders'}
        busy={orders.isPlaceholderData}
        query={orders}
        rows={10}
      >
        {(data) => <Found data={data} state={state} change={change} platforms={platforms.data} />}
      </LoadedPanel>
    </Page>
  );
}

function Filters({ state, change }: UrlProps) {
  /** Another time begins at the first page. */
  const set = (changes: UrlState): void => change({ ...changes, cursor: '' });
  const isFiltered = Object.keys(state).some((name) => name !== 'cursor');
  return <FilterForm state={state} set={set} isFiltered={isFiltered} />;
}

interface FoundProps extends UrlProps {
  readonly data: Listed;
  readonly platforms: PlatformList | undefined;
}

function Found({ data, state, change, platforms }: FoundProps) {
  const { orders, totals, next_cursor } = data;
  const isFiltered = state.start !== undefined || state.end !== undefined;
  if (orders.length === 0 && next_cursor === null)
    return (
      <Empty title={isFiltered ? 'No order came in this time' : 'No order in the last 30 days'}>
        {isFiltered ? (
          <Button onClick={() => change(cleared(state))}>Clear the filters</Button>
        ) : (
          'An order appears here a moment after your shop sends its Purchase.'
        )}
      </Empty>
    );
  return (
    <>
      {totals !== null && <Sums totals={totals} />}
      <Table
        name="Orders found"
        head={['Order', 'Net', 'Refunded', 'Received', 'First click', 'At platforms']}
      >
        {orders.map((order) => (
          <OrderRow key={`${order.trust} ${order.event_id}`} order={order} platforms={platforms} />
        ))}
      </Table>
      <Pager cursor={state.cursor} next={next_cursor} go={(cursor) => change({ cursor })} />
    </>
  );
}

/** What all of them come to, each currency by itself and, where the shop has one of its own, together. */
function Sums({ totals: { revenue, reported } }: { readonly totals: Totals }) {
  const currencies = largestFirst(revenue);
  return (
    <>
      {reported !== null && reported.without_rate.length > 0 && (
        <Notice tone="wait">{withoutRateText(reported.without_rate)}</Notice>
      )}
      <dl className="mb-4 grid grid-cols-2 gap-4 md:grid-cols-4">
        {reported !== null && (
          <Figure
            name={`All, in ${reported.currency}`}
            value={money(reported.net, reported.currency)}
            note={refundedText(reported.refunded, reported.currency)}
          />
        )}
        {currencies.map((currency) => {
          const { orders, net, refunded } = revenue[currency] ?? { orders: 0, net: 0, refunded: 0 };
          return (
            <Figure
              key={currency}
              name={`${count(orders)} in ${currency}`}
              value={money(net, currency)}
              note={refundedText(refunded, currency)}
            />
          );
        })}
      </dl>
    </>
  );
}

const refundedText = (refunded: number, currency: string): string | undefined =>
  refunded === 0 ? undefined : `after refunds of ${money(refunded, currency)}`;

interface OrderRowProps {
  readonly order: Order;
  readonly platforms: PlatformList | undefined;
}

function OrderRow({ order, platforms }: OrderRowProps) {
  const { order_id, event_id, trust, net, refunded = 0, currency, reports, credited_to } = order;
  const address =
    order_id === undefined
      ? withQuery('/event', { id: event_id, trust })
      : withQuery('/order', { id: order_id });
  return (
    <Row>
      <Cell className="min-w-40">
        <Link href={address}>
          <Id>{order_id ?? event_id}</Id>
        </Link>
        {reports > 1 && <span className="ml-2 text-sm text-dim">reported {count(reports)} times</span>}
      </Cell>
      <Cell className="whitespace-nowrap">{net === undefined ? 'not said' : money(net, currency)}</Cell>
      <Cell className="whitespace-nowrap text-dim">{refunded === 0 ? '' : money(refunded, currency)}</Cell>
      <Cell className="whitespace-nowrap">
        <Time at={order.received_at} />
      </Cell>
      <Cell className="whitespace-nowrap">{clickText(credited_to, platforms)}</Cell>
      <Cell>
        <Signs of={order} platforms={platforms} />
      </Cell>
    </Row>
  );
}

export const clickText = (touch: string | undefined, platforms: PlatformList | undefined): string =>
  touch === undefined ? '' : touch === 'direct' ? 'none seen' : labelOf(platforms, touch);
