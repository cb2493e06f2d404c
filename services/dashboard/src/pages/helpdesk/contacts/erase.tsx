// The end of a contact, after its address was typed once more.
import { useState } from 'react';
import { useChange } from '#dashboard/app/api.tsx';
import { Field } from '#dashboard/parts/field.tsx';
import { Confirm } from '#dashboard/parts/lazily.tsx';

interface EraseProps {
  readonly id: string;
  readonly email: string;
  readonly close: () => void;
  readonly done: () => void;
}

export function Erase({ id, email, close, done }: EraseProps) {
  const [typed, setTyped] = useState('');
  const erase = useChange(({ helpdesk }) => helpdesk.eraseContact({ params: { id } }), {
    refresh: ['listContacts'],
    done: () => {
      done();
      close();
    },
  });
  const isSame = typed.trim().toLowerCase() === email.toLowerCase();
  return (
    <Confirm
      title="Erase this contact for good?"
      action="Erase"
      change={erase}
      refused={isSame ? undefined : 'Type its address first.'}
      close={close}
    >
      <p className="mb-3">
        Its record goes, and what it wrote is taken out of its tickets. Nobody can bring that back.
      </p>
      <Field label="Type its address to erase it" help={email} value={typed} change={setTyped} />
    </Confirm>
  );
}
