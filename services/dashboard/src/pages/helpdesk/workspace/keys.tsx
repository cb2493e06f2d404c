// The workspace's API keys: make one, whose secret is seen once, and revoke one for good.
import { useQueryClient } from '@tanstack/react-query';
import { lazy, Suspense, useState } from 'react';
import { type Client, useAsk, useChange } from '#dashboard/app/api.tsx';
import { Button } from '#dashboard/parts/button.tsx';
import { Panel } from '#dashboard/parts/page.tsx';
import { Empty, Loaded } from '#dashboard/parts/states.tsx';
import { Cell, Row, Table } from '#dashboard/parts/table.tsx';
import { count, Id, Time } from '#dashboard/parts/written.tsx';
import type { HelpdeskClient } from '#lib/client/helpdesk-client.ts';
import { wordsOf } from './scopes.ts';

const CreateKey = lazy(() => import('./create-key.tsx'));
const Confirm = lazy(() => import('#dashboard/parts/confirm.tsx'));

type Key = Awaited<ReturnType<HelpdeskClient['listHelpdeskKeys']>>['body']['api_keys'][number];

const KEYS = ['workspace', 'keys'] as const;

export function Keys() {
  const [isMaking, setMaking] = useState(false);
  const queries = useQueryClient();
  const update = (): void => void queries.invalidateQueries({ queryKey: KEYS });
  const keys = useAsk(KEYS, (_client, signal, helpdesk) => helpdesk.listHelpdeskKeys({}, { signal }));
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
        {({ api_keys }) =>
          api_keys.length === 0 ? (
            <Empty title="There is no key">
              Create one for each program, so that one can be revoked alone.
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
      {isMaking && (
        <Suspense>
          <CreateKey made={update} close={() => setMaking(false)} />
        </Suspense>
      )}
    </Panel>
  );
}

function OneKey({ apiKey, update }: { readonly apiKey: Key; readonly update: () => void }) {
  const [asks, setAsks] = useState(false);
  const { id, name, prefix, scopes, created_at, last_used_at, status } = apiKey;
  const revoke = useChange((_client: Client, _: null, helpdesk) =>
    helpdesk.revokeHelpdeskKey({ params: { id } }),
  );
  const close = (): void => setAsks(false);
  const isActive = status === 'active';
  return (
    <Row>
      <Cell className="foreign min-w-32 font-bold">{name}</Cell>
      <Cell className="min-w-36">
        <Id>{`${prefix}…`}</Id>
      </Cell>
      <Cell className="min-w-60">{wordsOf(scopes)}</Cell>
      <Cell className="whitespace-nowrap">
        <Time at={created_at} as="ago" />
      </Cell>
      <Cell className="whitespace-nowrap">
        {last_used_at === null ? 'never' : <Time at={last_used_at} as="ago" />}
      </Cell>
      <Cell className={`whitespace-nowrap ${isActive ? 'text-good' : 'text-dim'}`}>
        {isActive ? '✔ active' : `– ${status}`}
      </Cell>
      <Cell className="text-right">
        {isActive && (
          <Button kind="danger" onClick={() => setAsks(true)}>
            Revoke<span className="sr-only"> {name}</span>
          </Button>
        )}
        {asks && (
          <Suspense>
            <Confirm
              title={`Revoke ${name}?`}
              deed="Revoke"
              leave="Keep it"
              busy={revoke.isPending}
              error={revoke.error}
              send={() =>
                revoke.send(null, () => {
                  update();
                  close();
                })
              }
              close={close}
            >
              <p>From then on nothing is let in with it, for good.</p>
            </Confirm>
          </Suspense>
        )}
      </Cell>
    </Row>
  );
}
