// Failed actions and their reasons: no text is lost, and changes of other people meanwhile are shown.
import { Button } from '#dashboard/parts/button.tsx';
import { Notice, sentenceOf } from '#dashboard/parts/states.tsx';
import { useStore } from '../store.ts';
import { wordsOf } from './acts.ts';
import { LOOKS, type Message, queueOf, type Ticket } from './conversation.ts';
import { type Deed, deeds, insist, isRefusal, sendNow, takeBack } from './outbox.ts';
import { Box, useAuthor } from './thread.tsx';
import { useDrafts } from './use-inbox.ts';

interface SetbacksProps {
  readonly ticketId: string;
  readonly messages: readonly Message[];
  readonly now: Ticket;
}

export function Setbacks({ ticketId, messages, now }: SetbacksProps) {
  const drafts = useDrafts();
  const mine = useStore(deeds).filter(({ ticket }) => ticket.id === ticketId);
  const leave = (deed: Deed): void => {
    // Messages that were sent stay sent: only unsent text comes back.
    if (takeBack(deed.id) && deed.act.kind === 'message') {
      if (deed.state === 'refused') drafts.done(ticketId, deed.id);
      else drafts.takeBack(ticketId, deed.id);
    }
  };
  return mine.map((deed) =>
    deed.error === undefined ? null : isRefusal(deed.error) ? (
      <Refused key={deed.id} deed={deed} now={now} messages={messages} leave={() => leave(deed)} />
    ) : (
      <Failed key={deed.id} deed={deed} leave={() => leave(deed)} />
    ),
  );
}

/**
 * The notice keeps its place until the result is known: the second press of a double click must not hit what moves up.
 */
const isTriedAgain = ({ state }: Deed): boolean => state === 'running';

function Failed({ deed, leave }: { readonly deed: Deed; readonly leave: () => void }) {
  const busy = isTriedAgain(deed);
  return (
    <Notice tone="bad">
      <p>
        <b>{wordsOf(deed.act)}</b>{' '}
        {busy ? 'is tried again …' : `has not gone through. ${reasonOf(deed.error)}`}
      </p>
      <div className="mt-2 flex gap-2">
        <Button busy={busy} onClick={() => sendNow(deed.id)}>
          Try again
        </Button>
        <Button busy={busy} onClick={leave}>
          {deed.act.kind === 'message' ? 'Back to the draft' : 'Leave it'}
        </Button>
      </div>
    </Notice>
  );
}

const reasonOf = (error: unknown): string =>
  error instanceof Error && error.name !== 'ApiError' ? error.message : sentenceOf(error);

interface RefusedProps {
  readonly deed: Deed;
  readonly now: Ticket;
  readonly messages: readonly Message[];
  readonly leave: () => void;
}

function Refused({ deed, now, messages, leave }: RefusedProps) {
  const author = useAuthor(now.customer_name || now.customer_email || 'The customer');
  const since = deed.ticket.last_message_at ?? '';
  const said = deed.act.kind === 'message' ? deed.act.body.trim() : undefined;
  const others = messages.filter(({ created_at, body }) => created_at > since && body !== said);
  const [before, after] = [LOOKS[queueOf(deed.ticket)].name, LOOKS[queueOf(now)].name];
  const what = wordsOf(deed.act);
  const busy = isTriedAgain(deed);
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
      {(deed.act.kind === 'close' || deed.act.kind === 'reject') && deed.act.reason !== '' && (
        <p className="mt-2">Your reason: {deed.act.reason}</p>
      )}
      <div className="mt-2 flex gap-2">
        <Button busy={busy} onClick={() => void insist(deed.id)}>
          {said === undefined ? what : 'Close'} all the same
        </Button>
        <Button busy={busy} onClick={leave}>
          Leave it as it is
        </Button>
      </div>
    </Notice>
  );
}
