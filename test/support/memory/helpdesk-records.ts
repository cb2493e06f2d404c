// Records of one kind in memory, under the conditions a table keeps.
import type { Account } from '#lib/helpdesk/domain/account/account.ts';
import type { DueKind } from '#lib/helpdesk/domain/account/due-kind.ts';
import { UnreadableRecord } from '#lib/helpdesk/domain/account/unreadable-record.ts';
import type { Article } from '#lib/helpdesk/domain/articles/article.ts';
import type { Contact } from '#lib/helpdesk/domain/contacts/contact.ts';
import type { Job } from '#lib/helpdesk/domain/job.ts';
import type { OutboundMail } from '#lib/helpdesk/domain/mail/mail.ts';
import type { Stored } from '#lib/helpdesk/domain/outbox.ts';
import type { Run } from '#lib/helpdesk/domain/runs/run.ts';
import type { Ticket } from '#lib/helpdesk/domain/tickets/ticket.ts';
import type { Delivery } from '#lib/helpdesk/domain/webhooks/delivery.ts';
import type { WebhookList } from '#lib/helpdesk/domain/webhooks/webhook.ts';
import type { RecordStore } from '#lib/helpdesk/ports/stores.ts';
import { frozenCopy } from './frozen-copy.ts';

interface Named {
  readonly id: string;
  readonly workspaceId: string;
}

export interface MemoryRecords<R> extends RecordStore<R> {
  /** All of a workspace, or of every one, in no order. */
  all(workspaceId?: string): readonly Stored<R>[];
  /** Has it due at `untilMs` where it was due at `seenMs`. */
  putOff(key: Named, seenMs: number, untilMs: number): boolean;
  /** From now on it cannot be read. */
  spoil(key: Named): void;
}

export function createMemoryRecords<R extends Named>(kind: DueKind): MemoryRecords<R> {
  const workspaces = new Map<string, Map<string, Stored<R>>>();
  const get = (workspaceId: string, id: string): Stored<R> | null =>
    workspaces.get(workspaceId)?.get(id) ?? null;
  const set = (stored: Stored<R>): void => {
    const { workspaceId, id } = stored.record;
    const records = workspaces.get(workspaceId) ?? new Map<string, Stored<R>>();
    workspaces.set(workspaceId, records.set(id, frozenCopy(withoutNoTimer(stored))));
  };
  const spoiled = new Set<string>();
  const nameOf = ({ workspaceId, id }: Named): string => JSON.stringify([workspaceId, id]);
  return {
    putOff: ({ workspaceId, id }, seenMs, untilMs) => {
      const stored = get(workspaceId, id);
      if (stored === null || stored.dueAtMs !== seenMs) return false;
      set({ ...stored, dueAtMs: untilMs });
      return true;
    },
    spoil: (key) => void spoiled.add(nameOf(key)),

    all: (workspaceId) =>
      workspaceId === undefined
        ? [...workspaces.values()].flatMap((records) => [...records.values()])
        : [...(workspaces.get(workspaceId)?.values() ?? [])],

    read: async (workspaceId, id) => {
      if (spoiled.has(nameOf({ workspaceId, id })))
        throw new UnreadableRecord(kind, { workspaceId, id }, 'spoiled');
      return get(workspaceId, id);
    },

    readMany: async (workspaceId, ids) =>
      ids.flatMap((id) => (spoiled.has(nameOf({ workspaceId, id })) ? [] : (get(workspaceId, id) ?? []))),

    put: async (stored, expected) => {
      const { workspaceId, id } = stored.record;
      if ((get(workspaceId, id)?.version ?? null) !== expected) return false;
      set(stored);
      return true;
    },

    settle: async ({ workspaceId, id }, version, dueAtMs) => {
      const stored = get(workspaceId, id);
      if (stored?.version !== version) return false;
      set({ ...stored, outbox: [], dueAtMs });
      return true;
    },

    remove: async ({ workspaceId, id }, version) => {
      if (get(workspaceId, id)?.version !== version) return false;
      return workspaces.get(workspaceId)?.delete(id) ?? false;
    },
  };
}

/** The stores of records alone. */
export function memoryHelpdeskRecords() {
  return {
    tickets: createMemoryRecords<Ticket>('ticket'),
    contacts: createMemoryRecords<Contact>('contact'),
    articles: createMemoryRecords<Article>('article'),
    accounts: createMemoryRecords<Account>('account'),
    webhooks: createMemoryRecords<WebhookList>('webhooks'),
    runs: createMemoryRecords<Run>('run'),
    deliveries: createMemoryRecords<Delivery>('delivery'),
    mails: createMemoryRecords<OutboundMail>('mail'),
    jobs: createMemoryRecords<Job>('job'),
  };
}

/** No timer is an absent one, as in the table. */
function withoutNoTimer<R>({ timerAtMs = null, ...stored }: Stored<R>): Stored<R> {
  return timerAtMs === null ? stored : { ...stored, timerAtMs };
}
