// One sample of every kind of item of the helpdesk. A new kind gets a line here, and `npm run golden` its file.
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { readAnyItem } from '#lib/adapters/dynamodb/helpdesk/any-item.ts';
import { createHelpdeskStores } from '#lib/adapters/dynamodb/helpdesk/helpdesk-stores.ts';
import type { HelpdeskAuditEntry } from '#lib/helpdesk/domain/audit/entry.ts';
import { NO_JOB_COUNTS } from '#lib/helpdesk/domain/job.ts';
import type { OutboxEntry } from '#lib/helpdesk/domain/outbox.ts';
import type { Message } from '#lib/helpdesk/domain/tickets/message.ts';
import type { HelpdeskStores } from '#lib/helpdesk/ports/stores.ts';
import { deliveryOf, idAt, messageOf, runOf, stored } from '#test/support/helpdesk-records.ts';
import { BORN_AT_MS as AT, newTicket } from '../../support/helpdesk-ticket.ts';
import type { Golden } from './golden-files.ts';

const WS = '8f14e45f-ceea-467f-a111-00000000f0f0';
const TICKET = newTicket({ workspaceId: WS });
const CONTACT = TICKET.contactId ?? '';
const HOOK = idAt(70);

const MESSAGE: Message = {
  ...messageOf(WS, TICKET.id, 1, 'Wo ist mein Päckchen? 📦 \u0001'),
  author: { type: 'customer', id: CONTACT, name: 'Ada Lovelace' },
};

const AUDIT: HelpdeskAuditEntry = {
  id: idAt(2),
  workspaceId: WS,
  atMs: AT,
  action: 'ticket.created',
  actor: { type: 'api_key', id: 'key_1', label: 'key:key_1' },
  source: 'server',
  resourceType: 'ticket',
  resourceId: TICKET.id,
  changes: '{"status":{"from":null,"to":"new"}}',
  metadata: null,
  ip: '203.0.113.7',
  userAgent: null,
  requestId: 'request-1',
};

const EVERY_ENTRY: readonly OutboxEntry[] = [
  { kind: 'message', message: MESSAGE },
  { kind: 'audit', entry: AUDIT },
  {
    kind: 'search',
    type: 'ticket',
    recordId: TICKET.id,
    version: 1,
    add: ['tkt', '000042', 'päckchen'],
    remove: ['late'],
  },
  {
    kind: 'event',
    event: { id: idAt(3), type: 'ticket.created', atMs: AT, version: 1, data: '{"ticket":{}}' },
  },
  { kind: 'contact', email: 'ada@example.com', name: null, ticketId: TICKET.id, atMs: AT },
  {
    kind: 'run',
    runId: idAt(4),
    noteId: idAt(5),
    ticketId: TICKET.id,
    trigger: 'message',
    messageId: MESSAGE.id,
    atMs: AT,
  },
  { kind: 'mail', messageId: MESSAGE.id, ticketId: TICKET.id, atMs: AT },
  { kind: 'erase', contactId: CONTACT, email: 'ada@example.com', atMs: AT },
];

const TIMES = { createdAtMs: AT, updatedAtMs: AT };

type Write = (stores: HelpdeskStores) => Promise<unknown>;

const WRITES: Readonly<Record<string, Write>> = {
  ticket: (stores) =>
    stores.tickets.put(
      stored(TICKET, { outbox: EVERY_ENTRY, dueAtMs: AT + 60_000, timerAtMs: AT + 90_000 }),
      null,
    ),
  'ticket-settled': (stores) =>
    stores.tickets.put(stored({ ...TICKET, state: 'DONE', waitingSinceMs: null }, { version: 7 }), 6),
  contact: (stores) =>
    stores.contacts.put(
      stored({
        id: CONTACT,
        workspaceId: WS,
        email: 'ada@example.com',
        name: 'Ada Lovelace',
        firstname: 'Ada',
        lastname: 'Lovelace',
        company: null,
        phone: '+44 20 7946 0000',
        metadata: '{"list":"beta"}',
        mailStopped: { atMs: AT, reason: 'bounced' },
        ...TIMES,
      }),
      null,
    ),
  article: (stores) =>
    stores.articles.put(
      stored({
        id: idAt(20),
        workspaceId: WS,
        title: 'How to return an order',
        slug: 'how-to-return-an-order',
        content: 'Within 30 days.',
        excerpt: null,
        tags: ['returns'],
        status: 'published',
        publishedAtMs: AT,
        ...TIMES,
      }),
      null,
    ),
  account: (stores) =>
    stores.accounts.put(
      stored({
        id: WS,
        workspaceId: WS,
        name: 'Shop',
        defaultLanguage: 'en',
        defaultTimezone: 'UTC',
        config: '{"ticket_prefix":"ABC"}',
        ...TIMES,
      }),
      null,
    ),
  webhooks: (stores) =>
    stores.webhooks.put(
      stored({
        id: WS,
        workspaceId: WS,
        webhooks: [
          {
            id: HOOK,
            url: 'https://example.com/hook',
            events: ['*'],
            description: null,
            active: false,
            disabledReason: 'failing',
            secrets: [{ sealed: 'v1.sealed', hint: 'abcd', expiresAtMs: null }],
            judgedFromMs: AT,
            ...TIMES,
          },
        ],
      }),
      null,
    ),
  run: (stores) =>
    stores.runs.put(
      stored(
        runOf(WS, 30, {
          status: 'completed',
          citations: [{ articleId: idAt(20), title: 'How to return an order', score: 0.5 }],
          usage: { inputTokens: 10, outputTokens: 5 },
        }),
      ),
      1,
    ),
  delivery: (stores) => stores.deliveries.put(stored(deliveryOf(WS, HOOK, 40), { dueAtMs: AT }), null),
  mail: (stores) =>
    stores.mails.put(
      stored(
        {
          id: MESSAGE.id,
          workspaceId: WS,
          ticketId: TICKET.id,
          status: 'pending',
          attempts: 0,
          providerId: null,
          error: null,
          leaseUntilMs: null,
          ...TIMES,
        },
        { dueAtMs: AT + 60_000 },
      ),
      null,
    ),
  job: (stores) =>
    stores.jobs.put(
      stored(
        {
          id: `erase.${CONTACT}`,
          workspaceId: WS,
          kind: 'erase',
          status: 'running',
          contactId: CONTACT,
          email: 'ada@example.com',
          phase: 'tickets',
          cursor: null,
          pass: 0,
          counts: NO_JOB_COUNTS,
          leaseUntilMs: null,
          completedAtMs: null,
          ...TIMES,
        },
        { dueAtMs: AT + 60_000 },
      ),
      null,
    ),
  message: (stores) => stores.messages.putMessage(MESSAGE),
  'message-by-mail': (stores) =>
    stores.messages.putMessage({
      ...MESSAGE,
      mail: { messageId: '<a@b.example>', originalKey: 'inbound/1' },
    }),
  audit: (stores) => stores.audit.append(AUDIT),
  token: (stores) => stores.search.change(WS, { ...TOKENS, add: ['päckchen'], remove: [] }),
  'token-taken-away': (stores) => stores.search.change(WS, { ...TOKENS, add: [], remove: ['päckchen'] }),
  'run-of-a-ticket': (stores) => stores.runs.put(stored(runOf(WS, 31)), null),
  'ticket-of-a-contact': (stores) => stores.contactTickets.link(WS, CONTACT, TICKET.id),
  'number-of-tickets': (stores) => stores.codes.next(WS),
  slug: (stores) => stores.slugs.claim(WS, 'how-to-return-an-order', idAt(20)),
  thread: (stores) => stores.threads.remember(WS, '<a@b.example>', TICKET.id),
  'mail-put-aside': (stores) =>
    stores.setAside.put({
      id: idAt(50),
      workspaceId: WS,
      reason: 'bulk',
      from: { address: 'news@mailer.example', name: 'Lamps Weekly' },
      customerEmail: 'ada@example.com',
      subject: 'Neues über Lampen',
      receivedAtMs: AT,
      originalKey: 'inbound/2',
      answersTicketId: TICKET.id,
      ticketId: null,
    }),
  health: (stores) =>
    stores.health.putHealth(WS, HOOK, {
      failingSinceMs: AT,
      lastSuccessAtMs: null,
      lastFailureAtMs: AT,
      restUntilMs: AT + 30_000,
    }),
};

const TOKENS = { type: 'ticket', recordId: TICKET.id, version: 4 } as const;

export async function writtenHelpdeskItems(about: string): Promise<readonly Golden[]> {
  const golden: Golden[] = [];
  for (const [name, write] of Object.entries(WRITES)) {
    const item = await firstItem(write);
    golden.push({ name, about, item, reads: readAnyItem(item) });
  }
  return golden;
}

interface Sent {
  readonly input: {
    readonly Item?: Record<string, unknown>;
    readonly Key?: Record<string, unknown>;
    readonly UpdateExpression?: string;
    readonly ExpressionAttributeValues?: Record<string, unknown>;
  };
}

/** What the first write of a store leaves, without a table. */
async function firstItem(write: Write): Promise<Record<string, unknown>> {
  let first: Record<string, unknown> | undefined;
  const send = async ({ input }: Sent): Promise<object> => {
    const { Item, Key, UpdateExpression: expression = '', ExpressionAttributeValues: values = {} } = input;
    const set = [...expression.matchAll(/(\w+) (?:= )?(:\w+)/g)];
    const changed = Object.fromEntries(set.map(([, attribute, value]) => [attribute, values[value ?? '']]));
    first ??= Item ?? { ...Key, ...changed };
    return { Attributes: changed };
  };
  const db = { send } as unknown as DynamoDBDocumentClient;
  const tables = { table: 'helpdesk', auditTable: 'helpdesk-audit' };
  await write(
    createHelpdeskStores(
      db,
      tables,
      () => AT,
      () => {},
    ),
  );
  // A nonce is another one with each write.
  return first?.w === undefined ? (first ?? {}) : { ...first, w: 'nonce' };
}
