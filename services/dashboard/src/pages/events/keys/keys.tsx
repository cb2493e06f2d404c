// API keys: make one, whose secret is seen once, and revoke one for good.
import { useQueryClient } from '@tanstack/react-query';
import { lazy, Suspense, useState } from 'react';
import { type Client, useAsk, useChange } from '#dashboard/app/api.tsx';
import { Button } from '#dashboard/parts/button.tsx';
import { Page, Panel } from '#dashboard/parts/page.tsx';
import { Empty, Failure, Loaded } from '#dashboard/parts/states.tsx';
import { Cell, Row, Table } from '#dashboard/parts/table.tsx';
import { count, Id, Time } from '#dashboard/parts/written.tsx';

const CreateKey = lazy(() => import('./create-key.tsx'));
const Dialog = lazy(async () => ({ default: (await import('#dashboard/parts/dialog.tsx')).Dialog }));

type ApiKeys = Awaited<ReturnType<Client['listApiKeys']>>['body'];
type ApiKey = ApiKeys['api_keys'][number];

const UNUSED_MS = 90 * 86_400_000;
const KEYS_KEY = ['api-keys'] as const;

export default function KeysPage() {
  const [isMaking, setMaking] = useState(false);
  const queries = useQueryClient();
  const update = (): void => void queries.invalidateQueries({ queryKey: KEYS_KEY });
  const keys = useAsk(KEYS_KEY, (client, signal) => client.listApiKeys({}, { signal }));
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
      <Panel
        title={keys.data ? `${count(keys.data.active)} of ${count(keys.data.active_max)} in use` : 'Keys'}
      >
        <Loaded query={keys} rows={4}>
          {({ api_keys }) =>
            api_keys.length === 0 ? (
              <Empty title="There is no key">
                Create one for each server that sends events, so that one can be revoked alone.
              </Empty>
            ) : (
              <Table name="API keys" head={['Name', 'Key', 'May', 'Created', 'Last used', 'State', '']}>
                {api_keys.map((key) => (
                  <OneKey key={key.id} apiKey={key} update={update} />
                ))}
              </Table>
            )
          }
        </Loaded>
      </Panel>
      {isMaking && (
        <Suspense>
          <CreateKey made={update} close={() => setMaking(false)} />
        </Suspense>
      )}
    </Page>
  );
}

const isUnused = ({ status, last_used_at, created_at }: ApiKey): boolean =>
  status === 'active' && Date.now() - Date.parse(last_used_at ?? created_at) > UNUSED_MS;

function OneKey({ apiKey, update }: { readonly apiKey: ApiKey; readonly update: () => void }) {
  const [asks, setAsks] = useState(false);
  const { name, prefix, scopes, created_at, last_used_at, status } = apiKey;
  return (
    <Row>
      <Cell className="foreign min-w-32 font-bold">{name}</Cell>
      <Cell className="min-w-36">
        <Id>{`${prefix}…`}</Id>
      </Cell>
      <Cell>{scopes.join(', ')}</Cell>
      <Cell className="whitespace-nowrap">
        <Time at={created_at} as="ago" />
      </Cell>
      <Cell className="whitespace-nowrap">
        {last_used_at === null ? 'never' : <Time at={last_used_at} as="ago" />}
        {isUnused(apiKey) && <span className="block text-sm text-wait">▲ not for 90 days</span>}
      </Cell>
      <Cell className={status === 'active' ? 'text-good' : 'text-dim'}>
        {status === 'active' ? '✔ active' : `– ${status}`}
      </Cell>
      <Cell className="text-right">
        {status === 'active' && (
          <Button kind="danger" onClick={() => setAsks(true)}>
            Revoke<span className="sr-only"> {name}</span>
          </Button>
        )}
        {asks && (
          <Suspense>
            <Revoke apiKey={apiKey} close={() => setAsks(false)} update={update} />
          </Suspense>
        )}
      </Cell>
    </Row>
  );
}

interface RevokeProps {
  readonly apiKey: ApiKey;
  readonly close: () => void;
  readonly update: () => void;
}

function Revoke({ apiKey: { id, name, last_used_at }, close, update }: RevokeProps) {
  const revoke = useChange((client: Client, _: null) => client.revokeApiKey({ params: { id } }));
  return (
    <Dialog title={`Revoke ${name}?`} close={close}>
      <p>
        From then on nothing is let in with it, for good.
        {last_used_at !== null && (
          <>
            {' '}
            It was last used <Time at={last_used_at} as="ago" />.
          </>
        )}
      </p>
      {revoke.error && <Failure error={revoke.error} />}
      <div className="mt-4 flex gap-2">
        <Button
          kind="danger"
          busy={revoke.isPending}
          onClick={() =>
            revoke.send(null, () => {
              update();
              close();
            })
          }
        >
          Revoke
        </Button>
        <Button onClick={close}>Keep it</Button>
      </div>
    </Dialog>
  );
}
