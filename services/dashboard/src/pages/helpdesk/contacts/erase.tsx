// The end of a contact, after its address was typed once more.
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { type Client, useChange } from '#dashboard/app/api.tsx';
import { Button } from '#dashboard/parts/button.tsx';
import { Dialog } from '#dashboard/parts/dialog.tsx';
import { Field } from '#dashboard/parts/field.tsx';
import { Failure } from '#dashboard/parts/states.tsx';

interface EraseProps {
  readonly id: string;
  readonly email: string;
  readonly close: () => void;
  readonly done: () => void;
}

export default function Erase({ id, email, close, done }: EraseProps) {
  const queries = useQueryClient();
  const [typed, setTyped] = useState('');
  const erase = useChange((_client: Client, _: null, helpdesk) => helpdesk.eraseContact({ params: { id } }));
  const isSame = typed.trim().toLowerCase() === email.toLowerCase();
  return (
    <Dialog title="Erase this contact for good?" close={close}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (!isSame) return;
          erase.send(null, () => {
            void queries.invalidateQueries({ queryKey: ['contacts', 'list'] });
            done();
            close();
          });
        }}
      >
        <p className="mb-3">
          Its record goes, and what it wrote is taken out of its tickets. Nobody can bring that back.
        </p>
        <Field
          label="Type its address to erase it"
          help={email}
          value={typed}
          onChange={({ target }) => setTyped(target.value)}
        />
        {erase.error && <Failure error={erase.error} />}
        <div className="mt-4 flex gap-2">
          <Button
            kind="danger"
            type="submit"
            busy={erase.isPending}
            refused={isSame ? undefined : 'Type its address first.'}
          >
            Erase
          </Button>
          <Button onClick={close}>Keep it</Button>
        </div>
      </form>
    </Dialog>
  );
}
