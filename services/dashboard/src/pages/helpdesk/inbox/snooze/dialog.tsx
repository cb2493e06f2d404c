// The end of a snooze: by one key, or a date and a time. Both are in the workspace's time zone, independent of the
// agent's.

import { useEffect, useMemo, useRef, useState } from 'react';
import { useMe } from '#dashboard/app/account.ts';
import { isSingleKey } from '#dashboard/app/single-keys.ts';
import { Button } from '#dashboard/parts/button.tsx';
import { Dialog } from '#dashboard/parts/dialog.tsx';
import { Field, Form } from '#dashboard/parts/field.tsx';
import { Failure, Notice } from '#dashboard/parts/page.tsx';
import type { Ticket } from '../conversation.ts';
import { takeHeldKeys } from '../held-keys.ts';
import { snoozeTimes, typedTime, written } from './times.ts';
import { isKnownZone } from './wall-clock.ts';

interface SnoozeDialogProps {
  readonly ticket: Ticket;
  readonly close: () => void;
  readonly done: (until: string) => void;
}

export default function SnoozeDialog({ ticket, close, done }: SnoozeDialogProps) {
  const me = useMe();
  const wanted = me.data?.workspace.default_timezone;
  const isKnown = wanted === undefined || isKnownZone(wanted);
  const zone = wanted !== undefined && !isKnown ? 'UTC' : wanted;
  return (
    <Dialog title={`Snooze ${ticket.ticket_code}`} close={close}>
      {!isKnown && (
        <Notice tone="wait">This browser does not know {wanted}: the times below are in UTC.</Notice>
      )}
      {zone === undefined && <Failure error={me.error} retry={me.refetch} />}
      <Presets zone={zone} done={done} close={close} />
      {zone !== undefined && <AnyTime zone={zone} done={done} />}
      <p className="foreign mt-3 text-sm text-dim">
        {zone !== undefined && `Times are the workspace’s: ${zone}. `}A message of the customer wakes it
        before.
      </p>
    </Dialog>
  );
}

interface TimesProps {
  readonly zone: string;
  readonly done: (until: string) => void;
}

interface PresetsProps extends Omit<TimesProps, 'zone'> {
  readonly zone: string | undefined;
  readonly close: () => void;
}

function Presets({ zone, done, close }: PresetsProps) {
  const times = useMemo(() => snoozeTimes(new Date(), zone), [zone]);
  // Keys are taken wherever the focus is: `s` and a digit may be typed faster than the dialog opens.
  const early = useRef<readonly string[]>(undefined);
  useEffect(() => {
    early.current ??= takeHeldKeys();
    const chosen = early.current.map((key) => times[Number(key) - 1]).find((time) => time !== undefined);
    if (early.current.includes('Escape')) close();
    else if (chosen !== undefined) {
      early.current = [];
      done(chosen.at.toISOString());
    }
    const press = (event: KeyboardEvent): void => {
      const time = isSingleKey(event) ? times[Number(event.key) - 1] : undefined;
      if (time !== undefined) done(time.at.toISOString());
    };
    document.addEventListener('keydown', press);
    return () => document.removeEventListener('keydown', press);
  }, [times, done, close]);
  return (
    <ul className="flex flex-col gap-2">
      {times.map(({ name, at }, index) => (
        <li key={name}>
          <Button className="w-full" onClick={() => done(at.toISOString())}>
            <kbd className="text-dim">{index + 1}</kbd>
            <span className="grow text-left">{name}</span>
            <time className="text-sm text-dim" dateTime={at.toISOString()}>
              {written(at, zone ?? 'UTC', true)}
            </time>
          </Button>
        </li>
      ))}
    </ul>
  );
}

function AnyTime({ zone, done }: TimesProps) {
  const [text, setText] = useState('');
  const [isAsked, setAsked] = useState(false);
  const time = typedTime(text, zone, new Date());
  const submit = (): void => {
    setAsked(true);
    if ('at' in time) done(time.at.toISOString());
  };
  const help =
    'at' in time
      ? `${time.isMoved ? 'The clocks change then, and leave this time out. It will be ' : ''}${written(time.at, zone)}`
      : undefined;
  return (
    <Form send={submit} noValidate className="mt-4 flex flex-wrap items-end gap-2">
      <div className="w-full max-w-60">
        <Field
          label="Until"
          type="datetime-local"
          value={text}
          help={help}
          problem={isAsked && 'problem' in time ? time.problem : undefined}
          change={setText}
        />
      </div>
      <Button type="submit">Snooze</Button>
    </Form>
  );
}
