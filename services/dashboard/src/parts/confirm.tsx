// A confirmation before an irreversible action: what happens, and the two choices. Loaded with the code that uses it.
import type { ReactNode } from 'react';
import { Button } from './button.tsx';
import { Dialog } from './dialog.tsx';
import { Failure } from './states.tsx';

interface ConfirmProps {
  readonly title: string;
  /** Label of the button that confirms. */
  readonly deed: string;
  /** Label of the button that cancels. */
  readonly leave: string;
  readonly busy: boolean;
  readonly error: unknown;
  readonly refused?: string | undefined;
  readonly send: () => void;
  readonly close: () => void;
  readonly children: ReactNode;
}

export default function Confirm({
  title,
  deed,
  leave,
  busy,
  error,
  refused,
  send,
  close,
  children,
}: ConfirmProps) {
  return (
    <Dialog title={title} close={close}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (!busy && refused === undefined) send();
        }}
      >
        {children}
        {error ? <Failure error={error} /> : null}
        <div className="mt-4 flex flex-wrap gap-2">
          <Button kind="danger" type="submit" busy={busy} refused={refused}>
            {deed}
          </Button>
          <Button onClick={close}>{leave}</Button>
        </div>
      </form>
    </Dialog>
  );
}
