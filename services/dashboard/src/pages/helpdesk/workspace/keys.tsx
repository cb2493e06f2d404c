// The workspace's API keys: make one, whose secret is seen once, and revoke one for good.
import { useState } from 'react';
import { type HelpdeskAnswer, useChange, useHelpdesk } from '#dashboard/app/api.tsx';
import { Button } from '#dashboard/parts/button.tsx';
import { KeyTable } from '#dashboard/parts/keys.tsx';
import { Confirm, lazily } from '#dashboard/parts/lazily.tsx';
import { Loaded, Panel } from '#dashboard/parts/page.tsx';
import { count } from '#dashboard/parts/written.tsx';
import { wordsOf } from './scopes.ts';

const CreateKey = lazily(() => import('./create-key.tsx'));

export function Keys() {
  const [isMaking, setMaking] = useState(false);
  const keys = useHelpdesk('listHelpdeskKeys', {});
  const { active = 0, active_max = 1 } = keys.data ?? {};
  return (
    <Panel
      title={keys.data ? `API keys: ${count(active)} of ${count(active_max)} in use` : 'API keys'}
      actions={
        <Button
          refused={active >= active_max ? 'Revoke one that is no longer used first.' : undefined}
          onClick={() => setMaking(true)}
        >
          Create a key
        </Button>
      }
    >
      <p className="mb-3 text-dim">What programs call the helpdesk with. Only the hash of a key is kept.</p>
      <Loaded query={keys} rows={3}>
        {({ api_keys }) => (
          <KeyTable
            keys={api_keys}
            empty="Create one for each program, so that one can be revoked alone."
            mayOf={({ scopes }) => wordsOf(scopes)}
            revoke={(key, close) => <Revoke apiKey={key} close={close} />}
          />
        )}
      </Loaded>
      {isMaking && <CreateKey close={() => setMaking(false)} />}
    </Panel>
  );
}

interface RevokeProps {
  readonly apiKey: HelpdeskAnswer<'listHelpdeskKeys'>['api_keys'][number];
  readonly close: () => void;
}

function Revoke({ apiKey: { id, name }, close }: RevokeProps) {
  const revoke = useChange(({ helpdesk }) => helpdesk.revokeHelpdeskKey({ params: { id } }), {
    refresh: ['listHelpdeskKeys'],
    done: close,
  });
  return (
    <Confirm title={`Revoke ${name}?`} action="Revoke" change={revoke} close={close}>
      <p>From then on nothing is let in with it, for good.</p>
    </Confirm>
  );
}
