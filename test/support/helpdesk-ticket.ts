// A ticket as it is born, for tests that go on from there.
import type { Ticket } from '../../lib/helpdesk/domain/tickets/ticket.ts';

export const BORN_AT_MS = Date.UTC(2026, 10, 20, 12);

export const newTicket = (changes: Partial<Ticket> = {}): Ticket => ({
  id: '019aa2f4-6a10-7000-8000-000000000001',
  workspaceId: 'm_one',
  code: 'TKT-000042',
  subject: 'Where is my order?',
  customerEmail: 'ada@example.com',
  customerName: 'Ada Lovelace',
  contactId: '3b1f2c2e-7f0c-5b0e-9d0a-000000000001',
  priority: 'normal',
  channel: 'api',
  state: 'NEW',
  snoozedUntilMs: null,
  escalatedAtMs: null,
  waitingSinceMs: BORN_AT_MS,
  closedAtMs: null,
  closeReason: null,
  messageCount: 1,
  lastMessageAtMs: BORN_AT_MS,
  createdAtMs: BORN_AT_MS,
  updatedAtMs: BORN_AT_MS,
  ...changes,
});
