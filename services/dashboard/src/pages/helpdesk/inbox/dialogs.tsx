// Until when to snooze, and why to close: each is one key and Enter at most.
import { type KeyboardEvent, useMemo, useState } from 'react';
import { singleKeysOn } from '../../../app/single-keys.ts';
import { Button } from '../../../parts/button.tsx';
import { Dialog } from '../../../parts/dialog.tsx';
import { Field } from '../../../parts/field.tsx';
import { Time } from '../../../parts/written.tsx';
import type { Ticket } from './conversation.ts';
import { snoozeTimes } from './snooze-times.ts';

interface SnoozeDialogProps {
  readonly ticket: Ticket;
  readonly close: () => void;
  readonly done: (until: string) => void;
}

export function SnoozeDialog({ ticket, close, done }: SnoozeDialogProps) {
  const times = useMemo(() => snoozeTimes(new Date()), []);
  const press = ({ key }: KeyboardEvent): void => {
    const time = singleKeysOn() ? times[Number(key) - 1] : undefined;
    if (time !== undefined) done(time.at.toISOString());
  };
  return (
    <Dialog title={`Snooze ${ticket.ticket_code}`} close={close}>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: its buttons have the focus; a digit presses one */}
      <div onKeyDown={press}>
        <ul className="flex flex-col gap-2">
          {times.map(({ name, at }, index) => (
            <li key={name}>
              <Button className="w-full" onClick={() => done(at.toISOString())}>
                <kbd className="text-dim">{index + 1}</kbd>
                <span className="grow text-left">{name}</span>
                <span className="text-sm text-dim">
                  <Time at={at.toISOString()} />
                </span>
              </Button>
            </li>
          ))}
        </ul>
        <p className="mt-3 text-sm text-dim">Times are yours. A message of the customer wakes it before.</p>
      </div>
    </Dialog>
  );
}

interface CloseDialogProps {
  readonly ticket: Ticket;
  readonly kind: 'close' | 'reject';
  readonly close: () => void;
  readonly done: (reason: string) => void;
}

export function CloseDialog({ ticket, kind, close, done }: CloseDialogProps) {
  const [reason, setReason] = useState('');
  return (
    <Dialog title={`${kind === 'close' ? 'Close' : 'Reject'} ${ticket.ticket_code}?`} close={close}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          done(reason.trim());
        }}
      >
        {kind === 'reject' && (
          <p className="mb-3">For spam: what this customer writes does not open the ticket again.</p>
        )}
        <Field
          label="Reason"
          help="For your colleagues; it may be empty."
          maxLength={1_000}
          value={reason}
          onChange={({ target }) => setReason(target.value)}
        />
        <div className="mt-4 flex gap-2">
          <Button kind={kind === 'close' ? 'primary' : 'danger'} type="submit">
            {kind === 'close' ? 'Close the ticket' : 'Reject the ticket'}
          </Button>
          <Button onClick={close}>Cancel</Button>
        </div>
      </form>
    </Dialog>
  );
}
