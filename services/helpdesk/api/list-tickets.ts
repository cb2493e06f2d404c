// Lists of tickets, for older paths and v1 alike. Guarantees: each record is shown as it is at this moment, and left out where
// it no longer has the status that was asked for; a total that is not exact says so.
import { OFFSET_MAX, SEARCH_TOTAL_MAX } from '../../../lib/helpdesk/domain/limits.ts';
import type { Stored } from '../../../lib/helpdesk/domain/outbox.ts';
import { ticketTokens } from '../../../lib/helpdesk/domain/search-tokens.ts';
import { TICKET_STATES, type Ticket, type TicketState } from '../../../lib/helpdesk/domain/ticket.ts';
import { effectiveTicket, isOurTurn } from '../../../lib/helpdesk/domain/ticket-transition.ts';
import { matchesQuery, queryOf } from '../../../lib/helpdesk/domain/tokens.ts';
import { type CountedPage, type Page, TOTAL_MAX } from '../../../lib/helpdesk/ports/stores.ts';
import type { HelpdeskApiPorts } from './ports.ts';
import { searchRecords } from './search-records.ts';

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
  const query = queryOf(search);
  const [only] = query;
  // What the index says of one word is the answer already: only the page itself is read.
  if (only !== undefined && query.length === 1 && states.length === TICKET_STATES.length) {
    const ids = await stores.search.find(workspaceId, 'ticket', only, SEARCH_TOTAL_MAX);
    const stored = await stores.tickets.readMany(workspaceId, ids.slice(offset, offset + limit));
    const found = stored.filter(({ record }) => matchesQuery(ticketTokens(record), query));
    const isFull = ids.length >= SEARCH_TOTAL_MAX;
    return { tickets: shownOf(found, states, clock.now()), total: ids.length, isCapped: isFull };
  }
  const { records, isCapped } = await searchRecords(
    { workspaceId, type: 'ticket', query },
    { index: stores.search, store: stores.tickets, tokensOf: ticketTokens },
  );
  const matches = shownOf(records, states, clock.now());
  const ordered = order === 'newest' ? matches : matches.toSorted(byWaiting);
  return { tickets: ordered.slice(offset, offset + limit), total: matches.length, isCapped };
}

function shownOf(
  stored: readonly Stored<Ticket>[],
  states: readonly TicketState[],
  nowMs: number,
): readonly Ticket[] {
  const all = states.length === TICKET_STATES.length;
  return stored
    .map(({ record }) => effectiveTicket(record, nowMs))
    .filter(({ state }) => all || states.includes(state));
}

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
