// The messages, oldest first, and below them those being sent. A note for agents has another background, border and
// label than messages to the customer.
import { type ReactNode, useState } from 'react';
import { useMe } from '#dashboard/app/account.ts';
import { Button } from '#dashboard/parts/button.tsx';
import { Failure, Skeleton } from '#dashboard/parts/page.tsx';
import { count, Time } from '#dashboard/parts/written.tsx';
import { useStore } from '../store.ts';
import type { Message, Ticket } from './conversation.ts';
import { pendingActions } from './outbox.ts';
import type { useMessages } from './use-inbox.ts';

/** Longer ones are collapsed. */
const LONG = 4_000;

interface ThreadProps {
  readonly ticket: Ticket;
  readonly query: ReturnType<typeof useMessages>;
  readonly earlier: () => void;
  /** A note that is shown by itself. */
  readonly hidden: string | undefined;
}

export function Thread({ ticket, query: { data, error, refetch }, earlier, hidden }: ThreadProps) {
  const coming = useStore(pendingActions).filter(
    ({ ticket: { id }, action }) => id === ticket.id && action.kind === 'message',
  );
  if (data === undefined) return <Skeleton rows={4} />;
  return (
    <>
      <Failure error={error} retry={refetch} />
      {data.from > 0 && (
        <Button className="mb-3" onClick={earlier}>
          Earlier messages ({count(data.from)})
        </Button>
      )}
      <ol aria-label="Messages" className="mb-4 flex flex-col gap-3">
        {data.messages
          .filter(({ id }) => id !== hidden)
          .map((message) => (
            <Said
              key={message.id}
              message={message}
              customer={ticket.customer_name || ticket.customer_email || 'Customer'}
            />
          ))}
        {coming.map(
          ({ id, action, state }) =>
            action.kind === 'message' && (
              <Box
                key={id}
                side={action.isNote ? 'internal' : 'outbound'}
                by="You"
                when={
                  state === 'waiting' ? 'about to be sent' : state === 'running' ? 'sending …' : 'not sent'
                }
                body={action.body}
              />
            ),
        )}
      </ol>
    </>
  );
}

/** An author without a name is shown by their type, never empty. */
export function useAuthor(customer: string): (message: Pick<Message, 'author'>) => string {
  const { data } = useMe();
  return ({ author: { type, id, name } }) => {
    const named = name?.trim() ?? '';
    if (type === 'customer') return named || customer;
    if (type === 'ai') return 'Draft by AI';
    if (type === 'system') return 'Millrace';
    if (data !== undefined && id === data.caller.author_id) return 'You';
    return named || (id?.startsWith('key:') ? 'Agent, by API key' : 'Agent');
  };
}

function Said({ message, customer }: { readonly message: Message; readonly customer: string }) {
  const by = useAuthor(customer)(message);
  return <Box side={message.direction} by={by} when={<Time at={message.created_at} />} body={message.body} />;
}

const GROUNDS = {
  inbound: 'border-line bg-ground',
  outbound: 'border-line bg-tint',
  internal: 'border-wait bg-wait-tint border-dashed',
} as const;
const NAMES = { inbound: '', outbound: ' · to the customer', internal: ' · internal note' } as const;

interface BoxProps {
  readonly side: Message['direction'];
  readonly by: string;
  readonly when: ReactNode;
  readonly body: string;
}

export function Box({ side, by, when, body }: BoxProps) {
  const [isWhole, setWhole] = useState(body.length <= LONG);
  return (
    <li className={`rounded-md border p-3 ${GROUNDS[side]}`}>
      <p className="mb-1 flex flex-wrap justify-between gap-x-3 text-sm text-dim">
        <span className="foreign">
          <b className="text-ink">{by}</b>
          {NAMES[side]}
        </span>
        <span>{when}</span>
      </p>
      <p className="foreign whitespace-pre-wrap" dir="auto">
        {isWhole ? body : `${[...body.slice(0, LONG)].slice(0, -1).join('')} …`}
      </p>
      {!isWhole && (
        <Button className="mt-2" onClick={() => setWhole(true)}>
          Show all {count(body.length)} characters
        </Button>
      )}
    </li>
  );
}
