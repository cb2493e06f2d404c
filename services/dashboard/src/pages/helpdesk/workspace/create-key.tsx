// A new API key of the helpdesk.
import { useState } from 'react';
import { useKeyedChange } from '#dashboard/app/api.tsx';
import { KeyDialog } from '#dashboard/parts/dialog-keys.tsx';
import { Choice } from '#dashboard/parts/field.tsx';
import { type KeyBody, SCOPES } from './scopes.ts';

export default function CreateKey({ close }: { readonly close: () => void }) {
  const [environment, setEnvironment] = useState<'live' | 'test'>('live');
  const create = useKeyedChange(
    ({ helpdesk }, body: KeyBody, headers) => helpdesk.createHelpdeskKey({ body, headers }),
    { refresh: ['listHelpdeskKeys'] },
  );
  return (
    <KeyDialog
      help="Who uses it, such as a program."
      scopes={SCOPES}
      first={['read:tickets', 'write:tickets']}
      secret={create.data?.body.secret}
      busy={create.isPending}
      error={create.error}
      send={(name, scopes) => create.send({ name, scopes, environment })}
      close={close}
    >
      <Choice
        label="Shows in the key"
        value={environment}
        options={[
          ['live', 'live: hdk_live_…'],
          ['test', 'test: hdk_test_…'],
        ]}
        change={(chosen) => setEnvironment(chosen === 'test' ? 'test' : 'live')}
      />
    </KeyDialog>
  );
}
