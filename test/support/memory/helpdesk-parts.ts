// What the helpdesk keeps beside its records, in memory: messages, links of contacts, the audit trail, codes, slugs, health of
// webhooks, threads of mail, and what is due.
import { groupShard } from '#lib/core/work/due-shard.ts';
import type { DueKind } from '#lib/helpdesk/domain/account/due-kind.ts';
import type { HelpdeskAuditEntry } from '#lib/helpdesk/domain/audit/entry.ts';
import type { SetAsideMail } from '#lib/helpdesk/domain/mail/set-aside.ts';
import type { Message } from '#lib/helpdesk/domain/tickets/message.ts';
import type { WebhookHealth } from '#lib/helpdesk/domain/webhooks/webhook.ts';
import {
  type AuditTrail,
  type ContactTickets,
  type DueIndex,
  type HealthStore,
  type MailThreads,
  type MessageStore,
  type SetAsideMails,
  type Slugs,
  type TicketCodes,
  TOTAL_MAX,
} from '#lib/helpdesk/ports/stores.ts';
import { frozenCopy } from './frozen-copy.ts';
import type { memoryHelpdeskRecords } from './helpdesk-records.ts';

const keyOf = (...parts: readonly string[]): string => JSON.stringify(parts);

export function createMemoryMessages(): MessageStore & { all(): readonly Message[] } {
  const tickets = new Map<string, Map<string, Message>>();
  const of = (workspaceId: string, ticketId: string): Map<string, Message> => {
    const name = keyOf(workspaceId, ticketId);
    const messages = tickets.get(name) ?? new Map<string, Message>();
    tickets.set(name, messages);
    return messages;
  };
  return {
    all: () => [...tickets.values()].flatMap((messages) => [...messages.values()]),
    putMessage: async (message) => {
      const messages = of(message.workspaceId, message.ticketId);
      if (!messages.has(message.id)) messages.set(message.id, frozenCopy(message));
    },
    readMessage: async (workspaceId, ticketId, id) => of(workspaceId, ticketId).get(id) ?? null,
    listMessages: async (workspaceId, ticketId, { limit, offset }) => {
      const all = [...of(workspaceId, ticketId).values()].sort((a, b) => (a.id < b.id ? -1 : 1));
      return { messages: all.slice(offset, offset + limit), total: Math.min(all.length, TOTAL_MAX) };
    },
    replaceMessage: async (message) => {
      of(message.workspaceId, message.ticketId).set(message.id, frozenCopy(message));
    },
    removeMessages: async (workspaceId, ticketId) => of(workspaceId, ticketId).clear(),
  };
}

export function createMemoryContactTickets(): ContactTickets {
  const contacts = new Map<string, Set<string>>();
  const of = (workspaceId: string, contactId: string): Set<string> => {
    const name = keyOf(workspaceId, contactId);
    const tickets = contacts.get(name) ?? new Set<string>();
    contacts.set(name, tickets);
    return tickets;
  };
  return {
    link: async (workspaceId, contactId, ticketId) => void of(workspaceId, contactId).add(ticketId),
    tickets: async (workspaceId, contactId, limit, after) =>
      [...of(workspaceId, contactId)]
        .filter((id) => after === undefined || id < after)
        .sort((a, b) => (a > b ? -1 : 1))
        .slice(0, limit),
    unlink: async (workspaceId, contactId, ticketId) => void of(workspaceId, contactId).delete(ticketId),
  };
}

export function createMemoryAuditTrail(): AuditTrail & { all(): readonly HelpdeskAuditEntry[] } {
  const entries = new Map<string, HelpdeskAuditEntry>();
  const place = ({ atMs, id }: { readonly atMs: number; readonly id: string }): string =>
    `${String(atMs).padStart(15, '0')}#${id}`;
  return {
    all: () => [...entries.values()],
    append: async (entry) => {
      const key = keyOf(entry.workspaceId, place(entry));
      if (!entries.has(key)) entries.set(key, frozenCopy(entry));
    },
    entries: async (workspaceId, { fromMs = 0, toMs = Number.POSITIVE_INFINITY, before }, limit) =>
      [...entries.values()]
        .filter((entry) => entry.workspaceId === workspaceId && entry.atMs >= fromMs && entry.atMs < toMs)
        .filter((entry) => before === undefined || place(entry) < place(before))
        .sort((a, b) => (place(a) > place(b) ? -1 : 1))
        .slice(0, limit),
  };
}

export function createMemoryClaims(): { codes: TicketCodes; slugs: Slugs; threads: MailThreads } {
  const numbers = new Map<string, number>();
  const slugs = new Map<string, string>();
  const threads = new Map<string, string>();
  return {
    codes: {
      next: async (workspaceId) => {
        const number = (numbers.get(workspaceId) ?? 0) + 1;
        numbers.set(workspaceId, number);
        return number;
      },
    },
    slugs: {
      claim: async (workspaceId, slug, articleId) => {
        const key = keyOf(workspaceId, slug);
        if (!slugs.has(key)) slugs.set(key, articleId);
        return slugs.get(key) === articleId;
      },
    },
    threads: {
      remember: async (workspaceId, messageId, ticketId) => {
        const key = keyOf(workspaceId, messageId);
        if (!threads.has(key)) threads.set(key, ticketId);
      },
      ticketOf: async (workspaceId, messageId) => threads.get(keyOf(workspaceId, messageId)) ?? null,
      forget: async (workspaceId, messageId) => void threads.delete(keyOf(workspaceId, messageId)),
    },
  };
}

export function createMemoryHealth(): HealthStore {
  const healths = new Map<string, WebhookHealth>();
  return {
    readHealth: async (workspaceId, webhookId) => healths.get(keyOf(workspaceId, webhookId)) ?? null,
    putHealth: async (workspaceId, webhookId, health) =>
      void healths.set(keyOf(workspaceId, webhookId), frozenCopy(health)),
    moveRest: async (workspaceId, webhookId, fromMs, toMs) => {
      const health = healths.get(keyOf(workspaceId, webhookId));
      if (health?.restUntilMs !== fromMs) return false;
      healths.set(keyOf(workspaceId, webhookId), frozenCopy({ ...health, restUntilMs: toMs }));
      return true;
    },
  };
}

/** Of mails as old as any: what is kept for how long is the table's. */
export function createMemorySetAside(): SetAsideMails {
  const mails = new Map<string, SetAsideMail>();
  const keyIn = ({ workspaceId, id }: Pick<SetAsideMail, 'workspaceId' | 'id'>) => keyOf(workspaceId, id);
  return {
    put: async (mail) => {
      if (!mails.has(keyIn(mail))) mails.set(keyIn(mail), frozenCopy(mail));
    },
    read: async (workspaceId, id) => mails.get(keyIn({ workspaceId, id })) ?? null,
    list: async (workspaceId, { limit, offset }) => {
      const all = [...mails.values()]
        .filter((mail) => mail.workspaceId === workspaceId)
        .sort((a, b) => (a.id > b.id ? -1 : 1));
      return { mails: all.slice(offset, offset + limit), total: Math.min(all.length, TOTAL_MAX) };
    },
    replace: async (mail) => {
      if (mails.has(keyIn(mail))) mails.set(keyIn(mail), frozenCopy(mail));
    },
    remove: async (mail) => void mails.delete(keyIn(mail)),
  };
}

export function createMemoryDue(records: ReturnType<typeof memoryHelpdeskRecords>, shards: number): DueIndex {
  const kinds: readonly [DueKind, (typeof records)[keyof typeof records]][] = [
    ['ticket', records.tickets],
    ['contact', records.contacts],
    ['article', records.articles],
    ['account', records.accounts],
    ['webhooks', records.webhooks],
    ['run', records.runs],
    ['delivery', records.deliveries],
    ['mail', records.mails],
    ['job', records.jobs],
  ];
  return {
    shards,
    async *due(shard, beforeMs, perWorkspace) {
      const found = kinds
        .flatMap(([kind, { all }]) =>
          all().map(({ record: { workspaceId, id }, dueAtMs }) => ({ kind, workspaceId, id, dueAtMs })),
        )
        .filter(({ dueAtMs }) => dueAtMs !== null && dueAtMs < beforeMs)
        .filter(({ kind, workspaceId, id }) => groupShard(workspaceId, `${kind}/${id}`, shards) === shard)
        .sort((a, b) => (a.dueAtMs ?? 0) - (b.dueAtMs ?? 0));
      const workspaces = Map.groupBy(found, ({ workspaceId }) => workspaceId);
      for (const some of workspaces.values())
        for (const { dueAtMs, ...key } of some.slice(0, perWorkspace))
          yield { ...key, dueAtMs: dueAtMs ?? 0 };
    },
    putOff: async ({ kind, workspaceId, id, dueAtMs }, untilMs) =>
      kinds.some(([name, store]) => name === kind && store.putOff({ workspaceId, id }, dueAtMs, untilMs)),
  };
}
