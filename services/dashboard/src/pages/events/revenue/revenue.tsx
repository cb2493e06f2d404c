// Revenue by the platform of the first click, or the last: all currencies in the shop's own, or one at a time, because amounts of two cannot
// be added without a rate.
import { type Answer, useAsk } from '#dashboard/app/api.tsx';
import { Bar } from '#dashboard/parts/bar.tsx';
import { Choice } from '#dashboard/parts/field.tsx';
import { Empty, Loaded, Notice, Page, Panel } from '#dashboard/parts/page.tsx';
import { Cell, Row, Table } from '#dashboard/parts/table.tsx';
import { useUrlState } from '#dashboard/parts/url-state.ts';
import { count, money } from '#dashboard/parts/written.tsx';
import { largestFirst, withoutRateText } from '../currencies.ts';
import { labelOf, type PlatformList, usePlatforms } from '../platform-list.ts';
import { useRange } from '../ranges.tsx';

type Revenue = Answer<'getRevenueAttribution'>;
type Model = Revenue['model'];
type Sums = Pick<Revenue['total'], 'reported' | 'revenue'>;

const FIRST: Model = 'first_click';
const MODELS: readonly (readonly [Model, string])[] = [
  [FIRST, 'the first click'],
  ['last_click', 'the last click'],
];

export default function RevenuePage() {
  const { input, picker } = useRange();
  const platforms = usePlatforms();
  const [state] = useUrlState();
  // What is no model is read as the first one.
  const [model = FIRST] = MODELS.flatMap(([one]) => (one === state.model ? [one] : []));
  const revenue = useAsk('getRevenueAttribution', { query: { ...input.query, model } }, { keep: true });
  return (
    <Page
      title="Revenue"
      about="Who brought each order: the platform of its person’s first click, or of the last, in the 90 days before."
      actions={picker}
    >
      <Loaded query={revenue} rows={6}>
        {(data) => <Found data={data} list={platforms.data} />}
      </Loaded>
    </Page>
  );
}

function Found({ data, list }: { readonly data: Revenue; readonly list: PlatformList | undefined }) {
  const [state, change] = useUrlState();
  const { total, platforms, repeated_orders } = data;
  const currencies = largestFirst(total.revenue);
  const own = total.reported;
  const chosen = currencies.find((one) => one === state.currency);
  // Everything together, until one currency is chosen.
  const isAll = own !== null && chosen === undefined;
  const hasChoice = currencies.length > 1 || (own !== null && currencies.some((one) => one !== own.currency));
  const currency = isAll ? own.currency : (chosen ?? currencies[0]);
  if (total.orders === 0 && currencies.length === 0)
    return (
      <Panel title="Orders">
        <Empty title="No order came in this range">An order is a Purchase with an order_id.</Empty>
      </Panel>
    );
  const sumOf = ({ reported, revenue }: Sums) => (isAll ? reported : revenue[currency ?? '']);
  const amountOf = (sums: Sums): number => sumOf(sums)?.net ?? 0;
  const refunded = sumOf(total)?.refunded ?? 0;
  const whole = amountOf(total);
  return (
    <>
      {total.unlinked_orders > 0 && (
        <Notice tone="plain">
          For {count(total.unlinked_orders)} of {count(total.orders)} orders no earlier click could be looked
          up: they stand under direct.
        </Notice>
      )}
      <Panel title={`${count(total.orders)} orders`}>
        {isAll && own.without_rate.length > 0 && (
          <Notice tone="wait">
            {withoutRateText(own.without_rate)} Choose the currency to see what came in it.
          </Notice>
        )}
        <div className="mb-4 flex flex-wrap gap-4">
          <Choice
            label="Credit to"
            value={data.model}
            options={MODELS}
            change={(wanted) => change({ model: wanted === FIRST ? '' : wanted })}
          />
          {hasChoice && (
            <Choice
              label="Currency"
              value={chosen ?? (isAll ? '' : (currency ?? ''))}
              options={[
                ...(own === null ? [] : [['', `all, in ${own.currency}`] as const]),
                ...currencies.map((one) => [one, one] as const),
              ]}
              change={(wanted) => change({ currency: wanted })}
            />
          )}
        </div>
        <Table
          name="Revenue by platform"
          head={[data.model === FIRST ? 'First click' : 'Last click', 'Orders', 'Revenue', 'Share']}
        >
          {platforms
            .toSorted((one, other) => amountOf(other) - amountOf(one))
            .map(({ platform, orders, ...sums }) => (
              <Row key={platform}>
                <Cell className="font-bold">
                  {platform === 'direct' ? 'direct: no click seen' : labelOf(list, platform)}
                </Cell>
                <Cell>{count(orders)}</Cell>
                <Cell className="whitespace-nowrap">{money(amountOf(sums), currency)}</Cell>
                <Cell className="min-w-60">
                  <Bar share={shareOf(amountOf(sums), whole)} />
                </Cell>
              </Row>
            ))}
        </Table>
        {refunded > 0 && (
          <p className="mt-3 text-dim">
            Refunds that came in this range took back {money(refunded, currency)}; revenue is less by that.
          </p>
        )}
        {repeated_orders > 0 && (
          <p className="mt-3 text-dim">
            {count(repeated_orders)} more purchases named an order that was counted already.
          </p>
        )}
      </Panel>
    </>
  );
}

/** Refunds of orders from before the range may outweigh what came in it. */
const shareOf = (part: number, whole: number): number =>
  whole <= 0 ? 0 : Math.min(1, Math.max(0, part / whole));
