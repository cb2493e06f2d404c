// API keys, as the pages of both products list them.
import { type ReactNode, useState } from 'react';
import { Button } from './button.tsx';
import { Empty } from './page.tsx';
import { Cell, Row, Table } from './table.tsx';
import { Id, Time } from './written.tsx';

interface ApiKey {
  readonly id: string;
  readonly name: string;
  readonly prefix: string;
  readonly created_at: string;
  readonly last_used_at: string | null;
  readonly status: string;
}

interface KeyTableProps<Key extends ApiKey> {
  readonly keys: readonly Key[];
  /** Said where there is none. */
  readonly empty: string;
  /** What it may do, in words. */
  readonly mayOf: (key: Key) => string;
  /** The question whether to revoke one. */
  readonly revoke: (key: Key, close: () => void) => ReactNode;
}

export function KeyTable<Key extends ApiKey>({ keys, empty, mayOf, revoke }: KeyTableProps<Key>) {
  const [asked, ask] = useState<Key>();
  if (keys.length === 0) return <Empty title="There is no key">{empty}</Empty>;
  return (
    <>
      <Table name="API keys" head={['Name', 'Key', 'May', 'Created', 'Last used', 'State', '']}>
        {keys.map((key) => (
          <OneKey key={key.id} apiKey={key} may={mayOf(key)} revoke={() => ask(key)} />
        ))}
      </Table>
      {asked && revoke(asked, () => ask(undefined))}
    </>
  );
}

const UNUSED_MS = 90 * 86_400_000;

interface OneKeyProps {
  readonly apiKey: ApiKey;
  readonly may: string;
  readonly revoke: () => void;
}

function OneKey({ apiKey, may, revoke }: OneKeyProps) {
  const { name, prefix, created_at, last_used_at, status } = apiKey;
  const isActive = status === 'active';
  const isUnused = isActive && Date.now() - Date.parse(last_used_at ?? created_at) > UNUSED_MS;
  return (
    <Row>
      <Cell className="foreign min-w-32 font-bold">{name}</Cell>
      <Cell className="min-w-36">
        <Id>{`${prefix}…`}</Id>
      </Cell>
      <Cell>{may}</Cell>
      <Cell className="whitespace-nowrap">
        <Time at={created_at} as="ago" />
      </Cell>
      <Cell className="whitespace-nowrap">
        {last_used_at === null ? 'never' : <Time at={last_used_at} as="ago" />}
        {isUnused && <span className="block text-sm text-wait">▲ not for 90 days</span>}
      </Cell>
      <Cell className={`whitespace-nowrap ${isActive ? 'text-good' : 'text-dim'}`}>
        {isActive ? '✔ active' : `– ${status}`}
      </Cell>
      <Cell className="text-right">
        {isActive && (
          <Button kind="danger" onClick={revoke}>
            Revoke<span className="sr-only"> {name}</span>
          </Button>
        )}
      </Cell>
    </Row>
  );
}
