// Step 4: the connection is made, and a made-up event is sent in the platform's test mode where that is wanted.
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { type Client, useChange } from '../../../app/api.tsx';
import { Button, LinkButton } from '../../../parts/button.tsx';
import { Panel } from '../../../parts/page.tsx';
import { Failure, Notice } from '../../../parts/states.tsx';
import { type AvailablePlatform, PLATFORMS_KEY } from '../platform-list.ts';
import { TestResult } from '../test-result.tsx';
import { credentialsOf, type Problems, problemsOf, type Values } from './draft.ts';

interface GoLiveProps {
  readonly platform: AvailablePlatform;
  readonly values: Values;
  readonly back: () => void;
  readonly refused: (problems: Problems) => void;
  readonly done: () => void;
}

type Body = Parameters<Client['connectPlatform']>[0]['body'];

/** The API judges the credentials: their shape is each platform's own. */
const bodyOf = ({ platform, experimental }: AvailablePlatform, values: Values): Body =>
  ({
    platform,
    credentials: credentialsOf(values),
    ...(experimental ? { confirm_experimental: true } : {}),
  }) as Body;

export function GoLive({ platform, values, back, refused, done }: GoLiveProps) {
  const queries = useQueryClient();
  // One for this step: a second press, or a lost answer, connects nothing twice.
  const [key] = useState(() => crypto.randomUUID());
  const connect = useChange((client, _: boolean) =>
    client.connectPlatform({ body: bodyOf(platform, values), headers: { 'idempotency-key': key } }),
  );
  const test = useChange((client, id: string) => client.testPlatform({ params: { id } }));
  const details = connect.error !== null && 'details' in connect.error ? connect.error.details : undefined;
  useEffect(() => {
    const problems = problemsOf((details ?? []) as Parameters<typeof problemsOf>[0]);
    if (problems !== undefined) refused(problems);
  }, [details, refused]);
  const save = (withTest: boolean): void =>
    connect.send(withTest, ({ body }) => {
      done();
      void queries.invalidateQueries({ queryKey: PLATFORMS_KEY });
      if (withTest) test.send(body.platform.id);
    });
  return (
    <Panel title={`Connect ${platform.label}`}>
      {connect.data ? (
        <Notice tone="plain">✔ {platform.label} is connected. Events are sent from this moment on.</Notice>
      ) : (
        <p className="mb-4">
          Events are sent as soon as it is connected. The test sends a made-up event in the platform’s test
          mode: nobody counts it.
        </p>
      )}
      {connect.error && <Failure error={connect.error} />}
      {test.isPending && <p>Testing…</p>}
      {test.error && <Failure error={test.error} />}
      {test.data && <TestResult result={test.data.body} />}
      <div className="mt-4 flex flex-wrap gap-2">
        {connect.data ? (
          <LinkButton to="/platforms" kind="primary">
            To the platforms
          </LinkButton>
        ) : (
          <>
            <Button onClick={back}>Back</Button>
            <Button busy={connect.isPending} onClick={() => save(false)}>
              Connect without a test
            </Button>
            <Button kind="primary" busy={connect.isPending} onClick={() => save(true)}>
              Connect and test
            </Button>
          </>
        )}
      </div>
    </Panel>
  );
}
