// One ticket: what was said, what can be done to it, and the text that is being written for it.
import { lazy, type RefObject, Suspense, useEffect, useRef, useState } from 'react';
import { Button } from '../../../parts/button.tsx';
import { Failure, Loaded } from '../../../parts/states.tsx';
import { Time } from '../../../parts/written.tsx';
import { useStore } from '../store.ts';
import type { Act } from './acts.ts';
import { Composer } from './composer.tsx';
import { LOOKS, queueOf, type Ticket } from './conversation.ts';
import { DraftCard, useProposal } from './draft-card.tsx';
import type { KeyName } from './keys.ts';
import { CustomerOrders } from './orders.tsx';
import { act, deeds } from './outbox.ts';
import { Setbacks } from './setbacks.tsx';
import { Thread } from './thread.tsx';
import { useDrafts, useMessages, usePredicted, useTicket } from './use-inbox.ts';

const CloseDialog = lazy(() => import('./close-dialog.tsx'));
const SnoozeDialog = lazy(() => import('./snooze-dialog.tsx'));

export interface Asked {
  readonly name: KeyName;
  readonly count: number;
}

interface OpenTicketProps {
  readonly id: string;
  readonly asked: Asked | undefined;
  readonly leave: () => void;
  readonly next: () => void;
}

export function OpenTicket({ id, asked, leave, next }: OpenTicketProps) {
  const ticket = useTicket(id);
  // Keys that were pressed for the ticket before this one are not for it.
  const handled = useRef(asked?.count ?? 0);
  return (
    <section aria-label="Ticket" className="measured min-w-0 rounded-md border border-line bg-surface p-4">
      <div className="mb-3 lg:hidden">
        <Button onClick={leave}>← All tickets</Button>
      </div>
      <Loaded query={ticket} rows={6}>
        {(data) => <Conversing ticket={data} asked={asked} handled={handled} next={next} />}
      </Loaded>
    </section>
  );
}

interface ShownProps {
  readonly ticket: Ticket;
  readonly asked: Asked | undefined;
  readonly handled: RefObject<number>;
  readonly next: () => void;
}

function Conversing({ ticket, asked, handled, next }: ShownProps) {
  const [dialog, setDialog] = useState<'close' | 'reject' | 'snooze' | null>(null);
  const [pages, setPages] = useState(1);
  const field = useRef<HTMLTextAreaElement>(null);
  const messages = useMessages(ticket.id, ticket.message_count, pages);
  const proposal = useProposal(ticket, messages.data?.messages);
  const drafts = useDrafts();
  const shown = usePredicted()(ticket);
  const isClosed = shown.status === 'resolved';
  const write = (isNote: boolean): void => {
    drafts.change(ticket.id, { isNote });
    field.current?.focus();
  };
  const insert = (): void => {
    if (proposal?.text === undefined || proposal.isDiscarded) return;
    const { reply } = drafts.read(ticket.id);
    const text = reply.trim() === '' ? proposal.text : `${reply}\n\n${proposal.text}`;
    drafts.change(ticket.id, { reply: text, isNote: false });
    field.current?.focus();
  };
  const go = (what: Act, isLeaving: boolean): void => {
    act(ticket, what);
    setDialog(null);
    if (isLeaving) next();
  };
  const commands: Partial<Record<KeyName, () => void>> = {
    reply: () => write(false),
    note: () => write(true),
    snooze: () => setDialog('snooze'),
    close: () => !isClosed && setDialog('close'),
    raise: () => shown.status !== 'escalated' && go({ kind: 'escalate' }, false),
    wake: () => shown.ticket_status === 'snoozed' && go({ kind: 'wake' }, false),
    draft: insert,
  };
  useEffect(() => {
    if (asked === undefined || asked.count <= handled.current) return;
    handled.current = asked.count;
    commands[asked.name]?.();
  });
  return (
    <>
      <Head ticket={shown} run={(name) => commands[name]?.()} reject={() => setDialog('reject')} />
      <Setbacks ticketId={ticket.id} messages={messages.data?.messages ?? []} now={ticket} />
      <div className="beside-thread">
        {ticket.customer_email !== null && <CustomerOrders email={ticket.customer_email} />}
        <div className="min-w-0">
          {messages.error && messages.data === undefined ? (
            <Failure error={messages.error} retry={messages.refetch} />
          ) : (
            <Thread
              ticket={ticket}
              query={messages}
              earlier={() => setPages(pages + 1)}
              hidden={proposal?.noteId}
            />
          )}
          {proposal && <DraftCard ticket={ticket} proposal={proposal} insert={insert} />}
          <Composer ticket={ticket} shown={shown} field={field} next={next} />
        </div>
      </div>
      <Suspense>
        {(dialog === 'close' || dialog === 'reject') && (
          <CloseDialog
            ticket={ticket}
            kind={dialog}
            close={() => setDialog(null)}
            done={(reason) => go({ kind: dialog, reason }, false)}
          />
        )}
        {dialog === 'snooze' && (
          <SnoozeDialog
            ticket={ticket}
            close={() => setDialog(null)}
            done={(until) => go({ kind: 'snooze', until }, false)}
          />
        )}
      </Suspense>
    </>
  );
}

interface HeadProps {
  readonly ticket: Ticket;
  readonly run: (name: KeyName) => void;
  readonly reject: () => void;
}

function Head({ ticket, run, reject }: HeadProps) {
  useStore(deeds);
  const queue = LOOKS[queueOf(ticket)];
  const isSnoozed = ticket.ticket_status === 'snoozed';
  const isClosed = ticket.status === 'resolved';
  const { customer_email: email } = ticket;
  return (
    <header className="mb-4 border-b border-line pb-3">
      <h2 className="foreign max-h-40 overflow-y-auto text-lg" data-ticket={ticket.ticket_code}>
        {ticket.subject}
      </h2>
      <p className="foreign mt-1 text-sm text-dim">
        {ticket.ticket_code} ·{' '}
        <b className={queue.text}>
          {queue.sign} {ticket.ticket_status === 'rejected' ? 'Rejected' : queue.name}
        </b>{' '}
        · {ticket.priority} · {ticket.channel} · <bdi>{ticket.customer_name ?? (email ? '' : 'unknown')}</bdi>{' '}
        {email && <bdi>{email}</bdi>}
        {isSnoozed && ticket.snoozed_until && (
          <>
            {' '}
            · until <Time at={ticket.snoozed_until} />
          </>
        )}
      </p>
      {isClosed && ticket.close_reason && (
        <p className="foreign mt-1 text-sm">Reason: {ticket.close_reason}</p>
      )}
      <div className="mt-3 flex flex-wrap gap-2">
        <Button onClick={() => run('snooze')}>
          Snooze <Key>s</Key>
        </Button>
        {isSnoozed && (
          <Button onClick={() => run('wake')}>
            Wake <Key>u</Key>
          </Button>
        )}
        {!isClosed && (
          <Button onClick={() => run('close')}>
            Close <Key>e</Key>
          </Button>
        )}
        {ticket.status !== 'escalated' && (
          <Button onClick={() => run('raise')}>
            Raise <Key>!</Key>
          </Button>
        )}
        {!isClosed && <Button onClick={reject}>Reject</Button>}
      </div>
    </header>
  );
}

const Key = ({ children }: { readonly children: string }) => (
  <kbd className="text-sm text-dim" aria-hidden>
    {children}
  </kbd>
);
