// All that is kept of a contact, page by page. Guarantees: a page holds a bounded number of messages and of bytes; its position is
// sealed for this workspace and contact; nothing is copied anywhere for it. What changes between two pages shows as it is then.
import * as z from 'zod';
import { runView } from '#lib/helpdesk/domain/runs/change.ts';
import { RUN_STATUSES } from '#lib/helpdesk/domain/runs/run.ts';
import type { Message } from '#lib/helpdesk/domain/tickets/message.ts';
import type { Ticket } from '#lib/helpdesk/domain/tickets/ticket.ts';
import { messageView, ticketView } from '#lib/helpdesk/domain/wire-views.ts';
import type { HelpdeskApiPorts } from '../ports.ts';

/** Of one page. */
export const EXPORT_LIMITS = { messages: 1_000, bytes: 3_000_000, tickets: 200 } as const;
const MESSAGES_AT_ONCE = 20;
const RUNS_MAX = 100;

/** The ticket that is next, or under way, and how many of its messages were shown. */
export const exportPosition = z.object({ t: z.string().min(1).max(100), m: z.int().nonnegative() });
export type ExportPosition = z.output<typeof exportPosition>;

export interface ExportPage {
  readonly tickets: ReturnType<typeof ticketView>[];
  readonly messages: ReturnType<typeof messageView>[];
  readonly runs: ReturnType<typeof runView>[];
  readonly next: ExportPosition | null;
}

type Ports = Pick<HelpdeskApiPorts, 'stores'>;

export async function exportPage(
  key: { readonly workspaceId: string; readonly contactId: string },
  position: ExportPosition | undefined,
  ports: Ports,
): Promise<ExportPage> {
  const page: Draft = { tickets: [], messages: [], runs: [], bytes: 0 };
  for await (const ticket of ticketsFrom(key, position, ports)) {
    const from = ticket.id === position?.t ? position.m : 0;
    if (page.tickets.length >= EXPORT_LIMITS.tickets) return pageOf(page, { t: ticket.id, m: from });
    page.tickets.push(ticketView(ticket));
    if (from === 0) page.runs.push(...(await runsOf(ticket, ports)));
    const shown = await addMessages(ticket, from, page, ports);
    if (shown !== null) return pageOf(page, { t: ticket.id, m: shown });
  }
  return pageOf(page, null);
}

interface Draft {
  readonly tickets: ExportPage['tickets'];
  readonly messages: ExportPage['messages'];
  readonly runs: ExportPage['runs'];
  bytes: number;
}

const pageOf = ({ tickets, messages, runs }: Draft, next: ExportPosition | null): ExportPage => ({
  tickets,
  messages,
  runs,
  next,
});

/** How many were shown where the page is full; null at the end of the ticket. */
async function addMessages(
  { workspaceId, id }: Ticket,
  from: number,
  page: Draft,
  { stores }: Ports,
): Promise<number | null> {
  for (let offset = from; ; ) {
    const read = await stores.messages.listMessages(workspaceId, id, { limit: MESSAGES_AT_ONCE, offset });
    for (const message of read.messages) {
      if (isFull(page, message)) return offset;
      page.messages.push(messageView(message));
      page.bytes += Buffer.byteLength(message.body);
      offset++;
    }
    if (read.messages.length < MESSAGES_AT_ONCE) return null;
  }
}

/** A page has one message at least, so that there is an end. */
const isFull = ({ messages, bytes }: Draft, { body }: Message): boolean =>
  messages.length > 0 &&
  (messages.length >= EXPORT_LIMITS.messages || bytes + Buffer.byteLength(body) > EXPORT_LIMITS.bytes);

async function runsOf({ workspaceId, id }: Ticket, { stores }: Ports): Promise<ReturnType<typeof runView>[]> {
  const query = { statuses: RUN_STATUSES, ticketId: id };
  const { ids } = await stores.lists.runs(workspaceId, query, { limit: RUNS_MAX, offset: 0 });
  return (await stores.runs.readMany(workspaceId, ids)).map(({ record }) => runView(record));
}

/** Newest first, from the one of the position on. */
async function* ticketsFrom(
  { workspaceId, contactId }: { readonly workspaceId: string; readonly contactId: string },
  position: ExportPosition | undefined,
  { stores }: Ports,
): AsyncGenerator<Ticket, void> {
  const first = position === undefined ? [] : await stores.tickets.readMany(workspaceId, [position.t]);
  for (const { record } of first) if (record.contactId === contactId) yield record;
  for (let after = position?.t; ; ) {
    const limit = EXPORT_LIMITS.tickets;
    const ids = await stores.contactTickets.tickets(workspaceId, contactId, limit, after);
    const rows = await stores.tickets.readMany(workspaceId, ids);
    for (const { record } of rows) if (record.contactId === contactId) yield record;
    after = ids.at(-1);
    if (ids.length < limit || after === undefined) return;
  }
}
