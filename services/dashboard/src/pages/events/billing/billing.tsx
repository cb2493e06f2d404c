// Billing: what the period used and costs so far, the plans, and the payment provider's own pages for paying.
import { useRefusal } from '#dashboard/app/account.ts';
import { type Answer, type Input, useAsk, useChange } from '#dashboard/app/api.tsx';
import { Button } from '#dashboard/parts/button.tsx';
import { type Column, Columns } from '#dashboard/parts/charts/columns.tsx';
import { Figure } from '#dashboard/parts/figure.tsx';
import { Failure, Loaded, Notice, Page, Panel } from '#dashboard/parts/page.tsx';
import { Cell, Row, Table } from '#dashboard/parts/table.tsx';
import { withQuery } from '#dashboard/parts/url-state.ts';
import { count, money, Time } from '#dashboard/parts/written.tsx';

type Usage = Answer<'getBillingUsage'>;
type CheckoutPlan = Input<'openBillingCheckout'>['body']['plan'];

export default function BillingPage() {
  const usage = useAsk('getBillingUsage', {});
  return (
    <Page title="Billing" about="What this period used and costs so far, before taxes.">
      <Loaded query={usage} rows={6}>
        {(data) => <Found data={data} />}
      </Loaded>
    </Page>
  );
}

const DAY_MS = 86_400_000;

const columnsOf = ({ days }: Usage['usage']): readonly Column[] =>
  days.map(({ date, events, delivered, undelivered }, index) => {
    const start = `${date}T00:00:00.000Z`;
    return {
      label: date.slice(5),
      said: `${date}: ${count(events)} events, ${count(delivered)} deliveries, ${count(undelivered)} failed`,
      value: events,
      to: withQuery('/events', { start, end: new Date(Date.parse(start) + DAY_MS).toISOString() }),
      isOpen: index === days.length - 1,
    };
  });

function Found({ data }: { readonly data: Usage }) {
  const { plan, period, usage, cost, payment_provider } = data;
  return (
    <>
      {!payment_provider.configured && (
        <Notice tone="plain">This deployment sells nothing: usage is counted, and nobody is charged.</Notice>
      )}
      <dl className="mb-6 grid grid-cols-2 gap-4 sm:grid-cols-4">
        <Figure
          name="Plan"
          value={plan.name}
          note={`${money(plan.price_per_month, plan.currency)} a month`}
        />
        <Figure
          name="Events"
          value={count(usage.events)}
          to={withQuery('/events', { start: period.start })}
          note={`${count(usage.included_events)} are in the price`}
        />
        <Figure name="Left in the price" value={count(usage.remaining_events)} />
        <Figure
          name="So far"
          value={money(cost.total, cost.currency)}
          note={`of it ${money(cost.overage, cost.currency)} over the plan`}
        />
      </dl>
      <Panel title="By day">
        <Columns
          about={`${count(usage.events)} events since ${period.start.slice(0, 10)}; the period ends ${period.end.slice(0, 10)}.`}
          columns={columnsOf(usage)}
        />
      </Panel>
      <Plans current={plan.id} provider={payment_provider} />
    </>
  );
}

/** Only to pages of the web, and not in a frame: what the answer says is an address, nothing else. */
function leaveFor(url: string): void {
  if (url.startsWith('https://') || url.startsWith('http://127.0.0.1')) location.assign(url);
}

interface PlansProps {
  readonly current: string;
  readonly provider: Usage['payment_provider'];
}

function Plans({ current, provider }: PlansProps) {
  const plans = useAsk('listBillingPlans', {});
  const refusal =
    useRefusal('openBillingCheckout') ?? (provider.configured ? undefined : 'This deployment sells nothing.');
  const back = `${location.origin}/billing`;
  const checkout = useChange(
    ({ client }, plan: CheckoutPlan) =>
      client.openBillingCheckout({ body: { plan, success_url: back, cancel_url: back } }),
    { done: ({ body }) => leaveFor(body.url) },
  );
  const portal = useChange(({ client }) => client.openBillingPortal({ body: { return_url: back } }), {
    done: ({ body }) => leaveFor(body.url),
  });
  return (
    <Panel title="Plans">
      <Loaded query={plans} rows={3}>
        {({ plans: list }) => (
          <Table name="Each plan" head={['Plan', 'A month', 'Events in the price', 'Each thousand more', '']}>
            {list.map(({ id, name, currency, price_per_month, included_events, overage_per_thousand }) => (
              <Row key={id} selected={id === current}>
                <Cell className="font-bold">{name}</Cell>
                <Cell>{money(price_per_month, currency)}</Cell>
                <Cell>{count(included_events)}</Cell>
                <Cell>
                  {overage_per_thousand === 0 ? 'not charged' : money(overage_per_thousand, currency)}
                </Cell>
                <Cell className="text-right">
                  {id === current ? (
                    '✔ yours'
                  ) : price_per_month === 0 ? (
                    ''
                  ) : (
                    <Button
                      busy={checkout.isPending}
                      refused={refusal}
                      onClick={() => checkout.send(id as CheckoutPlan)}
                    >
                      Choose<span className="sr-only"> {name}</span>
                    </Button>
                  )}
                </Cell>
              </Row>
            ))}
          </Table>
        )}
      </Loaded>
      {provider.subscription !== null && (
        <p className="mt-3">
          {provider.subscription.status}; the period ends{' '}
          <Time at={provider.subscription.current_period_end} />.
        </p>
      )}
      <Failure error={checkout.error} />
      <Failure error={portal.error} />
      {provider.has_customer && (
        <Button className="mt-4" busy={portal.isPending} refused={refusal} onClick={() => portal.send()}>
          Payment method and invoices
        </Button>
      )}
    </Panel>
  );
}
