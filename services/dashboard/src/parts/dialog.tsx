// A dialog: traps the focus while it is open, returns it to the opener, and closes with Escape. Loaded with the code
// that opens one, never with the first page.
import { CSPProvider } from '@base-ui/react/csp-provider';
import { Dialog as Base } from '@base-ui/react/dialog';
import type { ReactNode } from 'react';

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
