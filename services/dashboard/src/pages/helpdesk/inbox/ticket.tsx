// One ticket: what was said, what can be done to it, and the text that is being written for it.
import { type RefObject, useEffect, useRef, useState } from 'react';
import { useScopeRefusal } from '#dashboard/app/account.ts';
import { Button } from '#dashboard/parts/button.tsx';
import { lazily } from '#dashboard/parts/lazily.tsx';
import { Failure, Loaded, Notice } from '#dashboard/parts/page.tsx';
import { Time } from '#dashboard/parts/written.tsx';
import { useStore } from '../store.ts';
import type { Action } from './actions.ts';
import { Composer } from './composer.tsx';
import { LOOKS, queueOf, type Ticket } from './conversation.ts';
import { DraftCard, type Proposal, useProposal } from './draft-card.tsx';
import { FailedActions } from './failed-actions.tsx';
import { holdKeys, takeHeldKeys } from './held-keys.ts';
import type { KeyName } from './keys.ts';
import { CustomerOrders } from './orders.tsx';
import { pendingActions, perform } from './outbox.ts';
import { Thread } from './thread.tsx';
import { useDrafts, useMessages, usePredicted, useTicket } from './use-inbox.ts';

const loadClose = () => import('./close-dialog.tsx');
const loadSnooze = () => import('./snooze/dialog.tsx');
const CloseDialog = lazily(loadClose);
const SnoozeDialog = lazily(loadSnooze);

const IDLE_MS = 500;

type DialogName = 'close' | 'reject' | 'snooze';

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
  const isLost = ticket.data === undefined && ticket.error !== null;
  useEffect(() => {
    // What was asked for does not come.
    if (isLost) takeHeldKeys();
    return () => void takeHeldKeys();
  }, [isLost]);
  return (
    <section
      aria-label="Ticket"
      className="measured docked min-w-0 rounded-md border border-line bg-surface p-4"
    >
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
  const [dialog, setDialog] = useState<DialogName | null>(null);
  const [pages, setPages] = useState(1);
  const field = useRef<HTMLTextAreaElement>(null);
  const messages = useMessages(ticket.id, ticket.message_count, pages);
  const proposal = useProposal(ticket, messages.data?.messages);
  const shown = usePredicted()(ticket);
  const foot = useNewestInView(messages.data !== undefined && proposal !== null);
  const refused = useScopeRefusal('write:conversations');
  const able = useCommands({ ticket, shown, proposal, field, setDialog });
  const commands = refused === undefined ? able : {};
  useEffect(() => {
    if (asked === undefined || asked.count <= handled.current) return;
    handled.current = asked.count;
    // Keys that were held for a dialog that does not come are let go.
    (commands[asked.name] ?? takeHeldKeys)();
  });
  return (
    <>
      <Head
        ticket={shown}
        canChange={refused === undefined}
        run={(name) => commands[name]?.()}
        reject={() => commands.reject?.()}
      />
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it is scrolled by keys where it has its own height */}
      <section aria-label="Thread" tabIndex={0} className="newest-last mb-3">
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
                hidden={refused === undefined ? proposal?.noteId : undefined}
              />
            )}
            {proposal && refused === undefined && (
              <DraftCard ticket={ticket} proposal={proposal} insert={() => commands.draft?.()} />
            )}
            <FailedActions ticketId={ticket.id} messages={messages.data?.messages ?? []} now={ticket} />
          </div>
        </div>
      </section>
      <div ref={foot} className="above-foot">
        {refused === undefined ? (
          <Composer ticket={ticket} shown={shown} field={field} next={next} />
        ) : (
          <Notice tone="plain">You read this ticket. To answer or change it: {refused}</Notice>
        )}
      </div>
      <Dialogs dialog={dialog} ticket={ticket} close={() => setDialog(null)} />
    </>
  );
}

/** The end of a ticket is in view when it is opened, and stays where it is put after that. */
function useNewestInView(isThere: boolean): RefObject<HTMLDivElement | null> {
  const foot = useRef<HTMLDivElement>(null);
  const isDone = useRef(false);
  useEffect(() => {
    if (!isDone.current) foot.current?.scrollIntoView({ block: 'nearest' });
    isDone.current ||= isThere;
  }, [isThere]);
  return foot;
}

interface CommandsOptions {
  readonly ticket: Ticket;
  readonly shown: Ticket;
  readonly proposal: Proposal | null;
  readonly field: RefObject<HTMLTextAreaElement | null>;
  readonly setDialog: (dialog: DialogName) => void;
}

function useCommands({ ticket, shown, proposal, field, setDialog }: CommandsOptions) {
  const drafts = useDrafts();
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
  const ask = (dialog: DialogName): void => {
    holdKeys();
    setDialog(dialog);
  };
  const commands: Partial<Record<KeyName | 'reject', () => void>> = {
    reply: () => write(false),
    note: () => write(true),
    snooze: () => ask('snooze'),
    reject: () => ask('reject'),
    close: () => (shown.status === 'resolved' ? void takeHeldKeys() : ask('close')),
    raise: () => shown.status !== 'escalated' && perform(ticket, { kind: 'escalate' }),
    wake: () => shown.ticket_status === 'snoozed' && perform(ticket, { kind: 'wake' }),
    draft: insert,
  };
  return commands;
}

interface DialogsProps {
  readonly dialog: DialogName | null;
  readonly ticket: Ticket;
  readonly close: () => void;
}

function Dialogs({ dialog, ticket, close }: DialogsProps) {
  useEffect(() => {
    // While there is nothing else to do. A press that comes before waits for it.
    const load = (): void => void Promise.all([loadClose(), loadSnooze()]).catch(() => undefined);
    const timer = setTimeout(load, IDLE_MS);
    return () => clearTimeout(timer);
  }, []);
  const go = (what: Action): void => {
    perform(ticket, what);
    close();
  };
  return (
    <>
      {(dialog === 'close' || dialog === 'reject') && (
        <CloseDialog
          ticket={ticket}
          kind={dialog}
          close={close}
          done={(reason) => go({ kind: dialog, reason })}
        />
      )}
      {dialog === 'snooze' && (
        <SnoozeDialog ticket={ticket} close={close} done={(until) => go({ kind: 'snooze', until })} />
      )}
    </>
  );
}

interface HeadProps {
  readonly ticket: Ticket;
  readonly canChange: boolean;
  readonly run: (name: KeyName) => void;
  readonly reject: () => void;
}

function Head({ ticket, canChange, run, reject }: HeadProps) {
  useStore(pendingActions);
  const queue = LOOKS[queueOf(ticket)];
  const isSnoozed = ticket.ticket_status === 'snoozed';
  const isClosed = ticket.status === 'resolved';
  const { customer_email: email } = ticket;
  return (
    <>
      <header className={canChange ? '' : 'mb-3'}>
        <h2 className="foreign max-h-40 overflow-y-auto text-lg" data-ticket={ticket.ticket_code}>
          {ticket.subject}
        </h2>
        <p className="foreign mt-1 text-sm text-dim">
          {ticket.ticket_code} ·{' '}
          <b className={queue.text}>
            {queue.sign} {ticket.ticket_status === 'rejected' ? 'Rejected' : queue.name}
          </b>{' '}
          · {ticket.priority} · {ticket.channel} ·{' '}
          <bdi>{ticket.customer_name ?? (email ? '' : 'unknown')}</bdi> {email && <bdi>{email}</bdi>}
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
      </header>
      {canChange && (
        <div className="at-top mb-3 flex flex-wrap gap-2 border-b border-line bg-surface pt-3 pb-3">
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
      )}
    </>
  );
}

const Key = ({ children }: { readonly children: string }) => (
  <kbd className="text-sm text-dim" aria-hidden>
    {children}
  </kbd>
);
