// Beside a ticket: what its customer ordered and did of late, and what is left of orders. Of the events product, for those only who are members
// of it as well. One read of the index of people, which stays for the customer's next tickets.
import { Link } from 'wouter';
import { useAccount, useMe } from '#dashboard/app/account.ts';
import { type Answer, useAsk } from '#dashboard/app/api.tsx';
import { Loaded } from '#dashboard/parts/page.tsx';
import { withQuery } from '#dashboard/parts/url-state.ts';
import { count, Id, money, Time } from '#dashboard/parts/written.tsx';

type Person = Answer<'readPerson'>;
type Order = Person['orders'][number];

export function CustomerOrders({ email }: { readonly email: string }) {
  const { data: account } = useAccount();
  const { data: me } = useMe();
  const isOfBoth = me !== undefined && account?.caller.operations.includes('readPerson') === true;
  const person = useAsk('readPerson', { query: { email } }, { enabled: isOfBoth });
  if (!isOfBoth) return null;
  return (
    <aside aria-label="Orders of this customer" className="mb-4 min-w-0 rounded-md border border-line p-3">
      <h3 className="text-base">
        Orders <span className="font-normal text-dim">{person.data && howMany(person.data)}</span>
      </h3>
      <Loaded query={person} rows={1}>
        {(found) => <Found person={found} />}
      </Loaded>
      <Link className="text-sm" href={withQuery('/events', { search: email })}>
        All events with this address
      </Link>
    </aside>
  );
}

const howMany = ({ orders, next_cursor, is_complete }: Person): string =>
  next_cursor === null && is_complete ? `· ${count(orders.length)}` : `· the newest ${count(orders.length)}`;

const Found = ({ person: { orders, conversions, first_seen } }: { readonly person: Person }) =>
  orders.length + conversions.length === 0 ? (
    <p className="text-sm text-dim">None was tracked with this address.</p>
  ) : (
    <>
      <ul className="text-sm">
        {orders.map((order) => (
          <OneOrder key={order.order_id} order={order} />
        ))}
        {conversions.map(({ event_id, event_name, trust, received_at }) => (
          <li key={`${trust} ${event_id}`} className="flex flex-wrap justify-between gap-x-3 py-1 text-dim">
            <Link href={withQuery('/event', { id: event_id, trust })}>{event_name}</Link>
            <Time at={received_at} as="ago" />
          </li>
        ))}
      </ul>
      {first_seen !== null && (
        <p className="mt-1 text-sm text-dim">
          First seen <Time at={first_seen} as="ago" />
        </p>
      )}
    </>
  );

function OneOrder({ order }: { readonly order: Order }) {
  const { order_id, event_id, trust, received_at, net, currency, refunded = 0, credited_to } = order;
  return (
    <li className="border-b border-line py-1 last:border-b-0">
      <span className="flex flex-wrap items-baseline justify-between gap-x-3">
        <Link href={withQuery('/event', { id: event_id, trust })} className="min-w-0">
          <Id>{order_id}</Id>
        </Link>
        {net !== undefined && <span className="foreign">{money(net, currency)}</span>}
      </span>
      <span className="flex flex-wrap justify-between gap-x-3 text-dim">
        <span>
          {refunded > 0
            ? `${money(refunded, currency)} refunded`
            : credited_to !== undefined && credited_to !== 'direct' && `credited to ${credited_to}`}
        </span>
        <Time at={received_at} as="ago" />
      </span>
    </li>
  );
}
