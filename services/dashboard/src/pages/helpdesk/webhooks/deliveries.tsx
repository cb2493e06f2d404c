// What was sent to a webhook in the last 30 days, with how often it was tried and what came back; each can be sent once more.
import { useChange, useHelpdesk } from '#dashboard/app/api.tsx';
import { useLive } from '#dashboard/app/polling.ts';
import { Button } from '#dashboard/parts/button.tsx';
import { Empty, Failure, Loaded, Panel } from '#dashboard/parts/page.tsx';
import { Cell, Row, Table } from '#dashboard/parts/table.tsx';
import { count, counted, Id, Time } from '#dashboard/parts/written.tsx';
import { PAGE_ROWS, Pager } from '../find.tsx';
import { answerOf, type Delivery, STATUS_LOOKS, WEBHOOKS, type Webhook } from './webhook.tsx';

interface DeliveriesProps {
  readonly webhook: Webhook;
  readonly offset: string;
  readonly go: (offset: string) => void;
}

export function Deliveries({ webhook: { id, active }, offset, go }: DeliveriesProps) {
  const everyMs = useLive();
  const deliveries = useHelpdesk(
    'listWebhookDeliveries',
    { params: { id }, query: { limit: PAGE_ROWS, offset: offset || undefined } },
    { keep: true, everyMs: offset === '' ? everyMs : 0 },
  );
  return (
    <Panel title={titleOf(deliveries.data?.total)} busy={deliveries.isPlaceholderData}>
      {!active && <p className="mb-3 text-dim">Nothing can be sent again while the webhook is disabled.</p>}
      <Loaded query={deliveries} rows={6}>
        {({ deliveries: rows, total }) =>
          rows.length === 0 ? (
            <Empty title="Nothing was sent to it yet">
              What happens from now on appears here a moment later. A test shows whether it can be reached.
            </Empty>
          ) : (
            <>
              <Table name="Deliveries" head={['When', 'What', 'State', 'Attempts', 'Last attempt', '']}>
                {rows.map((row) => (
                  <Entry key={row.id} delivery={row} isActive={active} />
                ))}
              </Table>
              <Pager offset={offset} total={total} go={go} />
            </>
          )
        }
      </Loaded>
    </Panel>
  );
}

const titleOf = (total: number | undefined): string =>
  total === undefined ? 'Deliveries' : `${counted(total, 'delivery', 'deliveries')} in 30 days`;

function Entry({ delivery, isActive }: { readonly delivery: Delivery; readonly isActive: boolean }) {
  const { id, webhook_id, event_id, type, status, attempts, next_attempt_at, created_at } = delivery;
  const retry = useChange(
    ({ helpdesk }) => helpdesk.retryWebhookDelivery({ params: { id: webhook_id, delivery_id: id } }),
    { refresh: WEBHOOKS },
  );
  const { sign, text, words } = STATUS_LOOKS[status];
  const refused = isActive ? undefined : 'The webhook is disabled.';
  return (
    <Row>
      <Cell className="whitespace-nowrap">
        <Time at={created_at} />
      </Cell>
      <Cell className="min-w-40">
        <span className="foreign">{type}</span>
        <span className="block text-dim">
          <Id>{event_id}</Id>
        </span>
      </Cell>
      <Cell className="whitespace-nowrap">
        <b className={text}>
          {sign} {words}
        </b>
      </Cell>
      <Cell>{count(attempts)}</Cell>
      <Cell className="foreign min-w-36">
        {answerOf(delivery)}
        {status === 'pending' && next_attempt_at !== null && (
          <span className="block text-sm text-dim">
            next <Time at={next_attempt_at} as="ago" />
          </span>
        )}
        <Failure error={retry.error} />
      </Cell>
      <Cell className="text-right">
        {status !== 'test' && (
          <Button busy={retry.isPending} refused={refused} onClick={() => retry.send()}>
            Retry<span className="sr-only"> {type}</span>
          </Button>
        )}
      </Cell>
    </Row>
  );
}
