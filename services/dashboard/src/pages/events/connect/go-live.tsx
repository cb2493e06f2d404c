// Step 4: the connection is made, and a made-up event is sent in the platform's test mode where that is wanted.
import { useState } from 'react';
import { type Input, useChange } from '#dashboard/app/api.tsx';
import { Button, LinkButton } from '#dashboard/parts/button.tsx';
import { Failure, Notice, Panel } from '#dashboard/parts/page.tsx';
import { codeOf } from '#dashboard/parts/problems.ts';
import type { AvailablePlatform } from '../platform-list.ts';
import { TestResult } from '../test-result.tsx';
import { credentialsOf, type Problems, useRefusedFields, type Values } from './draft.ts';

interface GoLiveProps {
  readonly platform: AvailablePlatform;
  readonly values: Values;
  readonly back: () => void;
  readonly refused: (problems: Problems) => void;
  readonly done: () => void;
}

/** What the credentials are for, where the platform is connected to something else. */
type Place = 'another' | 'replace';

type Body = Input<'connectPlatform'>['body'];

/** The API judges the credentials: their shape is each platform's own. */
const bodyOf = ({ platform, experimental }: AvailablePlatform, values: Values, place?: Place): Body =>
  ({
    platform,
    credentials: credentialsOf(values),
    ...(experimental ? { confirm_experimental: true } : {}),
    ...(place === undefined ? {} : { [place]: true }),
  }) as Body;

export function GoLive({ platform, values, back, refused, done }: GoLiveProps) {
  // One for this step and each answer: a second press, or a lost answer, connects nothing twice.
  const [key] = useState(() => crypto.randomUUID());
  const connect = useChange(
    ({ client }, place: Place | undefined) =>
      client.connectPlatform({
        body: bodyOf(platform, values, place),
        headers: { 'idempotency-key': place === undefined ? key : `${key}-${place}` },
      }),
    { refresh: ['listPlatforms'] },
  );
  const isTaken = codeOf(connect.error) === 'already_connected';
  const test = useChange(({ client }, id: string) => client.testPlatform({ params: { id } }));
  useRefusedFields(connect.error, refused);
  const save = (withTest: boolean, place?: Place): void =>
    connect.send(place, ({ body }) => {
      done();
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
      {!isTaken && <Failure error={connect.error} />}
      {isTaken && (
        <Notice tone="plain">
          {platform.label} is connected already, and not to this account or pixel. Nothing was changed.
        </Notice>
      )}
      {test.isPending && <p>Testing…</p>}
      <Failure error={test.error} />
      {test.data && <TestResult result={test.data.body} />}
      <div className="mt-4 flex flex-wrap gap-2">
        {connect.data ? (
          <LinkButton to="/platforms" kind="primary">
            To the platforms
          </LinkButton>
        ) : (
          <>
            <Button onClick={back}>Back</Button>
            {isTaken ? (
              <>
                <Button busy={connect.isPending} onClick={() => save(true, 'replace')}>
                  Replace what is connected
                </Button>
                <Button kind="primary" busy={connect.isPending} onClick={() => save(true, 'another')}>
                  Connect as one more
                </Button>
              </>
            ) : (
              <>
                <Button busy={connect.isPending} onClick={() => save(false)}>
                  Connect without a test
                </Button>
                <Button kind="primary" busy={connect.isPending} onClick={() => save(true)}>
                  Connect and test
                </Button>
              </>
            )}
          </>
        )}
      </div>
    </Panel>
  );
}
