// What a million events cost, as the deployment's own bill estimates it for the period that runs. Owners see what is paid.
import { useAccount, useRefusal } from '../../../app/account.ts';
import { useAsk } from '../../../app/api.tsx';
import { Figure } from '../../../parts/figure.tsx';
import { sentenceOf } from '../../../parts/states.tsx';
import { money } from '../../../parts/written.tsx';

const NAME = 'Cost per million';
const MILLION = 1_000_000;

export function CostPerMillion() {
  const { data: account } = useAccount();
  const refusal = useRefusal('getBillingUsage');
  const usage = useAsk(['billing-usage'], (client, signal) => client.getBillingUsage({}, { signal }), {
    enabled: account !== undefined && refusal === undefined,
  });
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
