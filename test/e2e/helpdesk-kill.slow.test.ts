// Goal: of what the helpdesk acknowledged nothing is lost and nothing is there twice, whenever it dies: messages, tickets,
// contacts, rows of the audit log, drafts, what the webhook hears, and the end of a snooze. Method: clients keep a ledger of every
// request and answer while the host is killed with SIGKILL in the middle of the load, twice, its queues with it; afterwards the
// ledger, the rows and what the receiver got must say the same. A request without an answer may have happened, once.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Session } from '../../services/local/session.ts';
import { runningEmulators } from '../support/emulators.ts';
import {
  type Asked,
  type Desk,
  type DeskAnswer,
  deskAt,
  type HookSink,
  isSigned,
  startHookSink,
  withKey,
} from './desk.ts';
import { until, useKillableHost } from './hosts.ts';

const ROUNDS = 3;
/** Fewer where each message is a request to another program. */
const REQUESTS_PER_ROUND = runningEmulators() === undefined ? 160 : 80;
const CLIENTS = 8;
/** So many credentials that no limit of one is met. */
const KEYS = 12;
/** Against hanging only. */
const REST_MAX_MS = 600_000;
const SNOOZED = 3;

const host = useKillableHost();
let sink: HookSink;
beforeAll(async () => {
  sink = await startHookSink();
});
afterAll(() => sink?.close());

type Kind = 'create' | 'close' | 'reply' | 'note' | 'customer' | 'contact';
interface Entry {
  readonly kind: Kind;
  /** In no other request. */
  readonly token: string;
  readonly ticketId: string | null;
  readonly answer: DeskAnswer | null;
}
interface Message {
  readonly id: string;
  readonly body: string;
  readonly direction: string;
}
interface AuditEntry {
  readonly id: string;
  readonly action: string;
  readonly resource_id: string;
  readonly metadata: { readonly message_id?: string } | null;
}
interface Conversation {
  readonly id: string;
  readonly ticket_code: string;
  readonly subject: string;
  readonly ticket_status: string;
  readonly message_count: number;
}

describe('the helpdesk under kill -9', () => {
  it('loses nothing, doubles nothing, tells everything', { timeout: 3 * REST_MAX_MS }, async () => {
    let session = await host.start();
    const keys = await newKeys(session);
    let desk = rotating(session, keys);
    const secret = await subscribe(desk);
    const hot = await tickets(desk, 'hot', 4);
    const sleepers = await tickets(desk, 'asleep', SNOOZED);
    const ledger: Entry[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      const before = acked(ledger);
      const load = runLoad(desk, { round, hot, ledger });
      if (round < ROUNDS - 1) {
        await until(() => acked(ledger) - before > REQUESTS_PER_ROUND * 0.4, REST_MAX_MS);
        const wakesAtMs = round === 0 ? await snooze(desk, sleepers) : 0;
        await host.kill();
        await load;
        await until(() => Date.now() > wakesAtMs, 30_000);
        session = await host.start();
        desk = rotating(session, keys);
      } else await load;
    }
    const world = await atRest(desk, secret);
    nothingLost(ledger, world);
    nothingDoubled(ledger, world);
    auditedOnce(world);
    toldOnce(world);
    wokenOnce(sleepers, world);
    await found(desk, ledger);
  });
});

/** An answer may not come. */
type Send = (method: string, path: string, asked?: Asked) => Promise<DeskAnswer | null>;

function rotating(session: Session, keys: readonly string[]): Desk {
  const desks = keys.map((key) => deskAt(session.helpdesk_url, withKey(key)));
  let turn = 0;
  return (...asked) => (desks[turn++ % desks.length] as Desk)(...asked);
}

async function newKeys(session: Session): Promise<readonly string[]> {
  const desk = deskAt(session.helpdesk_url, withKey(session.helpdesk_api_key));
  const { api_keys } = await ok<{ api_keys: { scopes: string[] }[] }>(desk, 'GET', '/api/v1/api-keys');
  const made = Array.from({ length: KEYS }, async (_, i) => {
    const body = { name: `key ${i}`, scopes: api_keys[0]?.scopes, environment: 'test' };
    return (await ok<{ secret: string }>(desk, 'POST', '/api/v1/api-keys', { body })).secret;
  });
  return await Promise.all(made);
}

async function ok<T>(desk: Desk, method: string, path: string, asked?: Asked): Promise<T> {
  const { status, text, body } = await desk(method, path, asked);
  if (status >= 300) throw new Error(`${method} ${path}: ${status} ${text.slice(0, 300)}`);
  return body as T;
}

async function subscribe(desk: Desk): Promise<string> {
  const { webhook } = await ok<{ webhook: { secret: string } }>(desk, 'POST', '/api/v1/webhooks', {
    body: { url: sink.url },
  });
  return webhook.secret;
}

const ticketBody = (token: string) => ({
  customer_email: `${token}@example.com`,
  subject: `Parcel ${token}`,
  body: `first ${token}`,
});

const tickets = (desk: Desk, name: string, count: number): Promise<string[]> =>
  Promise.all(
    Array.from({ length: count }, async (_, i) => {
      const made = await ok<{ ticket_id: string }>(desk, 'POST', '/api/tickets', {
        body: ticketBody(`${name}${i}x`),
      });
      return made.ticket_id;
    }),
  );

/** They are over while nobody runs. Returns when. */
async function snooze(desk: Desk, ids: readonly string[]): Promise<number> {
  const untilMs = Date.now() + 12_000;
  const body = { snoozed_until: new Date(untilMs).toISOString() };
  await Promise.all(ids.map((id) => ok(desk, 'POST', `/api/tickets/${id}/snooze`, { body })));
  return untilMs;
}

const acked = (ledger: readonly Entry[]): number => ledger.filter(isAcked).length;
const isAcked = ({ answer }: Entry): boolean => answer !== null && answer.status < 300;

interface Load {
  readonly round: number;
  /** Tickets that all clients write at once. */
  readonly hot: readonly string[];
  readonly ledger: Entry[];
}

/** Ends early where the host does. */
async function runLoad(desk: Desk, { round, hot, ledger }: Load): Promise<void> {
  const send: Send = (method, path, asked) => desk(method, path, asked).catch(() => null);
  let next = 0;
  const client = async (): Promise<void> => {
    let mine: string | null = null;
    for (let i = next++; i < REQUESTS_PER_ROUND; i = next++) {
      const token = `r${round}n${i}q`;
      const kind = KINDS[i % KINDS.length] as Kind;
      // A ticket is closed once, by who opened it: then one right number of rows exists.
      if (kind === 'close' && mine === null) continue;
      const ticketId: string = (kind === 'close' ? mine : hot[i % hot.length]) ?? '';
      const answer = await request(send, kind, token, ticketId);
      const isNew = kind === 'create' || kind === 'contact';
      ledger.push({ kind, token, ticketId: isNew ? null : ticketId, answer });
      if (answer === null) return;
      if (kind === 'create' && answer.status === 201) mine = String(answer.body?.ticket_id);
      if (kind === 'close') mine = null;
    }
  };
  await Promise.all(Array.from({ length: CLIENTS }, client));
}

const KINDS: readonly Kind[] = [
  'create',
  'reply',
  'customer',
  'contact',
  'note',
  'create',
  'close',
  'customer',
  'close',
];

function request(send: Send, kind: Kind, token: string, ticketId: string): Promise<DeskAnswer | null> {
  switch (kind) {
    case 'create':
      return send('POST', '/api/tickets', { body: ticketBody(token) });
    case 'close':
      return send('POST', `/api/tickets/${ticketId}/close`, { body: { reason: token } });
    case 'reply':
      return send('POST', `/api/tickets/${ticketId}/reply`, { body: { body: token } });
    case 'contact':
      return send('POST', '/api/contacts', { body: { email: `c${token}@example.com`, name: token } });
    case 'note':
      return send('POST', '/api/v1/messages', {
        body: { ticket_id: ticketId, body: token, internal_note: true },
      });
    case 'customer':
      return send('POST', '/api/v1/messages', {
        body: { ticket_id: ticketId, body: token, author: 'customer' },
      });
  }
}

interface World {
  readonly conversations: readonly Conversation[];
  readonly messages: readonly Message[];
  readonly audit: readonly AuditEntry[];
  readonly emails: readonly string[];
  readonly runs: readonly { readonly status: string; readonly trigger_message_id: string }[];
}

/** A page may be shorter than was asked for: what a list names and nobody has any more is left out of it. */
async function pages<T>(desk: Desk, path: string, name: string): Promise<readonly T[]> {
  const rows: T[] = [];
  for (let offset = 0; ; offset += 100) {
    const page: Record<string, unknown> = await ok(desk, 'GET', `${path}limit=100&offset=${offset}`);
    rows.push(...(page[name] as T[]));
    if (offset + 100 >= Number(page.total)) return rows;
  }
}

/** All there is, once no run and no delivery is open any more, and each event was heard. */
async function atRest(desk: Desk, secret: string): Promise<World> {
  const conversations = await pages<Conversation>(desk, '/api/v1/conversations?', 'conversations');
  const messages: Message[] = [];
  for (const { id } of conversations)
    messages.push(...(await pages<Message>(desk, `/api/v1/messages?ticket_id=${id}&`, 'messages')));
  const runs = () => pages<World['runs'][number]>(desk, '/api/v1/runs?', 'runs');
  const inbound = messages.filter(({ direction }) => direction === 'inbound').length;
  // After a kill a message's outbox may still be due: its run is made by the sweep. A missing one is named by `nothingDoubled`.
  const ran = async (): Promise<boolean> => {
    const all = await runs();
    const open = all.filter(({ status }) => status === 'pending' || status === 'running');
    return open.length === 0 && all.length >= inbound;
  };
  await until(ran, REST_MAX_MS, 2_000).catch(() => undefined);
  const contacts = await pages<{ email: string }>(desk, '/api/v1/contacts?', 'contacts');
  const audit = await pages<AuditEntry>(desk, '/api/v1/audit-log?', 'entries');
  const world = {
    conversations,
    messages,
    audit,
    runs: await runs(),
    emails: contacts.map(({ email }) => email),
  };
  // What is still missing then is named by `toldOnce`.
  await until(() => missedHooks(world).length === 0, REST_MAX_MS).catch(() => undefined);
  for (const hook of sink.hooks) expect(isSigned(hook, secret)).toBe(true);
  return world;
}

function nothingLost(ledger: readonly Entry[], { messages, conversations, emails }: World): void {
  expect(acked(ledger)).toBeGreaterThan(REQUESTS_PER_ROUND);
  const refused = ledger.filter((entry) => entry.answer !== null && !isAcked(entry));
  expect(refused.map(({ kind, answer }) => [kind, answer?.status, answer?.text])).toEqual([]);
  const bodies = new Set(messages.map(({ body }) => body));
  const subjects = new Set(conversations.map(({ subject }) => subject));
  for (const { kind, token, ticketId } of ledger.filter(isAcked)) {
    if (kind === 'create') expect([...subjects], token).toContain(`Parcel ${token}`);
    if (kind === 'create') expect([...bodies], token).toContain(`first ${token}`);
    if (['reply', 'note', 'customer'].includes(kind)) expect([...bodies], token).toContain(token);
    if (kind === 'contact') expect(emails, token).toContain(`c${token}@example.com`);
    if (kind === 'close')
      expect(conversations.find(({ id }) => id === ticketId)?.ticket_status, token).toBe('closed');
  }
}

const twice = (all: readonly string[]): readonly string[] => all.filter((one, i) => all.indexOf(one) !== i);

function nothingDoubled(ledger: readonly Entry[], { messages, conversations, emails, runs }: World): void {
  const mine = new Set(ledger.flatMap(({ token }) => [token, `first ${token}`]));
  expect(twice(messages.map(({ body }) => body).filter((body) => mine.has(body)))).toEqual([]);
  expect(twice(messages.map(({ id }) => id))).toEqual([]);
  expect(twice(conversations.map(({ id }) => id))).toEqual([]);
  expect(twice(conversations.map(({ ticket_code: code }) => code))).toEqual([]);
  expect(twice(emails)).toEqual([]);
  const inbound = messages.filter(({ direction }) => direction === 'inbound').map(({ id }) => id);
  expect(runs.map(({ trigger_message_id: id }) => id).sort()).toEqual(inbound.sort());
  const count = (id: string) =>
    messages.filter((one) => (one as Message & { ticket_id: string }).ticket_id === id).length;
  for (const { id, message_count: counted } of conversations) expect([id, counted]).toEqual([id, count(id)]);
}

function auditedOnce({ audit, messages, conversations, emails }: World): void {
  expect(twice(audit.map(({ id }) => id))).toEqual([]);
  const of = (action: string) =>
    audit.filter((entry) => entry.action === action).map((entry) => entry.resource_id);
  expect(of('ticket.created').sort()).toEqual(conversations.map(({ id }) => id).sort());
  const withMessage = audit.flatMap(({ metadata }) => metadata?.message_id ?? []);
  expect(withMessage.sort()).toEqual(messages.map(({ id }) => id).sort());
  const closed = conversations.filter(({ ticket_status: status }) => status === 'closed').map(({ id }) => id);
  expect(of('ticket.closed').sort()).toEqual(closed.sort());
  // A contact whose ticket made it has no entry of its own.
  const contacts = new Set(of('contact.created'));
  expect(contacts.size).toBe(of('contact.created').length);
  expect(contacts.size).toBeLessThanOrEqual(emails.length);
}

/** What each event is about → the ids it was told with. */
function heard(): ReadonlyMap<string, ReadonlySet<string>> {
  const about = new Map<string, Set<string>>();
  for (const { id, type, body } of sink.hooks) {
    const subject = String(
      body.data.message?.id ?? body.data.run?.id ?? body.data.ticket?.id ?? body.data.contact?.id,
    );
    const name = `${type} ${subject}`;
    about.set(name, (about.get(name) ?? new Set()).add(id));
  }
  return about;
}

/** Of what was committed since the webhook was; newest first. */
function expectedHooks({ messages, audit }: World): readonly string[] {
  const ours = audit.slice(
    0,
    audit.findIndex(({ action }) => action === 'webhook.created'),
  );
  const ids = new Set(ours.flatMap(({ metadata }) => metadata?.message_id ?? []));
  return [
    ...messages.filter(({ id }) => ids.has(id)).map(({ id }) => `message.created ${id}`),
    ...ours
      .filter(({ action }) => action === 'ticket.closed')
      .map((entry) => `ticket.closed ${entry.resource_id}`),
    ...ours
      .filter(({ action }) => action === 'contact.created')
      .map((entry) => `contact.created ${entry.resource_id}`),
  ];
}

function missedHooks(world: World): readonly string[] {
  const told = heard();
  return expectedHooks(world).filter((name) => !told.has(name));
}

function toldOnce(world: World): void {
  expect(missedHooks(world)).toEqual([]);
  expect(expectedHooks(world).length).toBeGreaterThan(REQUESTS_PER_ROUND / 2);
  // Told again is told with the same id and the same words.
  const several = [...heard()].filter(([, ids]) => ids.size > 1);
  expect(several.map(([name]) => name)).toEqual([]);
  const words = new Map<string, string>();
  for (const { id, text } of sink.hooks) {
    expect(words.get(id) ?? text, id).toBe(text);
    words.set(id, text);
  }
}

function wokenOnce(sleepers: readonly string[], { audit, conversations }: World): void {
  for (const id of sleepers) {
    expect(conversations.find((one) => one.id === id)?.ticket_status).toBe('pending');
    expect(
      audit.filter((entry) => entry.resource_id === id && entry.action === 'ticket.unsnoozed'),
    ).toHaveLength(1);
    expect(heard().get(`ticket.unsnoozed ${id}`)?.size).toBe(1);
  }
}

async function found(desk: Desk, ledger: readonly Entry[]): Promise<void> {
  const created = ledger.filter((entry) => entry.kind === 'create' && isAcked(entry));
  for (const { token, answer } of created) {
    const { conversations } = await ok<{ conversations: Conversation[] }>(
      desk,
      'GET',
      `/api/v1/conversations?search=${token}`,
    );
    expect(
      conversations.map(({ id }) => id),
      token,
    ).toEqual([answer?.body?.ticket_id]);
  }
}
