// A new secret: asked for, then shown once. One dialog rotates once, however often it has to ask.
import { type Client, useChange } from '#dashboard/app/api.tsx';
import { Button } from '#dashboard/parts/button.tsx';
import { Dialog } from '#dashboard/parts/dialog.tsx';
import { ShownOnce } from '#dashboard/parts/shown-once.tsx';
import { Failure } from '#dashboard/parts/states.tsx';
import { useIdempotencyKey } from '../repeatable.ts';

interface RotateDialogProps {
  readonly id: string;
  readonly rotated: () => void;
  readonly close: () => void;
}

export default function RotateDialog({ id, rotated, close }: RotateDialogProps) {
  const keyOf = useIdempotencyKey();
  const rotate = useChange((_client: Client, _: null, helpdesk) =>
    helpdesk.rotateWebhookSecret({ params: { id }, headers: { 'idempotency-key': keyOf(id) } }),
  );
  const secret = rotate.data?.body.webhook.secret;
  if (secret !== undefined)
    return (
      <Dialog title="Store this secret now" close={close} canLeave={false}>
        <ShownOnce
          secret={secret}
          about="It is shown once. For 24 hours the one before signs as well: give your receiver this one in that time."
          close={close}
        />
      </Dialog>
    );
  return (
    <Dialog title="Rotate the secret?" close={close}>
      <p>
        A new secret signs from now on. For 24 hours the one before signs as well, so that no delivery is
        refused while your receiver is changed.
      </p>
      {rotate.error && <Failure error={rotate.error} />}
      <div className="mt-4 flex gap-2">
        <Button kind="primary" busy={rotate.isPending} onClick={() => rotate.send(null, rotated)}>
          Rotate
        </Button>
        <Button onClick={close}>Cancel</Button>
      </div>
    </Dialog>
  );
}
