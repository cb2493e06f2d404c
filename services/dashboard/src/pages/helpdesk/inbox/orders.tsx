// Beside a ticket: what its customer ordered of late, and whether it was tracked. Of the events product, for those only who are
// members of it as well. Asked for by hand: it looks through thirty days of events. What was found stays for the customer's
// next tickets.
import { useState } from 'react';
import { Link } from 'wouter';
import { useAccount, useMe } from '#dashboard/app/account.ts';
import { type Answer, useAsk } from '#dashboard/app/api.tsx';
import { type Fate, fateOf, Sign } from '#dashboard/look/sign.tsx';
import { Button } from '#dashboard/parts/button.tsx';
import { Loaded } from '#dashboard/parts/page.tsx';
import { withQuery } from '#dashboard/parts/url-state.ts';
import { count, Id, money, Time } from '#dashboard/parts/written.tsx';

type Order = Answer<'listEvents'>['events'][number];

const SHOWN = 5;

export function CustomerOrders({ email }: { readonly email: string }) {
  const { data: account } = useAccount();
  const { data: me } = useMe();
  const [isAsked, setAsked] = useState(false);
  const isOfBoth = me !== undefined && account?.caller.operations.includes('listEvents') === true;
  const orders = useAsk(
    'listEvents',
    { query: { search: email, event_name: 'Purchase', limit: SHOWN } },
    { enabled: isOfBoth && isAsked },
  );
  if (!isOfBoth) return null;
  return (
    <aside aria-label="Orders of this customer" className="mb-4 min-w-0 rounded-md border border-line p-3">
      <h3 className="text-base">
        Orders{' '}
        <span className="font-normal text-dim">
          {orders.data &&
            `· ${orders.data.total_is_exact ? '' : 'more than '}${count(orders.data.total)} in 30 days`}
        </span>
      </h3>
      {isAsked || orders.data !== undefined ? (
        <Loaded query={orders} rows={1}>
          {({ events }) => <Found orders={events} />}
        </Loaded>
      ) : (
        <p className="mb-1">
          <Button onClick={() => setAsked(true)}>Look up orders</Button>
        </p>
      )}
      <Link className="text-sm" href={withQuery('/events', { search: email })}>
        All events with this address
      </Link>
    </aside>
  );
}

const Found = ({ orders }: { readonly orders: readonly Order[] }) =>
  orders.length === 0 ? (
    <p className="text-sm text-dim">None was tracked with this address.</p>
  ) : (
    <ul className="text-sm">
      {orders.map((order) => (
        <OneOrder key={`${order.trust} ${order.event_id}`} order={order} />
      ))}
    </ul>
  );

const RANK: readonly Fate[] = ['failed', 'waiting', 'delivered', 'withheld', 'none'];

function OneOrder({ order }: { readonly order: Order }) {
  const { event_id, trust, order_id, value, currency, received_at, deliveries } = order;
  const fates = deliveries.map(({ status }) => fateOf(status));
  const worst = RANK.find((fate) => fates.includes(fate)) ?? 'waiting';
  const delivered = fates.filter((fate) => fate === 'delivered').length;
  return (
    <li className="border-b border-line py-1 last:border-b-0">
      <span className="flex flex-wrap items-baseline justify-between gap-x-3">
        <Link href={withQuery('/event', { id: event_id, trust })} className="min-w-0">
          <Id>{order_id ?? event_id}</Id>
        </Link>
        {value !== undefined && <span className="foreign">{money(value, currency)}</span>}
      </span>
      <span className="flex flex-wrap justify-between gap-x-3 text-dim">
        <span>
          <Sign fate={worst} /> {count(delivered)} of {count(deliveries.length)} platforms have it
        </span>
        <Time at={received_at} as="ago" />
      </span>
    </li>
  );
}
