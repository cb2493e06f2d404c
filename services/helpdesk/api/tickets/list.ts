// Lists of tickets, for older paths and v1 alike. Guarantees: each record is shown as it is at this moment, and left out where
// it no longer has the status that was asked for; a total that is not exact says so.
import { OFFSET_MAX } from '#lib/helpdesk/domain/account/limits.ts';
import type { Stored } from '#lib/helpdesk/domain/outbox.ts';
import { ticketTokens } from '#lib/helpdesk/domain/search/search-tokens.ts';
import { queryOf } from '#lib/helpdesk/domain/search/tokens.ts';
import { TICKET_STATES, type Ticket, type TicketState } from '#lib/helpdesk/domain/tickets/ticket.ts';
import { effectiveTicket, isOurTurn } from '#lib/helpdesk/domain/tickets/transition.ts';
import { type CountedPage, type Page, TOTAL_MAX } from '#lib/helpdesk/ports/stores.ts';
import type { HelpdeskApiPorts } from '../ports.ts';
import { searchRecords } from '../search-records.ts';

export interface TicketQuery {
  readonly states: readonly TicketState[];
  readonly search?: string | undefined;
  readonly order: 'newest' | 'longest_waiting';
}

export interface TicketPage {
  readonly tickets: readonly Ticket[];
  readonly total: number;
  readonly isCapped: boolean;
}

/** `countTo`: where counting ends; it stops earlier where words are searched. */
export async function listTickets(
  workspaceId: string,
  { states, search, order }: TicketQuery,
  page: CountedPage,
  ports: Pick<HelpdeskApiPorts, 'stores' | 'clock'>,
): Promise<TicketPage> {
  const asked = order === 'newest' ? states : states.filter(isOurTurn);
  if (asked.length === 0) return { tickets: [], total: 0, isCapped: false };
  if (search !== undefined)
    return await searchTickets(workspaceId, { states: asked, search, order }, page, ports);
  const { lists, tickets } = ports.stores;
  const listed =
    order === 'newest'
      ? await lists.tickets(workspaceId, asked, page)
      : await lists.waitingTickets(workspaceId, asked, page);
  const stored = await tickets.readMany(workspaceId, listed.ids);
  const isCapped = listed.total >= (page.countTo ?? TOTAL_MAX);
  return { tickets: shownOf(stored, asked, ports.clock.now()), total: listed.total, isCapped };
}

async function searchTickets(
  workspaceId: string,
  { states, search, order }: TicketQuery & { readonly search: string },
  { offset, limit }: Page,
  { stores, clock }: Pick<HelpdeskApiPorts, 'stores' | 'clock'>,
): Promise<TicketPage> {
  const { lists } = stores;
  const nowMs = clock.now();
  const isNewest = order === 'newest';
  const isAll = states.length === TICKET_STATES.length;
  const wanted = (ticket: Ticket): Ticket | null => shownIn(ticket, states, nowMs);
  const { records, total, isCapped } = await searchRecords<Ticket>(
    { workspaceId, type: 'ticket', query: queryOf(search), page: { offset, limit } },
    {
      index: stores.search,
      store: stores.tickets,
      tokensOf: ticketTokens,
      listed: async (page) =>
        isNewest
          ? (await lists.tickets(workspaceId, states, { ...page, countTo: 0 })).ids
          : (await lists.waitingTickets(workspaceId, states, { ...page, countTo: 0 })).ids,
      inOrder: isNewest ? byAge : byWaiting,
      isById: isNewest,
      ...(isAll ? {} : { shown: wanted }),
    },
  );
  return {
    tickets: isAll ? records.map((ticket) => effectiveTicket(ticket, nowMs)) : records,
    total,
    isCapped,
  };
}

function shownOf(
  stored: readonly Stored<Ticket>[],
  states: readonly TicketState[],
  nowMs: number,
): readonly Ticket[] {
  return stored.map(({ record }) => shownIn(record, states, nowMs)).filter((ticket) => ticket !== null);
}

/** As it is now; null where that is in none of these states. */
function shownIn(record: Ticket, states: readonly TicketState[], nowMs: number): Ticket | null {
  const ticket = effectiveTicket(record, nowMs);
  return states.length === TICKET_STATES.length || states.includes(ticket.state) ? ticket : null;
}

const byAge = (a: Ticket, b: Ticket): number => (a.id < b.id ? 1 : -1);
const byWaiting = (a: Ticket, b: Ticket): number => (a.waitingSinceMs ?? 0) - (b.waitingSinceMs ?? 0);

export interface CountedTickets extends TicketPage {
  readonly inStates: Readonly<Record<TicketState, number>>;
}

/** With how many each state has. What lies in these states need not be counted once more. */
export async function listAndCount(
  workspaceId: string,
  query: TicketQuery,
  page: CountedPage,
  ports: Pick<HelpdeskApiPorts, 'stores' | 'clock'>,
): Promise<CountedTickets> {
  const { countTo = TOTAL_MAX } = page;
  const isCounted = query.search === undefined && query.order === 'newest';
  const [found, inStates] = await Promise.all([
    listTickets(workspaceId, query, isCounted ? { ...page, countTo: 0 } : page, ports),
    ports.stores.lists.ticketCounts(workspaceId, countTo),
  ]);
  if (!isCounted) return { ...found, inStates };
  const all = query.states.reduce((sum, state) => sum + inStates[state], 0);
  return { tickets: found.tickets, total: Math.min(all, countTo), isCapped: all >= countTo, inStates };
}

/** True for a page that lies further down than a list is read. */
export const isBeyond = (page: number, limit: number): boolean => page * limit > OFFSET_MAX;
