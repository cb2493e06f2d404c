// API keys: make one, whose secret is seen once, and revoke one for good.
import { useState } from 'react';
import { type Answer, useAsk, useChange } from '#dashboard/app/api.tsx';
import { Button } from '#dashboard/parts/button.tsx';
import { KeyTable } from '#dashboard/parts/keys.tsx';
import { Confirm, lazily } from '#dashboard/parts/lazily.tsx';
import { LoadedPanel, Page } from '#dashboard/parts/page.tsx';
import { count, Time } from '#dashboard/parts/written.tsx';

const CreateKey = lazily(() => import('./create-key.tsx'));

type ApiKey = Answer<'listApiKeys'>['api_keys'][number];

export default function KeysPage() {
  const [isMaking, setMaking] = useState(false);
  const keys = useAsk('listApiKeys', {});
  return (
    <Page
      title="API keys"
      about="What your servers send events with. Only the hash of a key is kept."
      actions={
        <Button kind="primary" onClick={() => setMaking(true)}>
          Create a key
        </Button>
      }
    >
      <LoadedPanel
        title={keys.data ? `${count(keys.data.active)} of ${count(keys.data.active_max)} in use` : 'Keys'}
        query={keys}
        rows={4}
      >
        {({ api_keys }) => (
          <KeyTable
            keys={api_keys}
            empty="Create one for each server that sends events, so that one can be revoked alone."
            mayOf={({ scopes }) => scopes.join(', ')}
            revoke={(key, close) => <Revoke apiKey={key} close={close} />}
          />
        )}
      </LoadedPanel>
      {isMaking && <CreateKey close={() => setMaking(false)} />}
    </Page>
  );
}

interface RevokeProps {
  readonly apiKey: ApiKey;
  readonly close: () => void;
}

function Revoke({ apiKey: { id, name, last_used_at }, close }: RevokeProps) {
  const revoke = useChange(({ client }) => client.revokeApiKey({ params: { id } }), {
    refresh: ['listApiKeys'],
    done: close,
  });
  return (
    <Confirm title={`Revoke ${name}?`} action="Revoke" change={revoke} close={close}>
      <p>
        From then on nothing is let in with it, for good.
        {last_used_at !== null && (
          <>
            {' '}
            It was last used <Time at={last_used_at} as="ago" />.
          </>
        )}
      </p>
    </Confirm>
  );
}
