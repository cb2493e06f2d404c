// One webhook: its state, what can be done to it, and what was sent to it.
import { useState } from 'react';
import { useChange, useHelpdesk } from '#dashboard/app/api.tsx';
import { useLive } from '#dashboard/app/polling.ts';
import { Button, LinkButton } from '#dashboard/parts/button.tsx';
import { Facts } from '#dashboard/parts/facts.tsx';
import { Confirm, lazily } from '#dashboard/parts/lazily.tsx';
import { Failure, LoadedPanel, Page } from '#dashboard/parts/page.tsx';
import type { UrlState } from '#dashboard/parts/url-state.ts';
import { Id, Time } from '#dashboard/parts/written.tsx';
import { Deliveries } from './deliveries.tsx';
import { State, WEBHOOKS, type Webhook } from './webhook.tsx';

const WebhookDialog = lazily(() => import('./webhook-dialog.tsx'));
const RotateDialog = lazily(() => import('./rotate-dialog.tsx'));

interface OneWebhookProps {
  readonly id: string;
  readonly offset: string;
  readonly change: (changes: UrlState) => void;
  readonly back: string;
}

export function OneWebhook({ id, offset, change, back }: OneWebhookProps) {
  const webhook = useHelpdesk('getWebhook', { params: { id } }, { everyMs: useLive() });
  const shown = webhook.data?.webhook;
  return (
    <Page
      title="Webhook"
      about={shown && <Id>{shown.url}</Id>}
      actions={<LinkButton to={back}>← Webhooks</LinkButton>}
    >
      <LoadedPanel title="Receiver" query={webhook} rows={4}>
        {({ webhook: one }) => <Receiver webhook={one} gone={() => change({ id: '', offset: '' })} />}
      </LoadedPanel>
      {shown !== undefined && (
        <Deliveries webhook={shown} offset={offset} go={(to) => change({ offset: to })} />
      )}
    </Page>
  );
}

function Receiver({ webhook, gone }: { readonly webhook: Webhook; readonly gone: () => void }) {
  const { id, active } = webhook;
  const [dialog, setDialog] = useState<'change' | 'rotate' | 'delete' | null>(null);
  const params = { id };
  const close = (): void => setDialog(null);
  const turn = useChange(
    ({ helpdesk }, on: boolean) => helpdesk.updateWebhook({ params, body: { active: on } }),
    { refresh: WEBHOOKS },
  );
  const test = useChange(({ helpdesk }) => helpdesk.testWebhook({ params, body: {} }), {
    refresh: WEBHOOKS,
  });
  const remove = useChange(({ helpdesk }) => helpdesk.deleteWebhook({ params }), {
    refresh: WEBHOOKS,
    done: gone,
  });
  return (
    <>
      <About webhook={webhook} />
      <Failure error={turn.error} />
      <Failure error={test.error} />
      <div className="flex flex-wrap items-center gap-2">
        <Button kind={active ? 'plain' : 'primary'} busy={turn.isPending} onClick={() => turn.send(!active)}>
          {active ? 'Disable' : 'Enable'}
        </Button>
        <Button busy={test.isPending} onClick={() => test.send()}>
          Send a test
        </Button>
        <Button onClick={() => setDialog('change')}>Change</Button>
        <Button onClick={() => setDialog('rotate')}>Rotate the secret</Button>
        <Button kind="danger" onClick={() => setDialog('delete')}>
          Delete
        </Button>
        <output>{said(test.isPending, test.data?.body.delivered)}</output>
      </div>
      {dialog === 'change' && <WebhookDialog webhook={webhook} close={close} />}
      {dialog === 'rotate' && <RotateDialog id={id} close={close} />}
      {dialog === 'delete' && (
        <Confirm title="Delete this webhook?" action="Delete" change={remove} close={close}>
          <p>What waits for it is not sent any more, and what was sent is no longer listed.</p>
        </Confirm>
      )}
    </>
  );
}

/** Of a test nothing more is known: what the receiver answered is its own. */
function said(isPending: boolean, delivered: boolean | undefined): string {
  if (isPending || delivered === undefined) return '';
  return delivered ? '✔ The test was delivered.' : '✖ The test was not delivered.';
}

function About({ webhook }: { readonly webhook: Webhook }) {
  const { description, events, secret_hint, last_success_at, last_failure_at, created_at } = webhook;
  const timeOf = (at: string | null) => (at === null ? 'never' : <Time at={at} />);
  return (
    <>
      <p className="mb-3">
        <State webhook={webhook} />
        {!webhook.active && <span className="text-dim"> · nothing is sent to it until it is enabled</span>}
      </p>
      {description && <p className="foreign mb-3">{description}</p>}
      <Facts
        facts={[
          ['Told of', events.includes('*') ? 'everything' : events.join(', ')],
          ['Secret ends in', <Id key="secret">{secret_hint}</Id>],
          ['Last delivered', timeOf(last_success_at)],
          ['Last failed', timeOf(last_failure_at)],
          ['Added', timeOf(created_at)],
        ]}
      />
    </>
  );
}
