// Failed actions and their reasons: no text is lost, and changes of other people meanwhile are shown.
import { Button } from '#dashboard/parts/button.tsx';
import { Notice, sentenceOf } from '#dashboard/parts/page.tsx';
import { apiErrorOf, isOvertaken } from '#dashboard/parts/problems.ts';
import { useStore } from '../store.ts';
import { wordsOf } from './actions.ts';
import { LOOKS, type Message, queueOf, type Ticket } from './conversation.ts';
import { insist, type PendingAction, pendingActions, sendNow, takeBack } from './outbox.ts';
import { Box, useAuthor } from './thread.tsx';
import { useDrafts } from './use-inbox.ts';

interface FailedActionsProps {
  readonly ticketId: string;
  readonly messages: readonly Message[];
  readonly now: Ticket;
}

export function FailedActions({ ticketId, messages, now }: FailedActionsProps) {
  const drafts = useDrafts();
  const mine = useStore(pendingActions).filter(({ ticket }) => ticket.id === ticketId);
  const leave = (pending: PendingAction): void => {
    // Messages that were sent stay sent: only unsent text comes back.
    if (takeBack(pending.id) && pending.action.kind === 'message') {
      if (pending.state === 'refused') drafts.done(ticketId, pending.id);
      else drafts.takeBack(ticketId, pending.id);
    }
  };
  return mine.map((pending) =>
    pending.error === undefined ? null : isOvertaken(pending.error) ? (
      <Refused
        key={pending.id}
        pending={pending}
        now={now}
        messages={messages}
        leave={() => leave(pending)}
      />
    ) : (
      <Failed key={pending.id} pending={pending} leave={() => leave(pending)} />
    ),
  );
}

/**
 * The notice keeps its place until the result is known: the second press of a double click must not hit what moves up.
 */
const isTriedAgain = ({ state }: PendingAction): boolean => state === 'running';

function Failed({ pending, leave }: { readonly pending: PendingAction; readonly leave: () => void }) {
  const busy = isTriedAgain(pending);
  return (
    <Notice tone="bad">
      <p>
        <b>{wordsOf(pending.action)}</b>{' '}
        {busy ? 'is tried again …' : `has not gone through. ${reasonOf(pending.error)}`}
      </p>
      <div className="mt-2 flex gap-2">
        <Button busy={busy} onClick={() => sendNow(pending.id)}>
          Try again
        </Button>
        <Button busy={busy} onClick={leave}>
          {pending.action.kind === 'message' ? 'Back to the draft' : 'Leave it'}
        </Button>
      </div>
    </Notice>
  );
}

const reasonOf = (error: unknown): string =>
  error instanceof Error && apiErrorOf(error) === undefined ? error.message : sentenceOf(error);

interface RefusedProps {
  readonly pending: PendingAction;
  readonly now: Ticket;
  readonly messages: readonly Message[];
  readonly leave: () => void;
}

function Refused({ pending, now, messages, leave }: RefusedProps) {
  const author = useAuthor(now.customer_name || now.customer_email || 'The customer');
  const since = pending.ticket.last_message_at ?? '';
  const said = pending.action.kind === 'message' ? pending.action.body.trim() : undefined;
  const others = messages.filter(({ created_at, body }) => created_at > since && body !== said);
  const [before, after] = [LOOKS[queueOf(pending.ticket)].name, LOOKS[queueOf(now)].name];
  const what = wordsOf(pending.action);
  const busy = isTriedAgain(pending);
  return (
    <Notice tone="bad">
      <p>
        <b>Somebody else changed this ticket meanwhile.</b>{' '}
        {said === undefined
          ? `“${what}” was not done.`
          : 'Your message was sent; the ticket was not closed with it.'}{' '}
        {before !== after && `It was ${before}, and is ${after} now.`}
      </p>
      {others.length > 0 && (
        <ol aria-label="What came meanwhile" className="mt-2 flex flex-col gap-2">
          {others.map((message) => (
            <Box
              key={message.id}
              side={message.direction}
              by={author(message)}
              when="meanwhile"
              body={message.body}
            />
          ))}
        </ol>
      )}
      {(pending.action.kind === 'close' || pending.action.kind === 'reject') &&
        pending.action.reason !== '' && <p className="mt-2">Your reason: {pending.action.reason}</p>}
      <div className="mt-2 flex gap-2">
        <Button busy={busy} onClick={() => void insist(pending.id)}>
          {said === undefined ? what : 'Close'} all the same
        </Button>
        <Button busy={busy} onClick={leave}>
          Leave it as it is
        </Button>
      </div>
    </Notice>
  );
}
