// One webhook: its state, what can be done to it, and what was sent to it.
import { useQueryClient } from '@tanstack/react-query';
import { lazy, Suspense, useState } from 'react';
import { type Client, useAsk, useChange } from '#dashboard/app/api.tsx';
import { useLive } from '#dashboard/app/polling.ts';
import { Button, LinkButton } from '#dashboard/parts/button.tsx';
import { Page, Panel } from '#dashboard/parts/page.tsx';
import { Failure, Loaded } from '#dashboard/parts/states.tsx';
import type { UrlState } from '#dashboard/parts/url-state.ts';
import { Id, Time } from '#dashboard/parts/written.tsx';
import { Deliveries } from './deliveries.tsx';
import { State } from './state.tsx';
import type { Webhook } from './webhook.ts';

const WebhookDialog = lazy(() => import('./webhook-dialog.tsx'));
const RotateDialog = lazy(() => import('./rotate-dialog.tsx'));
const Confirm = lazy(() => import('#dashboard/parts/confirm.tsx'));

interface OneWebhookProps {
  readonly id: string;
  readonly offset: string;
  readonly change: (changes: UrlState) => void;
  readonly back: string;
}

export function OneWebhook({ id, offset, change, back }: OneWebhookProps) {
  const everyMs = useLive();
  const queries = useQueryClient();
  const webhook = useAsk(
    ['webhooks', 'one', id],
    (_client, signal, helpdesk) => helpdesk.getWebhook({ params: { id } }, { signal }),
    { everyMs },
  );
  const refresh = (): void => void queries.invalidateQueries({ queryKey: ['webhooks'] });
  const shown = webhook.data?.webhook;
  return (
    <Page
      title="Webhook"
      about={shown && <Id>{shown.url}</Id>}
      actions={<LinkButton to={back}>← Webhooks</LinkButton>}
    >
      <Panel title="Receiver">
        <Loaded query={webhook} rows={4}>
          {({ webhook: one }) => (
            <Receiver
              webhook={one}
              refresh={refresh}
              gone={() => {
                refresh();
                change({ id: '', offset: '' });
              }}
            />
          )}
        </Loaded>
      </Panel>
      {shown !== undefined && (
        <Deliveries webhook={shown} offset={offset} go={(to) => change({ offset: to })} />
      )}
    </Page>
  );
}

interface ReceiverProps {
  readonly webhook: Webhook;
  readonly refresh: () => void;
  readonly gone: () => void;
}

function Receiver({ webhook, refresh, gone }: ReceiverProps) {
  const { id, active } = webhook;
  const [dialog, setDialog] = useState<'change' | 'rotate' | 'delete' | null>(null);
  const params = { id };
  const close = (): void => setDialog(null);
  const turn = useChange((_client: Client, on: boolean, helpdesk) =>
    helpdesk.updateWebhook({ params, body: { active: on } }),
  );
  const test = useChange((_client: Client, _: null, helpdesk) => helpdesk.testWebhook({ params, body: {} }));
  const remove = useChange((_client: Client, _: null, helpdesk) => helpdesk.deleteWebhook({ params }));
  return (
    <>
      <Facts webhook={webhook} />
      {turn.error && <Failure error={turn.error} />}
      {test.error && <Failure error={test.error} />}
      <div className="flex flex-wrap items-center gap-2">
        <Button
          kind={active ? 'plain' : 'primary'}
          busy={turn.isPending}
          onClick={() => turn.send(!active, refresh)}
        >
          {active ? 'Disable' : 'Enable'}
        </Button>
        <Button busy={test.isPending} onClick={() => test.send(null, refresh)}>
          Send a test
        </Button>
        <Button onClick={() => setDialog('change')}>Change</Button>
        <Button onClick={() => setDialog('rotate')}>Rotate the secret</Button>
        <Button kind="danger" onClick={() => setDialog('delete')}>
          Delete
        </Button>
        <output>{said(test.isPending, test.data?.body.delivered)}</output>
      </div>
      <Suspense>
        {dialog === 'change' && <WebhookDialog webhook={webhook} close={close} saved={refresh} />}
        {dialog === 'rotate' && <RotateDialog id={id} rotated={refresh} close={close} />}
        {dialog === 'delete' && (
          <Confirm
            title="Delete this webhook?"
            deed="Delete"
            leave="Keep it"
            busy={remove.isPending}
            error={remove.error}
            send={() => remove.send(null, gone)}
            close={close}
          >
            <p>What waits for it is not sent any more, and what was sent is no longer listed.</p>
          </Confirm>
        )}
      </Suspense>
    </>
  );
}

/** Of a test nothing more is known: what the receiver answered is its own. */
function said(isPending: boolean, delivered: boolean | undefined): string {
  if (isPending || delivered === undefined) return '';
  return delivered ? '✔ The test was delivered.' : '✖ The test was not delivered.';
}

function Facts({ webhook }: { readonly webhook: Webhook }) {
  const { description, events, secret_hint, last_success_at, last_failure_at, created_at } = webhook;
  const times = [
    ['Last delivered', last_success_at],
    ['Last failed', last_failure_at],
    ['Added', created_at],
  ] as const;
  return (
    <>
      <p className="mb-3">
        <State webhook={webhook} />
        {!webhook.active && <span className="text-dim"> · nothing is sent to it until it is enabled</span>}
      </p>
      {description && <p className="foreign mb-3">{description}</p>}
      <dl className="mb-4 flex flex-wrap gap-6">
        <div className="min-w-0">
          <dt className="text-sm text-dim">Told of</dt>
          <dd className="foreign max-w-120">{events.includes('*') ? 'everything' : events.join(', ')}</dd>
        </div>
        <div>
          <dt className="text-sm text-dim">Secret ends in</dt>
          <dd>
            <Id>{secret_hint}</Id>
          </dd>
        </div>
        {times.map(([name, at]) => (
          <div key={name}>
            <dt className="text-sm text-dim">{name}</dt>
            <dd>{at === null ? 'never' : <Time at={at} />}</dd>
          </div>
        ))}
      </dl>
    </>
  );
}
