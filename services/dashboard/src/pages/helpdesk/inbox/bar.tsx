// What was done last and is not sent yet, with the way back; and what has not gone through elsewhere than in the open ticket.
import { Button } from '#dashboard/parts/button.tsx';
import { useStore } from '../store.ts';
import { wordsOf } from './actions.ts';
import { lastWaiting, pendingActions, sendNow } from './outbox.ts';

interface BarProps {
  readonly openId: string | undefined;
  readonly undo: () => void;
  readonly open: (ticketId: string) => void;
}

const BOX = 'flex flex-wrap items-center gap-3 rounded-md border p-3';

export function Bar({ openId, undo, open }: BarProps) {
  const all = useStore(pendingActions);
  const pending = lastWaiting() ?? all.findLast(({ state }) => state === 'running');
  const stuck = all.filter(
    ({ state, ticket }) => (state === 'failed' || state === 'refused') && ticket.id !== openId,
  );
  return (
    <div className="at-foot grid gap-2">
      {stuck.length > 0 && (
        <div role="alert" className="grid gap-2">
          {stuck.map(({ id, action, ticket }) => (
            <div key={id} className={`${BOX} border-bad bg-bad-tint`}>
              <span className="foreign">
                ✖ <b>{wordsOf(action)}</b> · {ticket.ticket_code} · has not gone through
              </span>
              <Button onClick={() => open(ticket.id)}>Show it</Button>
            </div>
          ))}
        </div>
      )}
      <div role="status">
        {pending && (
          <div className={`${BOX} border-control bg-surface`}>
            <span className="foreign">
              <b>{wordsOf(pending.action)}</b> · {pending.ticket.ticket_code} ·{' '}
              {pending.state === 'waiting' ? 'sent in 5 seconds' : 'sending …'}
            </span>
            {pending.state === 'waiting' && (
              <span className="flex gap-2">
                <Button onClick={undo}>
                  Undo <kbd className="text-sm text-dim">z</kbd>
                </Button>
                <Button kind="quiet" onClick={() => sendNow(pending.id)}>
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
