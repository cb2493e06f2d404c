// A workspace in memory with its workers' ports, and what people do in it: customers write, articles are published.
import type { Caller } from '../../lib/core/tenancy/caller.ts';
import type { Article } from '../../lib/helpdesk/domain/articles/article.ts';
import { articleOutbox, newArticle } from '../../lib/helpdesk/domain/articles/change.ts';
import { contactIdOf } from '../../lib/helpdesk/domain/contacts/contact-id.ts';
import type { OutboxEntry } from '../../lib/helpdesk/domain/outbox.ts';
import type { Pointer } from '../../lib/helpdesk/domain/pointer.ts';
import { searchEntries, ticketTokens } from '../../lib/helpdesk/domain/search/search-tokens.ts';
import type { Message } from '../../lib/helpdesk/domain/tickets/message.ts';
import type { Ticket } from '../../lib/helpdesk/domain/tickets/ticket.ts';
import { applyTrigger } from '../../lib/helpdesk/domain/tickets/transition.ts';
import type { HelpdeskStores } from '../../lib/helpdesk/ports/stores.ts';
import { change } from '../../lib/helpdesk/work/commit.ts';
import type { DrainPorts } from '../../lib/helpdesk/work/drain.ts';
import { newTicket } from './helpdesk-ticket.ts';
import { createManualClock } from './memory/clock.ts';
import { memoryHelpdesk } from './memory/helpdesk.ts';
import { createMemoryQueue } from './memory/queue.ts';
import { createSeededRandom } from './memory/random.ts';

export const WORKSPACE = 'm_one';
export const OTHER_WORKSPACE = 'm_two';
export const AGENT: Caller = {
  kind: 'session',
  sub: 'ann',
  merchantId: WORKSPACE,
  role: 'owner',
  grant: { opens: [] },
};

export interface WrittenTicket {
  readonly ticketId: string;
  readonly messageId: string;
  readonly runId: string;
  readonly noteId: string;
}

export const openWorkspace = (seed = 'workspace') => openWorkspaceOn(memoryHelpdesk(), seed);

/** On stores of any kind. */
export function openWorkspaceOn<Stores extends HelpdeskStores>(stores: Stores, seed: string) {
  const clock = createManualClock(Date.UTC(2026, 10, 20, 12));
  const random = createSeededRandom(seed);
  const queues = {
    deliveries: createMemoryQueue<Pointer>({ clock }),
    runs: createMemoryQueue<Pointer>({ clock }),
    mails: createMemoryQueue<Pointer>({ clock }),
    tasks: createMemoryQueue<Pointer & { readonly kind: string }>({ clock }),
  };
  const problems: unknown[] = [];
  const ports: DrainPorts = {
    stores,
    ...queues,
    clock,
    random,
    report: (problem, error) => void problems.push(problem, error),
  };
  /** Ids and places of two messages of one millisecond are in the order they were made. */
  const newId = (): string => {
    clock.advance(1);
    return random.uuidv7(clock.now());
  };

  const customerEntries = (message: Message, ticket: Ticket, withRun: boolean) => {
    const [runId, noteId] = [newId(), newId()];
    const { id: ticketId, customerEmail: email, customerName: name } = ticket;
    const atMs = clock.now();
    const trigger = { trigger: 'message', messageId: message.id } as const;
    const entries: OutboxEntry[] = [
      { kind: 'message', message },
      ...(email === null ? [] : [{ kind: 'contact', email, name, ticketId, atMs } as const]),
      ...(withRun ? [{ kind: 'run', runId, noteId, ticketId, ...trigger, atMs } as const] : []),
    ];
    return { entries, runId, noteId };
  };
  const messageOf = (ticket: Ticket, body: string): Message => ({
    id: newId(),
    workspaceId: ticket.workspaceId,
    ticketId: ticket.id,
    body,
    isInternal: false,
    direction: 'inbound',
    author: { type: 'customer', id: ticket.contactId, name: ticket.customerName },
    createdAtMs: clock.now(),
  });

  return {
    clock,
    random,
    stores,
    queues,
    ports,
    problems,
    newId,

    /** A customer opens a ticket; a run follows unless `withRun` is false. */
    write: async (
      body: string,
      changes: Partial<Ticket> = {},
      { withRun = true }: { readonly withRun?: boolean } = {},
    ): Promise<WrittenTicket> => {
      const workspaceId = changes.workspaceId ?? WORKSPACE;
      const email = changes.customerEmail === undefined ? 'ada@example.com' : changes.customerEmail;
      const ticket = newTicket({
        id: newId(),
        contactId: email === null ? null : contactIdOf(workspaceId, email),
        customerEmail: email,
        createdAtMs: clock.now(),
        updatedAtMs: clock.now(),
        ...changes,
      });
      const message = messageOf(ticket, body);
      const { entries, runId, noteId } = customerEntries(message, ticket, withRun);
      const tokens = searchEntries(
        { type: 'ticket', recordId: ticket.id, version: 1 },
        [],
        ticketTokens(ticket),
      );
      await change(
        stores.tickets,
        ticket,
        () => ({ record: ticket, outbox: [...entries, ...tokens], result: undefined }),
        ports,
      );
      return { ticketId: ticket.id, messageId: message.id, runId, noteId };
    },

    /** The customer of a ticket writes again. */
    writeAgain: async (ticketId: string, body: string, workspaceId = WORKSPACE): Promise<WrittenTicket> =>
      await change<Ticket, WrittenTicket>(
        stores.tickets,
        { workspaceId, id: ticketId },
        (stored) => {
          if (stored === null) throw new Error('no such ticket');
          const message = messageOf(stored.record, body);
          const trigger = { kind: 'customer_message' } as const;
          const { ticket } = applyTrigger(stored.record, trigger, clock.now());
          const { entries, runId, noteId } = customerEntries(message, ticket, true);
          const result = { ticketId, messageId: message.id, runId, noteId };
          return { record: ticket, outbox: entries, result };
        },
        ports,
      ),

    publish: async (
      title: string,
      content: string,
      {
        workspaceId = WORKSPACE,
        status = 'published',
      }: Partial<Pick<Article, 'workspaceId' | 'status'>> = {},
    ): Promise<Article> => {
      const atMs = clock.now();
      const id = newId();
      const article = newArticle({ id, workspaceId, slug: id }, { title, content, status }, atMs);
      const by = { caller: { ...AGENT, merchantId: workspaceId }, requestId: 'r' };
      const outbox = articleOutbox(null, article, by, { version: 1, atMs, newId });
      await change(stores.articles, article, () => ({ record: article, outbox, result: undefined }), ports);
      return article;
    },
  };
}

export type Workspace = ReturnType<typeof openWorkspace>;

export class Death extends Error {}

/**
 * All calls of ports in a row; the process dies before or after the one of this number, once. `calls` is how many there were.
 */
export function mortal(at: number, when: 'before' | 'after') {
  const state = { calls: 0, deaths: 0 };
  const dying = <Port extends object>(port: Port): Port =>
    new Proxy(port, {
      get(target, name) {
        const member: unknown = target[name as keyof Port];
        if (typeof member === 'object' && member !== null) return dying(member);
        if (typeof member !== 'function') return member;
        return async (...args: unknown[]) => {
          state.calls += 1;
          const dies = state.calls === at;
          if (dies) state.deaths += 1;
          if (dies && when === 'before') throw new Death();
          const answer: unknown = await (member as (...given: unknown[]) => unknown).apply(target, args);
          if (dies) throw new Death();
          return answer;
        };
      },
    });
  return { state, dying };
}
