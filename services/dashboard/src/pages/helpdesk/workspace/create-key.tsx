// A new API key of the helpdesk: its secret is shown once.
import { useState } from 'react';
import { type Client, useChange } from '#dashboard/app/api.tsx';
import { Button } from '#dashboard/parts/button.tsx';
import { Dialog } from '#dashboard/parts/dialog.tsx';
import { Choice, Field } from '#dashboard/parts/field.tsx';
import { ShownOnce } from '#dashboard/parts/shown-once.tsx';
import { Failure } from '#dashboard/parts/states.tsx';
import { useProblems } from '../problems.ts';
import { useIdempotencyKey } from '../repeatable.ts';
import { Tick } from '../tick.tsx';
import { type KeyBody as Body, SCOPES, type Scope } from './scopes.ts';

interface CreateKeyProps {
  readonly made: () => void;
  readonly close: () => void;
}

export default function CreateKey({ made, close }: CreateKeyProps) {
  const keyOf = useIdempotencyKey();
  const create = useChange((_client: Client, body: Body, helpdesk) =>
    helpdesk.createHelpdeskKey({ body, headers: { 'idempotency-key': keyOf(body) } }),
  );
  const secret = create.data?.body.secret;
  return (
    <Dialog
      title={secret === undefined ? 'Create an API key' : 'Store this key now'}
      close={close}
      canLeave={secret === undefined}
    >
      {secret === undefined ? (
        <Form
          busy={create.isPending}
          error={create.error}
          send={(body) => create.send(body, made)}
          close={close}
        />
      ) : (
        <ShownOnce about="It is shown once. Who loses it makes another one." secret={secret} close={close} />
      )}
    </Dialog>
  );
}

interface FormProps {
  readonly busy: boolean;
  readonly error: unknown;
  readonly send: (body: Body) => void;
  readonly close: () => void;
}

function Form({ busy, error, send, close }: FormProps) {
  const [name, setName] = useState('');
  const [environment, setEnvironment] = useState<'live' | 'test'>('live');
  const [scopes, setScopes] = useState<readonly Scope[]>(['read:tickets', 'write:tickets']);
  const problems = useProblems(error, ['name', 'scopes']);
  const unscoped = problems.of('scopes');
  return (
    <form
      ref={problems.form}
      onSubmit={(event) => {
        event.preventDefault();
        if (!busy) send({ name, scopes: [...scopes], environment });
      }}
    >
      <div className="grid gap-4">
        <Field
          label="Name"
          help="Who uses it, such as a program."
          problem={problems.of('name')}
          value={name}
          onChange={({ target }) => setName(target.value)}
        />
        <fieldset aria-invalid={unscoped !== undefined || undefined} tabIndex={-1}>
          <legend className="mb-1 text-sm font-bold">It may</legend>
          {unscoped !== undefined && <p className="foreign mb-1 text-sm text-bad">✖ {unscoped}</p>}
          <div className="grid sm:grid-cols-2">
            {(Object.entries(SCOPES) as [Scope, string][]).map(([scope, words]) => (
              <Tick
                key={scope}
                name={words}
                words={scope}
                isOn={scopes.includes(scope)}
                set={(on) => setScopes(on ? [...scopes, scope] : scopes.filter((one) => one !== scope))}
              />
            ))}
          </div>
        </fieldset>
        <Choice
          label="Shows in the key"
          value={environment}
          options={[
            ['live', 'live: hdk_live_…'],
            ['test', 'test: hdk_test_…'],
          ]}
          change={(chosen) => setEnvironment(chosen === 'test' ? 'test' : 'live')}
        />
      </div>
      {problems.rest ? <Failure error={problems.rest} /> : null}
      <div className="mt-4 flex gap-2">
        <Button kind="primary" type="submit" busy={busy}>
          Create
        </Button>
        <Button onClick={close}>Cancel</Button>
      </div>
    </form>
  );
}
