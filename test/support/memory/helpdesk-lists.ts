// Lists of the helpdesk in memory: what the indexes of a table would say at once.
import { TICKET_STATES, type Ticket, type TicketState } from '#lib/helpdesk/domain/tickets/ticket.ts';
import { type CountedPage, type Listed, type ListIndex, TOTAL_MAX } from '#lib/helpdesk/ports/stores.ts';
import type { memoryHelpdeskRecords } from './helpdesk-records.ts';

type Records = ReturnType<typeof memoryHelpdeskRecords>;

export function createMemoryLists({ tickets, contacts, articles, runs, deliveries }: Records): ListIndex {
  const inStates = (workspaceId: string, states: readonly TicketState[]): Ticket[] =>
    tickets
      .all(workspaceId)
      .map(({ record }) => record)
      .filter(({ state }) => states.includes(state));
  return {
    tickets: async (workspaceId, states, page) =>
      paged(
        newestFirst(inStates(workspaceId, states), ({ id }) => id),
        page,
      ),

    waitingTickets: async (workspaceId, states, page) => {
      const waiting = inStates(workspaceId, states).filter(({ waitingSinceMs }) => waitingSinceMs !== null);
      const place = ({ waitingSinceMs, id }: Ticket): string => timed(waitingSinceMs ?? 0, id);
      return paged(
        waiting.sort((a, b) => (place(a) < place(b) ? -1 : 1)),
        page,
      );
    },

    oldestTickets: async (workspaceId, states, limit, after = '') =>
      inStates(workspaceId, states)
        .map(({ id }) => id)
        .filter((id) => id > after)
        .sort()
        .slice(0, limit),

    contacts: async (workspaceId, page) =>
      paged(
        newestFirst(
          contacts.all(workspaceId).map(({ record }) => record),
          ({ createdAtMs, id }) => timed(createdAtMs, id),
        ),
        page,
      ),

    articles: async (workspaceId, statuses, page) => {
      const found = articles.all(workspaceId).map(({ record }) => record);
      return paged(
        newestFirst(
          found.filter(({ status }) => statuses.includes(status)),
          ({ id }) => id,
        ),
        page,
      );
    },

    runs: async (workspaceId, { statuses, ticketId }, page) => {
      const found = runs
        .all(workspaceId)
        .map(({ record }) => record)
        .filter((run) => statuses.includes(run.status) && (ticketId ?? run.ticketId) === run.ticketId);
      return paged(
        newestFirst(found, ({ id }) => id),
        page,
      );
    },

    deliveries: async (workspaceId, webhookId, page) => {
      const found = deliveries.all(workspaceId).map(({ record }) => record);
      return paged(
        newestFirst(
          found.filter((delivery) => delivery.webhookId === webhookId),
          ({ id }) => id,
        ),
        page,
      );
    },

    ticketCounts: async (workspaceId, countTo = TOTAL_MAX) => {
      const counts = TICKET_STATES.map((state): [TicketState, number] => [
        state,
        Math.min(inStates(workspaceId, [state]).length, countTo),
      ]);
      return Object.fromEntries(counts) as Record<TicketState, number>;
    },
  };
}

const timed = (atMs: number, id: string): string => `${String(atMs).padStart(15, '0')}#${id}`;

const newestFirst = <R>(records: R[], place: (record: R) => string): R[] =>
  records.sort((a, b) => (place(a) > place(b) ? -1 : 1));

function paged(
  records: readonly { readonly id: string }[],
  { limit, offset, countTo = TOTAL_MAX }: CountedPage,
): Listed {
  return {
    ids: records.slice(offset, offset + limit).map(({ id }) => id),
    total: Math.min(records.length, countTo),
  };
}
