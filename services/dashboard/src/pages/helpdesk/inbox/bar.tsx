// What was done last and is not sent yet, with the way back; and what has not gone through elsewhere than in the open ticket.
import { Button } from '#dashboard/parts/button.tsx';
import { wordsOf } from './acts.ts';
import { type Deed, sendNow } from './outbox.ts';

interface BarProps {
  readonly deed: Deed | undefined;
  readonly undo: () => void;
  /** Failed or refused, of other tickets. */
  readonly stuck: readonly Deed[];
  readonly open: (ticketId: string) => void;
}

const BOX = 'flex flex-wrap items-center gap-3 rounded-md border p-3';

export function Bar({ deed, undo, stuck, open }: BarProps) {
  return (
    <div className="at-foot grid gap-2">
      {stuck.length > 0 && (
        <div role="alert" className="grid gap-2">
          {stuck.map(({ id, act, ticket }) => (
            <div key={id} className={`${BOX} border-bad bg-bad-tint`}>
              <span className="foreign">
                ✖ <b>{wordsOf(act)}</b> · {ticket.ticket_code} · has not gone through
              </span>
              <Button onClick={() => open(ticket.id)}>Show it</Button>
            </div>
          ))}
        </div>
      )}
      <div role="status">
        {deed && (
          <div className={`${BOX} border-control bg-surface`}>
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
    </div>
  );
}
