// Adds a webhook, whose secret is then shown once, or changes one. What the helpdesk refuses lands at its field.
import { useState } from 'react';
import { useKeyedChange } from '#dashboard/app/api.tsx';
import { SecretDialog } from '#dashboard/parts/dialog.tsx';
import { Field, fieldsOf } from '#dashboard/parts/field.tsx';
import { useProblems } from '#dashboard/parts/problems.ts';
import { explained, Tick, Ticks } from '#dashboard/parts/tick.tsx';
import { KINDS, type Kind, WEBHOOKS, type Webhook } from './webhook.tsx';

interface WebhookDialogProps {
  /** Absent: a new one. */
  readonly webhook?: Webhook;
  readonly close: () => void;
}

export default function WebhookDialog({ webhook, close }: WebhookDialogProps) {
  const [typed, setTyped] = useState({ url: webhook?.url ?? '', description: webhook?.description ?? '' });
  const [events, setEvents] = useState<readonly Kind[]>(
    (webhook?.events as readonly Kind[] | undefined) ?? ['*'],
  );
  const save = useSaving(webhook, close);
  const problems = useProblems(save.error, ['url', 'description', 'events']);
  const bind = fieldsOf(typed, (name, text) => setTyped({ ...typed, [name]: text }), problems);
  const isNew = webhook === undefined;
  return (
    <SecretDialog
      title={isNew ? 'Add a webhook' : 'Change the webhook'}
      secretTitle="Store this secret now"
      secret={save.data ?? undefined}
      about="It is shown once. Your receiver checks signatures with it. Who loses it rotates the secret and gets another one."
      action={isNew ? 'Add' : 'Save'}
      busy={save.isPending}
      error={problems.rest}
      form={problems.form}
      send={() => save.send({ ...typed, events })}
      close={close}
    >
      <div className="grid gap-4">
        <Field
          label="Address"
          type="text"
          inputMode="url"
          placeholder="https://"
          help="https, at a public address."
          {...bind('url')}
        />
        <Field label="Description" help="Whose it is; it may be empty." {...bind('description')} />
        <Kinds chosen={events} problem={problems.at('events')} choose={setEvents} />
      </div>
    </SecretDialog>
  );
}

interface Typed {
  readonly url: string;
  readonly description: string;
  readonly events: readonly Kind[];
}

/** Resolves to the secret of a new webhook. */
const useSaving = (webhook: Webhook | undefined, close: () => void) =>
  useKeyedChange(
    async ({ helpdesk }, { url, description, events }: Typed, headers) => {
      const body = { url, events: [...events], description: description.trim() === '' ? null : description };
      if (webhook === undefined) {
        const made = await helpdesk.createWebhook({ body, headers });
        return made.body.webhook.secret;
      }
      // An unchanged address is not sent, so it is not validated again: rules may have become stricter since.
      const { url: _, ...others } = body;
      const params = { id: webhook.id };
      await helpdesk.updateWebhook({ params, body: url === webhook.url ? others : body });
      return null;
    },
    { refresh: WEBHOOKS, done: (secret) => secret === null && close() },
  );

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
      <Tick isOn={isAll} set={(on) => choose(on ? ['*'] : ['ticket.created'])}>
        everything
      </Tick>
      {!isAll && (
        <div className="grid sm:grid-cols-2">
          <Ticks<Kind>
            options={explained(KINDS.map(([kind, words]) => [kind, kind, words]))}
            chosen={chosen}
            choose={choose}
          />
        </div>
      )}
    </fieldset>
  );
}
