// Webhooks: where the helpdesk sends its events. All of them, or the one that is in the URL.
import { useState } from 'react';
import { Link } from 'wouter';
import { useHelpdesk } from '#dashboard/app/api.tsx';
import { Button } from '#dashboard/parts/button.tsx';
import { lazily } from '#dashboard/parts/lazily.tsx';
import { Empty, LoadedPanel, Page } from '#dashboard/parts/page.tsx';
import { Cell, Row, Table } from '#dashboard/parts/table.tsx';
import { useUrlState, withQuery } from '#dashboard/parts/url-state.ts';
import { Id, Time } from '#dashboard/parts/written.tsx';
import { OneWebhook } from './one-webhook.tsx';
import { State, type Webhook } from './webhook.tsx';

const WebhookDialog = lazily(() => import('./webhook-dialog.tsx'));

const MAX = 20;

export default function WebhooksPage() {
  const [{ id = '', offset = '' }, change] = useUrlState();
  if (id !== '') return <OneWebhook key={id} id={id} offset={offset} change={change} back="/webhooks" />;
  return <AllWebhooks />;
}

function AllWebhooks() {
  const [isMaking, setMaking] = useState(false);
  const webhooks = useHelpdesk('listWebhooks', {});
  const isFull = (webhooks.data?.total ?? 0) >= MAX;
  return (
    <Page
      title="Webhooks"
      about="Addresses that are told what happens here, signed, and told again until they have taken it."
      actions={
        <Button
          kind="primary"
          refused={isFull ? `A workspace has ${MAX} at most: delete one first.` : undefined}
          onClick={() => setMaking(true)}
        >
          Add a webhook
        </Button>
      }
    >
      {isFull && <p className="mb-4 text-dim">A workspace has {MAX} at most: delete one to add another.</p>}
      <LoadedPanel
        title={webhooks.data ? `${webhooks.data.total} of ${MAX} webhooks` : 'Webhooks'}
        query={webhooks}
        rows={4}
      >
        {({ webhooks: rows }) =>
          rows.length === 0 ? (
            <Empty title="There is no webhook">
              Add one where another program of yours is to know of tickets, contacts or articles.
            </Empty>
          ) : (
            <Table name="Webhooks" head={['Address', 'State', 'Told of', 'Last delivered']}>
              {rows.map((row) => (
                <Entry key={row.id} webhook={row} />
              ))}
            </Table>
          )
        }
      </LoadedPanel>
      {isMaking && <WebhookDialog close={() => setMaking(false)} />}
    </Page>
  );
}

function Entry({ webhook }: { readonly webhook: Webhook }) {
  const { id, url, description, events, last_success_at } = webhook;
  return (
    <Row>
      <Cell className="min-w-40">
        <Link href={withQuery('/webhooks', { id })} className="clipped">
          <Id>{url}</Id>
        </Link>
        {description && <span className="foreign clipped text-sm text-dim">{description}</span>}
      </Cell>
      <Cell className="min-w-32">
        <State webhook={webhook} />
      </Cell>
      <Cell className="whitespace-nowrap">
        {events.includes('*') ? 'everything' : events.length === 1 ? events[0] : `${events.length} kinds`}
      </Cell>
      <Cell className="whitespace-nowrap">
        {last_success_at === null ? 'never' : <Time at={last_success_at} as="ago" />}
      </Cell>
    </Row>
  );
}
