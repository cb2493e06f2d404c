// The version of its platform's API that a connection has, and moving it to another, which is tried in test mode first.
import { useState } from 'react';
import { useRefusal } from '#dashboard/app/account.ts';
import { useChange } from '#dashboard/app/api.tsx';
import { Button } from '#dashboard/parts/button.tsx';
import { Choice, Form } from '#dashboard/parts/field.tsx';
import { Failure } from '#dashboard/parts/page.tsx';
import type { AvailablePlatform, Connection } from '../platform-list.ts';
import { TestResult } from '../test-result.tsx';

export interface VersionProps {
  readonly connection: Connection;
  /** That it can be moved to. */
  readonly versions: AvailablePlatform['api_versions'];
}

export function Version({ connection, versions }: VersionProps) {
  const { id, version, api_version } = connection;
  const [chosen, choose] = useState(api_version);
  const move = useChange(
    ({ client }, to: string) =>
      client.updatePlatform({
        params: { id },
        headers: { 'if-match': `"${version}"` },
        body: { api_version: to },
      }),
    { refresh: ['listPlatforms'] },
  );
  const refusal = useRefusal('updatePlatform');
  const same = chosen === api_version ? 'It is the version it has.' : undefined;
  return (
    <details className="mt-3">
      <summary className="text-sm">API version {api_version}</summary>
      <Form className="mt-2 grid gap-2" send={() => same === undefined && move.send(chosen)}>
        <Choice
          label="Version"
          help="A made-up event is sent with it first, where the platform has a test mode. If that is refused, nothing changes; elsewhere the first events try it."
          value={chosen}
          options={versions.map(({ version: one, ends }) => [
            one,
            ends === undefined ? one : `${one}, ends on ${ends}`,
          ])}
          change={choose}
        />
        <div>
          <Button type="submit" refused={refusal ?? same} busy={move.isPending}>
            {move.isPending ? 'Trying it…' : 'Move to it'}
          </Button>
        </div>
      </Form>
      <Failure error={move.error} />
      {move.data?.body.untried && (
        <p className="mt-2 text-sm text-wait">▲ {move.data.body.untried.message}</p>
      )}
      {move.data?.body.test && <TestResult result={move.data.body.test} />}
    </details>
  );
}
