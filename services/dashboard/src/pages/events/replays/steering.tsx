// Actions on an existing plan: pause, resume, change its rate, cancel; and send what a dry run counted.

import { useState } from 'react';
import { type Answer, type Input, useChange, useKeyedChange } from '#dashboard/app/api.tsx';
import { Button } from '#dashboard/parts/button.tsx';
import { Field, Form } from '#dashboard/parts/field.tsx';
import { Failure } from '#dashboard/parts/page.tsx';
import { count } from '#dashboard/parts/written.tsx';

export type Replay = Answer<'readReplay'>['replay'];

interface SteeringProps {
  readonly replay: Replay;
}

type Change = Input<'changeReplay'>['body'];

/** For a plan that is not over. */
export function Steering({ replay: { id, state, dry_run, rate } }: SteeringProps) {
  const [asks, setAsks] = useState(false);
  const change = useChange(({ client }, body: Change) => client.changeReplay({ params: { id }, body }), {
    refresh: ['listReplays'],
  });
  const cancel = useChange(({ client }) => client.cancelReplay({ params: { id } }), {
    refresh: ['listReplays'],
  });
  const isRunning = state === 'running';
  return (
    <>
      <div className="mt-2 flex flex-wrap items-end gap-2">
        <Button
          busy={change.isPending}
          onClick={() => change.send({ state: isRunning ? 'paused' : 'running' })}
        >
          {isRunning ? 'Pause' : 'Resume'}
        </Button>
        {asks ? (
          <>
            <Button kind="danger" busy={cancel.isPending} onClick={() => cancel.send()}>
              Cancel for good: what was sent stays sent
            </Button>
            <Button onClick={() => setAsks(false)}>Keep it</Button>
          </>
        ) : (
          <Button kind="danger" onClick={() => setAsks(true)}>
            Cancel
          </Button>
        )}
        {!dry_run && <Rate rate={rate} busy={change.isPending} send={(to) => change.send({ rate: to })} />}
      </div>
      <Failure error={change.error} />
      <Failure error={cancel.error} />
    </>
  );
}

interface RateProps {
  readonly rate: number;
  readonly busy: boolean;
  readonly send: (rate: number) => void;
}

/** Faster if a platform keeps up, slower if it complains: from the next second on. */
function Rate({ rate, busy, send }: RateProps) {
  const [typed, setTyped] = useState(String(rate));
  return (
    <Form send={() => send(Number(typed))} className="flex items-end gap-2">
      <div className="w-32">
        <Field label="Rate, a second" type="number" min={1} required value={typed} change={setTyped} />
      </div>
      <Button type="submit" busy={busy}>
        Change the rate
      </Button>
    </Form>
  );
}

export type ReplayBody = Input<'createReplay'>['body'];

/** Makes a plan, or a dry run. */
export const useReplay = () =>
  useKeyedChange(({ client }, body: ReplayBody, headers) => client.createReplay({ body, headers }), {
    refresh: ['listReplays'],
  });

/** For a finished dry run: sends the same events, by its time range, without events received since. */
export function SendCounted({ replay }: SteeringProps) {
  const create = useReplay();
  const { filter, platforms, only, dedupe, rate, progress } = replay;
  const body = { filter, platforms: platforms ?? undefined, only, dedupe, rate };
  return (
    <div className="mt-2">
      <Button busy={create.isPending} onClick={() => create.send(body)}>
        Send {progress.sent === 1 ? 'this one event' : `these ${count(progress.sent)} events`}
      </Button>
      <Failure error={create.error} />
    </div>
  );
}
