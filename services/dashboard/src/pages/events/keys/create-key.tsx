// A new key: its secret is shown once, and the dialog closes only after the person confirms that it is stored.
import { useState } from 'react';
import { type Client, useChange } from '#dashboard/app/api.tsx';
import { Button } from '#dashboard/parts/button.tsx';
import { Dialog } from '#dashboard/parts/dialog.tsx';
import { Field } from '#dashboard/parts/field.tsx';
import { ShownOnce } from '#dashboard/parts/shown-once.tsx';
import { Failure } from '#dashboard/parts/states.tsx';

type Body = Parameters<Client['createApiKey']>[0]['body'];
type Scope = Body['scopes'][number];

const SCOPES = [
  ['events:write', 'send events'],
  ['events:read', 'read events'],
  ['platforms:read', 'read platforms'],
  ['admin', 'everything a key can do'],
] as const satisfies readonly (readonly [Scope, string])[];

interface CreateKeyProps {
  readonly made: () => void;
  readonly close: () => void;
}

export default function CreateKey({ made, close }: CreateKeyProps) {
  const create = useChange((client: Client, body: Body) => client.createApiKey({ body }));
  const secret = create.data?.body.secret;
  return (
    <Dialog
      title={secret === undefined ? 'Create an API key' : 'Store this key now'}
      close={close}
      canLeave={secret === undefined}
    >
      {secret === undefined ? (
        <Asked
          isBusy={create.isPending}
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

interface AskedProps {
  readonly isBusy: boolean;
  readonly error: unknown;
  readonly send: (body: Body) => void;
  readonly close: () => void;
}

function Asked({ isBusy, error, send, close }: AskedProps) {
  const [name, setName] = useState('');
  const [scopes, setScopes] = useState<readonly Scope[]>(['events:write']);
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (!isBusy) send({ name, scopes: [...scopes], environment: 'live' });
      }}
    >
      <Field
        label="Name"
        help="Who uses it, such as a server."
        required
        maxLength={100}
        value={name}
        onChange={({ target }) => setName(target.value)}
      />
      <fieldset className="my-4">
        <legend className="mb-1 text-sm font-bold">It may</legend>
        {SCOPES.map(([scope, words]) => (
          <label key={scope} className="flex min-h-7 items-center gap-2">
            <input
              type="checkbox"
              className="size-4"
              checked={scopes.includes(scope)}
              onChange={({ target }) =>
                setScopes(target.checked ? [...scopes, scope] : scopes.filter((one) => one !== scope))
              }
            />
            {words} <span className="text-sm text-dim">({scope})</span>
          </label>
        ))}
      </fieldset>
      {error ? <Failure error={error} /> : null}
      <div className="mt-4 flex gap-2">
        <Button kind="primary" type="submit" busy={isBusy}>
          Create
        </Button>
        <Button onClick={close}>Cancel</Button>
      </div>
    </form>
  );
}
