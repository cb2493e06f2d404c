// Adds a webhook, whose secret is then shown once, or changes one. What the helpdesk refuses lands at its field.
import { useState } from 'react';
import { type Client, useChange } from '#dashboard/app/api.tsx';
import { Button } from '#dashboard/parts/button.tsx';
import { Dialog } from '#dashboard/parts/dialog.tsx';
import { Field } from '#dashboard/parts/field.tsx';
import { ShownOnce } from '#dashboard/parts/shown-once.tsx';
import { Failure } from '#dashboard/parts/states.tsx';
import { useProblems } from '../problems.ts';
import { useIdempotencyKey } from '../repeatable.ts';
import { Tick } from '../tick.tsx';
import { KINDS, type Kind, type Webhook } from './webhook.ts';

export const LOSS = 'Who loses it rotates the secret and gets another one.';

interface WebhookDialogProps {
  /** Absent: a new one. */
  readonly webhook?: Webhook;
  readonly close: () => void;
  readonly saved: () => void;
}

interface Typed {
  readonly url: string;
  readonly description: string;
  readonly events: readonly Kind[];
}

export default function WebhookDialog({ webhook, close, saved }: WebhookDialogProps) {
  const keyOf = useIdempotencyKey();
  const save = useChange(async (_client: Client, { url, description, events }: Typed, helpdesk) => {
    const body = { url, events: [...events], description: description.trim() === '' ? null : description };
    if (webhook !== undefined) {
      // An unchanged address is not sent, so it is not validated again: rules may have become stricter since.
      const { url: _, ...others } = body;
      await helpdesk.updateWebhook({
        params: { id: webhook.id },
        body: url === webhook.url ? others : body,
      });
      return null;
    }
    const made = await helpdesk.createWebhook({ body, headers: { 'idempotency-key': keyOf(body) } });
    return made.body.webhook.secret;
  });
  const secret = save.data ?? undefined;
  const title = webhook === undefined ? 'Add a webhook' : 'Change the webhook';
  return (
    <Dialog
      title={secret === undefined ? title : 'Store this secret now'}
      close={close}
      canLeave={secret === undefined}
    >
      {secret === undefined ? (
        <Form
          webhook={webhook}
          busy={save.isPending}
          error={save.error}
          send={(typed) =>
            save.send(typed, (made) => {
              saved();
              if (made === null) close();
            })
          }
          close={close}
        />
      ) : (
        <ShownOnce
          about={`It is shown once. Your receiver checks signatures with it. ${LOSS}`}
          secret={secret}
          close={close}
        />
      )}
    </Dialog>
  );
}

interface FormProps {
  readonly webhook: Webhook | undefined;
  readonly busy: boolean;
  readonly error: unknown;
  readonly send: (typed: Typed) => void;
  readonly close: () => void;
}

function Form({ webhook, busy, error, send, close }: FormProps) {
  const [typed, setTyped] = useState<Typed>({
    url: webhook?.url ?? '',
    description: webhook?.description ?? '',
    events: (webhook?.events as readonly Kind[] | undefined) ?? ['*'],
  });
  const problems = useProblems(error, ['url', 'description', 'events']);
  return (
    <form
      ref={problems.form}
      onSubmit={(event) => {
        event.preventDefault();
        if (!busy) send(typed);
      }}
    >
      <div className="grid gap-4">
        <Field
          label="Address"
          type="text"
          inputMode="url"
          placeholder="https://"
          help="https, at a public address."
          problem={problems.of('url')}
          value={typed.url}
          onChange={({ target }) => setTyped({ ...typed, url: target.value })}
        />
        <Field
          label="Description"
          help="Whose it is; it may be empty."
          problem={problems.of('description')}
          value={typed.description}
          onChange={({ target }) => setTyped({ ...typed, description: target.value })}
        />
        <Kinds
          chosen={typed.events}
          problem={problems.of('events')}
          choose={(events) => setTyped({ ...typed, events })}
        />
      </div>
      {problems.rest ? <Failure error={problems.rest} /> : null}
      <div className="mt-4 flex gap-2">
        <Button kind="primary" type="submit" busy={busy}>
          {webhook === undefined ? 'Add' : 'Save'}
        </Button>
        <Button onClick={close}>Cancel</Button>
      </div>
    </form>
  );
}

interface KindsProps {
  readonly chosen: readonly Kind[];
  readonly problem: string | undefined;
  readonly choose: (kinds: readonly Kind[]) => void;
}

function Kinds({ chosen, problem, choose }: KindsProps) {
  const isAll = chosen.includes('*');
  return (
    <fieldset aria-invalid={problem !== undefined || undefined} tabIndex={-1}>
      <legend className="mb-1 text-sm font-bold">It is told of</legend>
      {problem !== undefined && <p className="foreign mb-1 text-sm text-bad">✖ {problem}</p>}
      <Tick name="everything" isOn={isAll} set={(on) => choose(on ? ['*'] : ['ticket.created'])} />
      {!isAll && (
        <div className="grid sm:grid-cols-2">
          {KINDS.map(([kind, words]) => (
            <Tick
              key={kind}
              name={kind}
              words={words}
              isOn={chosen.includes(kind)}
              set={(on) => choose(on ? [...chosen, kind] : chosen.filter((one) => one !== kind))}
            />
          ))}
        </div>
      )}
    </fieldset>
  );
}
