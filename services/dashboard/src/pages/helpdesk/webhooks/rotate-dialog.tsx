// A new secret: asked for, then shown once. One dialog rotates once, however often it has to ask.
import { useKeyedChange } from '#dashboard/app/api.tsx';
import { SecretDialog } from '#dashboard/parts/dialog.tsx';
import { WEBHOOKS } from './webhook.tsx';

export default function RotateDialog({ id, close }: { readonly id: string; readonly close: () => void }) {
  const rotate = useKeyedChange(
    ({ helpdesk }, params: { readonly id: string }, headers) =>
      helpdesk.rotateWebhookSecret({ params, headers }),
    { refresh: WEBHOOKS },
  );
  return (
    <SecretDialog
      title="Rotate the secret?"
      secretTitle="Store this secret now"
      secret={rotate.data?.body.webhook.secret}
      about="It is shown once. For 24 hours the one before signs as well: give your receiver this one in that time."
      action="Rotate"
      busy={rotate.isPending}
      error={rotate.error}
      send={() => rotate.send({ id })}
      close={close}
    >
      <p>
        A new secret signs from now on. For 24 hours the one before signs as well, so that no delivery is
        refused while your receiver is changed.
      </p>
    </SecretDialog>
  );
}
