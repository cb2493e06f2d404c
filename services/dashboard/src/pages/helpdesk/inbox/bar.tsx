// What was done last and is not sent yet, with the way back.
import { Button } from '../../../parts/button.tsx';
import { wordsOf } from './acts.ts';
import { type Deed, sendNow } from './outbox.ts';

export function Bar({ deed, undo }: { readonly deed: Deed | undefined; readonly undo: () => void }) {
  return (
    <div role="status" className="at-foot">
      {deed && (
        <div className="flex flex-wrap items-center gap-3 rounded-md border border-control bg-surface p-3">
          <span className="foreign">
            <b>{wordsOf(deed.act)}</b> · {deed.ticket.ticket_code} ·{' '}
            {deed.state === 'waiting' ? 'sent in 5 seconds' : 'sending …'}
          </span>
          {deed.state === 'waiting' && (
            <span className="flex gap-2">
              <Button onClick={undo}>
                Undo <kbd className="text-sm text-dim">z</kbd>
              </Button>
              <Button kind="quiet" onClick={() => sendNow(deed.id)}>
                Send now
              </Button>
            </span>
          )}
        </div>
      )}
    </div>
  );
}
