// The draft becomes an internal note of its ticket. Guarantees: one note per run, with any number of workers: it is
// committed on the version that was read and had none; nothing is sent and no state changes. Refuses a ticket in which
// the customer wrote in the meantime, or that was erased.

import type { Run } from '#lib/helpdesk/domain/runs/run.ts';
import { idAndTime, type Message } from '#lib/helpdesk/domain/tickets/message.ts';
import type { Ticket } from '#lib/helpdesk/domain/tickets/ticket.ts';
import { applyTrigger, timerOf } from '#lib/helpdesk/domain/tickets/transition.ts';
import { ticketEvents } from '#lib/helpdesk/domain/webhooks/event-payload.ts';
import { type Change, change } from '#lib/helpdesk/work/commit.ts';
import { type Conversation, newestOfCustomer, readConversation } from './conversation.ts';
import type { RunPorts } from './ports.ts';

const TRIES_MAX = 5;
const AUTHOR_NAME = 'AI draft';

export type NoteOutcome = 'written' | 'superseded' | 'gone' | 'busy';

/** `seen`: the conversation that the draft answers. */
export async function writeNote(
  run: Run,
  seen: Conversation,
  body: string,
  ports: RunPorts,
): Promise<NoteOutcome> {
  let current: Conversation | null = seen;
  for (let tried = 0; tried < TRIES_MAX; tried++) {
    if (current === null) return 'gone';
    if (current.hasNote) return 'written';
    if (!isSame(seen, current)) return 'superseded';
    const key = { workspaceId: run.workspaceId, id: run.ticketId };
    const { version } = current;
    const isWritten = await change(
      ports.stores.tickets,
      key,
      (stored) =>
        stored?.version === version
          ? noteChange(stored.record, { run, body, version: version + 1 }, ports)
          : { result: false },
      ports,
    );
    if (isWritten) return 'written';
    current = await readConversation(run, ports);
  }
  return 'busy';
}

/** False after another message of the customer, or if the customer changed or was erased. */
const isSame = (seen: Conversation, now: Conversation): boolean =>
  newestOfCustomer(seen) === newestOfCustomer(now) &&
  seen.ticket.contactId === now.ticket.contactId &&
  seen.ticket.subject === now.ticket.subject;

function noteChange(
  before: Ticket,
  { run, body, version }: { readonly run: Run; readonly body: string; readonly version: number },
  { clock, random }: RunPorts,
): Change<Ticket, boolean> {
  const atMs = clock.now();
  const { ticket, events } = applyTrigger(before, { kind: 'internal_note' }, atMs);
  const message: Message = {
    ...idAndTime(run.noteId),
    workspaceId: run.workspaceId,
    ticketId: run.ticketId,
    body,
    isInternal: true,
    direction: 'internal',
    author: { type: 'ai', id: run.id, name: AUTHOR_NAME },
  };
  const newId = () => random.uuidv7(atMs);
  return {
    record: ticket,
    outbox: [
      { kind: 'message', message },
      ...ticketEvents(events, { ticket, message }, { version, atMs, newId }),
    ],
    dueAtMs: timerOf(ticket),
    result: true,
  };
}
