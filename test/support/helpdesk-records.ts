// Records of the helpdesk as tests need them, and their ids in the order of time.
import { randomUUID } from 'node:crypto';
import type { Account } from '#lib/helpdesk/domain/account/account.ts';
import type { Contact } from '#lib/helpdesk/domain/contacts/contact.ts';
import type { OutboundMail } from '#lib/helpdesk/domain/mail/mail.ts';
import type { OutboxEntry, Stored } from '#lib/helpdesk/domain/outbox.ts';
import type { Run } from '#lib/helpdesk/domain/runs/run.ts';
import type { Message } from '#lib/helpdesk/domain/tickets/message.ts';
import type { Ticket } from '#lib/helpdesk/domain/tickets/ticket.ts';
import type { Delivery } from '#lib/helpdesk/domain/webhooks/delivery.ts';
import type { Webhook } from '#lib/helpdesk/domain/webhooks/webhook.ts';
import type { HelpdeskStores } from '#lib/helpdesk/ports/stores.ts';
import { newTicket } from './helpdesk-ticket.ts';

/** `open`: the stores, of which each test takes a workspace of its own. */
export type OpenStores = () => Promise<HelpdeskStores>;

/** Puts many tickets that are not there. */
export type FillTickets = (tickets: readonly Stored<Ticket>[]) => Promise<void>;

/** With letters that sort and count differently by code unit, code point and byte. */
export const newWorkspace = (): string => `m#ß😀-${randomUUID()}`;

/** The n-th of ids in the order of time. */
export const idAt = (n: number): string => `019a${String(n).padStart(4, '0')}-0000-7000-8000-000000000000`;

export const ticketOf = (workspaceId: string, n: number, changes: Partial<Ticket> = {}): Ticket =>
  newTicket({ id: idAt(n), workspaceId, ...changes });

export const stored = <R>(
  record: R,
  {
    version = 1,
    outbox = [],
    dueAtMs = null,
    timerAtMs,
  }: {
    readonly version?: number;
    readonly outbox?: readonly OutboxEntry[];
    readonly dueAtMs?: number | null;
    readonly timerAtMs?: number;
  } = {},
): Stored<R> => ({ record, version, outbox, dueAtMs, ...(timerAtMs === undefined ? {} : { timerAtMs }) });

export const contactOf = (workspaceId: string, id: string, createdAtMs: number): Contact => ({
  id,
  workspaceId,
  email: `${id}@example.org`,
  name: null,
  firstname: null,
  lastname: null,
  company: null,
  phone: null,
  metadata: '{}',
  createdAtMs,
  updatedAtMs: createdAtMs,
});

export const messageOf = (workspaceId: string, ticketId: string, n: number, body = `text ${n}`): Message => ({
  id: idAt(n),
  workspaceId,
  ticketId,
  body,
  isInternal: false,
  direction: 'inbound',
  author: { type: 'customer', id: null, name: null },
  createdAtMs: n,
});

export const runOf = (workspaceId: string, n: number, changes: Partial<Run> = {}): Run => ({
  id: idAt(n),
  workspaceId,
  ticketId: idAt(1),
  status: 'pending',
  kind: 'draft_reply',
  trigger: 'message',
  triggerMessageId: null,
  provider: null,
  model: null,
  noteId: idAt(9_000 + n),
  outputMessageId: null,
  citations: [],
  error: null,
  usage: null,
  attempts: 0,
  leaseUntilMs: null,
  createdAtMs: n,
  startedAtMs: null,
  completedAtMs: null,
  ...changes,
});

export const deliveryOf = (workspaceId: string, webhookId: string, n: number): Delivery => ({
  id: `${idAt(n)}.${webhookId}`,
  workspaceId,
  webhookId,
  eventId: idAt(n),
  type: 'ticket.created',
  payload: '{}',
  status: 'pending',
  attempts: 0,
  lastStatus: null,
  lastError: null,
  lastLatencyMs: null,
  nextAttemptAtMs: n,
  createdAtMs: Date.UTC(2026, 10, 20),
  updatedAtMs: n,
});

export const mailOf = (
  workspaceId: string,
  n: number,
  changes: Partial<OutboundMail> = {},
): OutboundMail => ({
  id: idAt(n),
  workspaceId,
  ticketId: idAt(1),
  status: 'pending',
  attempts: 0,
  providerId: null,
  error: null,
  leaseUntilMs: null,
  createdAtMs: 1,
  updatedAtMs: 1,
  ...changes,
});

/** `config`: JSON text. */
export const accountOf = (workspaceId: string, config = '{}'): Account => ({
  id: workspaceId,
  workspaceId,
  name: 'Shop',
  defaultLanguage: 'en',
  defaultTimezone: 'UTC',
  config,
  createdAtMs: 1,
  updatedAtMs: 1,
});

export const webhookOf = (id: string, events: readonly string[] = ['*'], active = true): Webhook => ({
  id,
  url: 'https://example.com/hook',
  events,
  description: null,
  active,
  disabledReason: null,
  secrets: [],
  createdAtMs: 0,
  updatedAtMs: 0,
});

/** Some at a time, as many as are asked for. */
export async function inChunks<T>(items: readonly T[], write: (item: T) => Promise<unknown>): Promise<void> {
  for (let at = 0; at < items.length; at += 100) await Promise.all(items.slice(at, at + 100).map(write));
}
