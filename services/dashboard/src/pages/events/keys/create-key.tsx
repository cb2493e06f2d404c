// A new key of the events API.
import { type Input, useChange } from '#dashboard/app/api.tsx';
import { KeyDialog } from '#dashboard/parts/dialog-keys.tsx';

type Body = Input<'createApiKey'>['body'];

const SCOPES = {
  'events:write': 'send events',
  'events:read': 'read events',
  'platforms:read': 'read platforms',
  admin: 'everything a key can do',
} as const satisfies Readonly<Partial<Record<Body['scopes'][number], string>>>;

export default function CreateKey({ close }: { readonly close: () => void }) {
  const create = useChange(({ client }, body: Body) => client.createApiKey({ body }), {
    refresh: ['listApiKeys'],
  });
  return (
    <KeyDialog
      help="Who uses it, such as a server."
      isNamed
      scopes={SCOPES}
      first={['events:write']}
      secret={create.data?.body.secret}
      busy={create.isPending}
      error={create.error}
      send={(name, scopes) => create.send({ name, scopes, environment: 'live' })}
      close={close}
    />
  );
}
