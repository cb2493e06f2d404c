// What a million events cost, as the deployment's own bill estimates it for the period that runs. Owners see what is paid.
import { useAccount, useRefusal } from '#dashboard/app/account.ts';
import { useAsk } from '#dashboard/app/api.tsx';
import { Figure } from '#dashboard/parts/figure.tsx';
import { sentenceOf } from '#dashboard/parts/page.tsx';
import { money } from '#dashboard/parts/written.tsx';

const NAME = 'Cost per million';
const MILLION = 1_000_000;

/** A bill moves slowly. */
const ASKED_EVERY = 12;

export function CostPerMillion({ everyMs }: { readonly everyMs: number }) {
  const { data: account } = useAccount();
  const refusal = useRefusal('getBillingUsage');
  const usage = useAsk(
    'getBillingUsage',
    {},
    {
      everyMs: everyMs * ASKED_EVERY,
      enabled: account !== undefined && refusal === undefined,
    },
  );
  if (refusal !== undefined) return <Figure name={NAME} value="–" note="owners see it" />;
  if (usage.data === undefined)
    return <Figure name={NAME} value="–" note={usage.error ? sentenceOf(usage.error) : 'being counted'} />;
  const { stored_events, total, currency, prices_as_of } = usage.data.aws_cost;
  if (stored_events === 0) return <Figure name={NAME} value="–" to="/billing" note="no event this period" />;
  return (
    <Figure
      name={NAME}
      value={money((total / stored_events) * MILLION, currency)}
      to="/billing"
      note={`AWS, estimated at prices of ${prices_as_of}`}
    />
  );
}
