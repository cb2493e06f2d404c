// Why to close, or to reject: one key and Enter at most.
import { useEffect, useState } from 'react';
import { FormDialog } from '#dashboard/parts/dialog.tsx';
import { Field } from '#dashboard/parts/field.tsx';
import type { Ticket } from './conversation.ts';
import { takeHeldKeys, typedOf } from './held-keys.ts';

interface CloseDialogProps {
  readonly ticket: Ticket;
  readonly kind: 'close' | 'reject';
  readonly close: () => void;
  readonly done: (reason: string) => void;
}

export default function CloseDialog({ ticket, kind, close, done }: CloseDialogProps) {
  const [reason, setReason] = useState('');
  // The dialog is there before its field has the focus: what is typed until then is held as well.
  const take = (): void => {
    const { text, end } = typedOf(takeHeldKeys());
    if (text !== '') setReason((before) => before + text);
    if (end === 'Enter') done((reason + text).trim());
    else if (end === 'Escape') close();
  };
  useEffect(() => () => void takeHeldKeys(), []);
  return (
    <FormDialog
      title={`${kind === 'close' ? 'Close' : 'Reject'} ${ticket.ticket_code}?`}
      action={kind === 'close' ? 'Close the ticket' : 'Reject the ticket'}
      kind={kind === 'close' ? 'primary' : 'danger'}
      send={() => done(reason.trim())}
      close={close}
    >
      {kind === 'reject' && (
        <p className="mb-3">For spam: what this customer writes does not open the ticket again.</p>
      )}
      <Field
        label="Reason"
        help="For your colleagues; it may be empty."
        maxLength={1_000}
        value={reason}
        onFocus={take}
        change={setReason}
      />
    </FormDialog>
  );
}
