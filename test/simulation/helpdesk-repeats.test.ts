// Goal: whoever repeats a request with its Idempotency-Key makes nothing twice, wherever the first attempt died and however late
// it goes on; the answer is the same each time, and another body is refused; and a checker that finds it out where it is not so.
import { beforeAll, describe, expect, it } from 'vitest';
import type { Desk } from '../contract/helpdesk-host.ts';
import { openRepeats, type Repeated, type RepeatMutant } from './helpdesk-repeats.ts';

const ticket = (desk: Desk): Promise<string> => desk.ticket();
async function webhook(desk: Desk): Promise<string> {
  const { body } = await desk.ask('GET', '/api/webhooks');
  return (body as { webhooks: { id: string }[] }).webhooks[0]?.id ?? '';
}
const message = { ticket_id: ':id', body: 'Hello' };
const opened = { subject: 'Order 7', customer_email: 'ada@example.com', customer_name: 'Ada Lovelace' };

const REQUESTS: Readonly<Record<string, Repeated>> = {
  'open a ticket': { path: '/api/tickets', body: { ...opened, body: 'Where is it?' } },
  'open a conversation': { path: '/api/v1/conversations', body: { ...opened, message: 'Where is it?' } },
  reply: { path: '/api/tickets/:id/reply', body: { body: 'Hello' }, before: ticket },
  note: { path: '/api/tickets/:id/reply', body: { body: 'psst', public: false }, before: ticket },
  message: { path: '/api/v1/messages', body: message, before: ticket },
  'message of the customer': {
    path: '/api/v1/messages',
    body: { ...message, author: 'customer' },
    before: ticket,
  },
  close: { path: '/api/tickets/:id/close', body: { reason: 'done' }, before: ticket },
  'create a contact': { path: '/api/v1/contacts', body: { email: 'ada@example.com', name: 'Ada' } },
  'write a contact': { path: '/api/contacts', body: { email: 'ada@example.com', name: 'Ada' } },
  'ingest an article': { path: '/api/knowledge/ingest', body: { title: 'Parcels', content: 'They arrive.' } },
  'create a webhook': { path: '/api/v1/webhooks', body: { url: 'https://other.example/' } },
  'rotate a secret': { path: '/api/v1/webhooks/:id/rotate-secret', body: {}, before: webhook },
  'ask for a draft': { path: '/api/v1/runs', body: { ticket_id: ':id' }, before: ticket },
  'record an entry': { path: '/api/v1/audit-log', body: { action: 'settings.saved' } },
};

let repeatAtEveryPoint: Awaited<ReturnType<typeof openRepeats>>;
beforeAll(async () => {
  repeatAtEveryPoint = await openRepeats();
});

describe('a request that is repeated with its key', () => {
  it.each(Object.entries(REQUESTS))('is done once: %s', async (_name, request) => {
    const { points, findings } = await repeatAtEveryPoint(request);
    expect(findings.slice(0, 5)).toEqual([]);
    expect(points).toBeGreaterThanOrEqual(18);
  });
});

const MUTANTS: Readonly<Record<string, readonly [request: keyof typeof REQUESTS, RepeatMutant]>> = {
  'each attempt has a root of its own': [
    'open a ticket',
    (stores) => ({
      ...stores,
      idempotency: {
        ...stores.idempotency,
        begin: async (id, claim, nowMs) => {
          const begun = await stores.idempotency.begin(id, claim, nowMs);
          return 'idRoot' in begun ? { idRoot: claim.holder } : begun;
        },
      },
    }),
  ],
  'a message is not looked for': [
    'message',
    (stores) => ({ ...stores, messages: { ...stores.messages, readMessage: async () => null } }),
  ],
  'a ticket is not found that an attempt left': [
    'open a conversation',
    (stores) => ({
      ...stores,
      tickets: {
        ...stores.tickets,
        put: async (next, expected) => {
          const found = await stores.tickets.read(next.record.workspaceId, next.record.id);
          return await stores.tickets.put(next, found?.version ?? expected);
        },
      },
    }),
  ],
};

describe('the checker finds', () => {
  it.each(Object.entries(MUTANTS))('that %s', async (_name, [request, mutant]) => {
    const { findings } = await repeatAtEveryPoint(REQUESTS[request] as Repeated, mutant);
    expect(findings.length).toBeGreaterThan(0);
  });
});
