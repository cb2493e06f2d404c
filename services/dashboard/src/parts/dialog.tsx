// Dialogs: they trap the focus while they are open, return it to the opener, and close with Escape. Loaded with the code that
// opens one, never with the first page.

import { CSPProvider } from '@base-ui/react/csp-provider';
import { Dialog as Base } from '@base-ui/react/dialog';
import { type ReactNode, type RefObject, useState } from 'react';
import { Button } from './button.tsx';
import { Form } from './field.tsx';
import { Failure } from './page.tsx';
import { Tick } from './tick.tsx';

interface DialogProps {
  readonly title: string;
  /** For screen readers only. */
  readonly hideTitle?: boolean;
  readonly close: () => void;
  /** False: only its own buttons close it. */
  readonly canLeave?: boolean;
  readonly children: ReactNode;
}

export function Dialog({ title, hideTitle = false, close, canLeave = true, children }: DialogProps) {
  return (
    <CSPProvider disableStyleElements>
      <Base.Root
        open
        onOpenChange={(open) => !open && canLeave && close()}
        disablePointerDismissal={!canLeave}
      >
        <Base.Portal>
          <Base.Backdrop className="fixed inset-0 bg-scrim" />
          <Base.Popup className="over-page rounded-md border border-control bg-surface p-6">
            <Base.Title className={hideTitle ? 'sr-only' : 'mb-4 text-lg font-bold'}>{title}</Base.Title>
            {children}
          </Base.Popup>
        </Base.Portal>
      </Base.Root>
    </CSPProvider>
  );
}

interface FormProps {
  /** Label of the button that sends. */
  readonly action: string;
  readonly kind?: 'primary' | 'danger';
  /** Label of the button that closes. */
  readonly leave?: string;
  readonly busy?: boolean;
  /** Shown below the fields. */
  readonly error?: unknown;
  /** Why it cannot be sent. */
  readonly refused?: string | undefined;
  readonly form?: RefObject<HTMLFormElement | null>;
  /** False: it is not closed while it is sent. */
  readonly canLeave?: boolean;
  readonly send: () => void;
  readonly close: () => void;
  readonly children: ReactNode;
}

function DialogForm({ action, kind = 'primary', leave = 'Cancel', busy = false, ...rest }: FormProps) {
  const { error, refused, form, canLeave = true, send, close, children } = rest;
  return (
    <Form
      ref={form}
      send={() => {
        if (!busy && refused === undefined) send();
      }}
    >
      {children}
      <Failure error={error} />
      <div className="mt-4 flex flex-wrap gap-2">
        <Button kind={kind} type="submit" busy={busy} refused={refused}>
          {action}
        </Button>
        <Button busy={!canLeave} onClick={close}>
          {leave}
        </Button>
      </div>
    </Form>
  );
}

interface FormDialogProps extends FormProps, Pick<DialogProps, 'title'> {}

export const FormDialog = ({ title, ...props }: FormDialogProps) => (
  <Dialog title={title} close={props.close} canLeave={props.canLeave ?? true}>
    <DialogForm {...props} />
  </Dialog>
);

interface ConfirmProps extends Omit<FormDialogProps, 'busy' | 'send'> {
  /** What is done then, as useChange gives it; its error is shown unless another one is given. */
  readonly change: { readonly isPending: boolean; readonly error: unknown; readonly send: () => void };
}

/** A question before what cannot be taken back. */
export const Confirm = ({ change: { isPending, ...change }, ...props }: ConfirmProps) => (
  <FormDialog
    kind="danger"
    leave="Keep it"
    busy={isPending}
    error={change.error}
    send={change.send}
    {...props}
  />
);

interface SecretProps {
  /** Absent: not made yet. */
  readonly secret: string | undefined;
  /** What is said of the secret. */
  readonly about: string;
}

interface SecretDialogProps extends FormDialogProps, SecretProps {
  readonly secretTitle: string;
}

/** A form that makes a secret, and then the secret, once: the dialog closes only after the person confirms that it is stored. */
export const SecretDialog = ({ title, secretTitle, secret, about, ...props }: SecretDialogProps) => (
  <Dialog
    title={secret === undefined ? title : secretTitle}
    close={props.close}
    canLeave={secret === undefined}
  >
    {secret === undefined ? (
      <DialogForm {...props} />
    ) : (
      <Secret secret={secret} about={about} close={props.close} />
    )}
  </Dialog>
);

function Secret({ secret = '', about, close }: SecretProps & Pick<DialogProps, 'close'>) {
  const [isStored, setStored] = useState(false);
  const [isCopied, setCopied] = useState(false);
  const copy = (): void =>
    void navigator.clipboard.writeText(secret).then(
      () => setCopied(true),
      () => setCopied(false),
    );
  return (
    <>
      <p className="foreign mb-3">{about}</p>
      <p className="foreign rounded-sm border border-control bg-ground p-3 font-mono">{secret}</p>
      <div className="mt-3 mb-4 flex items-center gap-3">
        <Button onClick={copy}>Copy</Button>
        <output>{isCopied ? 'Copied.' : ''}</output>
      </div>
      <Tick isOn={isStored} set={setStored}>
        I have stored it
      </Tick>
      <Button
        className="mt-4"
        kind="primary"
        refused={isStored ? undefined : 'Store it first.'}
        onClick={close}
      >
        Close
      </Button>
    </>
  );
}
