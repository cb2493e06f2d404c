// Actions on an existing plan: pause, resume, change its rate, cancel; and send what a dry run counted.
import { type FormEvent, useState } from 'react';
import { type Client, useChange, useKeyedChange } from '#dashboard/app/api.tsx';
import { Button } from '#dashboard/parts/button.tsx';
import { Field } from '#dashboard/parts/field.tsx';
import { Failure } from '#dashboard/parts/states.tsx';
import { count } from '#dashboard/parts/written.tsx';

export type Replay = Awaited<ReturnType<Client['readReplay']>>['body']['replay'];

export interface SteeringProps {
  readonly replay: Replay;
  readonly update: () => void;
}

type Change = Parameters<Client['changeReplay']>[0]['body'];

/** For a plan that is not over. */
export function Steering({ replay: { id, state, dry_run, rate }, update }: SteeringProps) {
  const [asks, setAsks] = useState(false);
  const change = useChange((client: Client, body: Change) => client.changeReplay({ params: { id }, body }));
  const cancel = useChange((client: Client, _: null) => client.cancelReplay({ params: { id } }));
  const isRunning = state === 'running';
  return (
    <>
      <div className="mt-2 flex flex-wrap items-end gap-2">
        <Button
          busy={change.isPending}
          onClick={() => change.send({ state: isRunning ? 'paused' : 'running' }, update)}
        >
          {isRunning ? 'Pause' : 'Resume'}
        </Button>
        {asks ? (
          <>
            <Button kind="danger" busy={cancel.isPending} onClick={() => cancel.send(null, update)}>
              Cancel for good: what was sent stays sent
            </Button>
            <Button onClick={() => setAsks(false)}>Keep it</Button>
          </>
        ) : (
          <Button kind="danger" onClick={() => setAsks(true)}>
            Cancel
          </Button>
        )}
        {!dry_run && (
          <Rate rate={rate} busy={change.isPending} send={(to) => change.send({ rate: to }, update)} />
        )}
      </div>
      {change.error && <Failure error={change.error} />}
      {cancel.error && <Failure error={cancel.error} />}
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
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    send(Number(typed));
  };
  return (
    <form onSubmit={submit} className="flex items-end gap-2">
      <div className="w-32">
        <Field
          label="Rate, a second"
          type="number"
          min={1}
          required
          value={typed}
          onChange={({ target }) => setTyped(target.value)}
        />
      </div>
      <Button type="submit" busy={busy}>
        Change the rate
      </Button>
    </form>
  );
}

/** For a finished dry run: sends the same events, by its time range, without events received since. */
export function SendCounted({ replay, update }: SteeringProps) {
  const create = useKeyedChange((client, body: Parameters<Client['createReplay']>[0]['body'], key) =>
    client.createReplay({ body, headers: { 'idempotency-key': key } }),
  );
  const { filter, platforms, only, dedupe, rate, progress } = replay;
  const body = {
    filter,
    ...(platforms === null ? {} : { platforms }),
    only,
    dedupe,
    rate,
  };
  return (
    <div className="mt-2">
      <Button busy={create.isPending} onClick={() => create.send(body, update)}>
        Send {progress.sent === 1 ? 'this one event' : `these ${count(progress.sent)} events`}
      </Button>
      {create.error && <Failure error={create.error} />}
    </div>
  );
}
