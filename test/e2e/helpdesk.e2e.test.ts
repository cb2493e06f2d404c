// Goal: the whole life of a ticket, as a stranger with a key and a person with a session live it over HTTP: each of them reads
// what it wrote, the webhook hears of each change and its signature is right, and the audit log has one row for each change.
// Method: against the stack MILLRACE_SESSION_FILE names, or else the embedded host at its one origin, whose webhooks are received
// by the test; a deployed stack refuses addresses of this machine.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  type Desk,
  type DeskAnswer,
  deskAt,
  type HookSink,
  shapeProblems,
  startHookSink,
  verifyHook,
  withKey,
  withSession,
} from './desk.ts';
import { hasPerson, isEmbedded, useStack } from './hosts.ts';

/** Functions of a deployed stack start while somebody waits. */
const WITHIN_MS = 600_000;

const { session: current, errors } = useStack(() => ({ sweepIntervalMs: 1_000 }));
let sink: HookSink;
beforeAll(async () => {
  sink = await startHookSink();
});
afterAll(() => sink.close());

const good = (answer: DeskAnswer, status = 200): Readonly<Record<string, unknown>> => {
  expect([answer.status, answer.text.slice(0, 300)]).toEqual([status, expect.any(String)]);
  return answer.body ?? {};
};
const within = <T>(get: () => T) => expect.poll(get, { timeout: WITHIN_MS, interval: 250 });

const SESSION = {
  create: ['POST', '/api/v1/conversations'],
  message: ['POST', '/api/v1/messages'],
  act: '/api/v1/conversations',
} as const;

const WAYS = [
  ['a key, at the helpdesk', 'helpdesk_url', 'key'],
  ['a session, at the helpdesk', 'helpdesk_url', 'session'],
  ['a key, at the one origin', 'origin_url', 'key'],
  ['a session, at the one origin', 'origin_url', 'session'],
] as const;

describe('the life of a ticket', () => {
  const ways = WAYS.filter(
    ([, at, kind]) => (isEmbedded || at === 'helpdesk_url') && (hasPerson || kind === 'key'),
  );
  it.each(ways)('with %s', async (name, at, kind) => {
    const session = current();
    const credential = kind === 'key' ? withKey(session.helpdesk_api_key) : withSession(session.session_jwt);
    const desk = deskAt(session[at], credential);
    const slug = `${at}-${kind}`.replaceAll('_', '-');
    const listened = await desk('POST', '/api/v1/webhooks', { body: { url: `${sink.url}/${slug}` } });
    if (!isEmbedded) expect([listened.status, shapeProblems(listened)]).toEqual([400, []]);
    const email = `${slug}@example.com`;
    const word = `zyx${slug.replaceAll('-', '')}`;
    const id = await open(desk, kind, { email, subject: `Parcel ${word}` });

    await seesItself(desk, kind, { id, email, word });
    const life = await live(desk, kind, id);
    expect(await auditOf(desk, id), name).toEqual(life.map(({ action }) => action));
    if (!isEmbedded) return;
    const { webhook } = good(listened, 201) as { webhook: { id: string; secret: string } };
    await hears(webhook, id, life);
    good(await desk('DELETE', `/api/v1/webhooks/${webhook.id}`));
  });

  it('left no error behind', () => {
    expect(errors).toEqual([]);
  });
});

/** A customer writes: a key opens a ticket, a session a conversation. */
async function open(
  desk: Desk,
  kind: 'key' | 'session',
  { email, subject }: { readonly email: string; readonly subject: string },
): Promise<string> {
  if (kind === 'key') {
    const body = { customer_email: email, customer_name: 'Jane', subject, body: 'Where is it?' };
    return String(good(await desk('POST', '/api/tickets', { body }), 201).ticket_id);
  }
  const body = { customer_email: email, customer_name: 'Jane', subject, message: 'Where is it?' };
  return String(good(await desk(...SESSION.create, { body }), 201).id);
}

/** At once, and with no grace: what was answered is in every list, and found by its words. */
async function seesItself(
  desk: Desk,
  kind: 'key' | 'session',
  { id, email, word }: { readonly id: string; readonly email: string; readonly word: string },
): Promise<void> {
  const idsIn = async (path: string, name: string) =>
    (good(await desk('GET', path))[name] as { id: string }[]).map((one) => one.id);
  expect(await idsIn(`/api/v1/conversations?search=${word}`, 'conversations')).toEqual([id]);
  expect(
    await idsIn(`/api/v1/conversations?search=${word.slice(0, 9).toUpperCase()}`, 'conversations'),
  ).toContain(id);
  expect(await idsIn('/api/v1/conversations?status=new&limit=1', 'conversations')).toEqual([id]);
  expect(await idsIn(`/api/v1/contacts?email=${encodeURIComponent(email)}`, 'contacts')).toHaveLength(1);
  const messages = good(await desk('GET', `/api/v1/messages?ticket_id=${id}`)).messages as object[];
  expect(messages).toMatchObject([{ body: 'Where is it?', direction: 'inbound' }]);
  if (kind === 'key') expect(await idsIn(`/api/tickets?search=${word}`, 'tickets')).toEqual([id]);
  else expect(shapeProblems(await desk('GET', '/api/tickets'))).toEqual([]);
}

interface Step {
  readonly action: string;
  readonly events: readonly string[];
}

/** All that happens to it, and what each thing must leave in the audit log and tell the webhook. */
async function live(desk: Desk, kind: 'key' | 'session', id: string): Promise<readonly Step[]> {
  const base = kind === 'key' ? '/api/tickets' : SESSION.act;
  const steps: Step[] = [{ action: 'ticket.created', events: ['ticket.created', 'message.created'] }];
  const status = async () => good(await desk('GET', `/api/v1/conversations/${id}`)).ticket_status;
  const write = (body: object) => desk(...SESSION.message, { body: { ticket_id: id, ...body } });
  expect(await status()).toBe('pending');

  if (kind === 'key') good(await desk('POST', `${base}/${id}/reply`, { body: { body: 'On its way.' } }));
  else good(await write({ body: 'On its way.' }), 201);
  steps.push({ action: 'ticket.replied', events: ['ticket.replied', 'message.created'] });
  expect(await status()).toBe('sent');

  const wakesAt = new Date(Date.now() + 3_000).toISOString();
  good(await desk('POST', `${base}/${id}/snooze`, { body: { snoozed_until: wakesAt } }));
  steps.push({ action: 'ticket.snoozed', events: ['ticket.snoozed'] });
  // Woken by the sweep, and not by who looks: the log and the webhook hear of it. Emulators of AWS need keep no schedule.
  if (!isEmbedded) good(await desk('DELETE', `${base}/${id}/snooze`));
  await within(async () => (await auditOf(desk, id)).at(-1)).toBe('ticket.unsnoozed');
  steps.push({ action: 'ticket.unsnoozed', events: ['ticket.unsnoozed'] });
  expect(await status()).toBe('pending');

  for (let again = 0; again < 2; again++)
    good(await desk('POST', `${base}/${id}/close`, { body: { reason: 'found' } }));
  steps.push({ action: 'ticket.closed', events: ['ticket.closed'] });
  expect(await status()).toBe('closed');

  good(await write({ body: 'It is broken.', author: 'customer' }), 201);
  steps.push({ action: 'ticket.reopened', events: ['ticket.reopened', 'message.created'] });
  expect(await status()).toBe('pending');

  const messages = good(await desk('GET', `/api/v1/messages?ticket_id=${id}`)).messages as { body: string }[];
  expect(messages.map(({ body }) => body)).toEqual(['Where is it?', 'On its way.', 'It is broken.']);
  await drafts(desk, id);
  return steps;
}

/** Each message of the customer made a run; without a language model each says so. */
async function drafts(desk: Desk, id: string): Promise<void> {
  const runs = async () =>
    good(await desk('GET', `/api/v1/runs?ticket_id=${id}`)).runs as Record<string, unknown>[];
  await within(async () => (await runs()).map(({ status }) => status)).toEqual(['failed', 'failed']);
  const [last] = await runs();
  expect(last).toMatchObject({
    trigger: 'message',
    error: expect.stringMatching(/no AI provider|superseded/),
  });
}

/** Oldest first. */
async function auditOf(desk: Desk, id: string): Promise<readonly string[]> {
  const { entries } = good(await desk('GET', `/api/v1/audit-log?resource_id=${id}`));
  return (entries as { action: string }[]).map(({ action }) => action).reverse();
}

async function hears(
  webhook: { readonly id: string; readonly secret: string },
  id: string,
  life: readonly Step[],
): Promise<void> {
  const ofTicket = () =>
    sink.hooks.filter(({ body }) => [body.data.ticket?.id, body.data.run?.ticket_id].includes(id));
  const expected = [...life.flatMap(({ events }) => events), 'run.failed', 'run.failed'].sort();
  await within(() => [...new Map(ofTicket().map((hook) => [hook.id, hook.type])).values()].sort()).toEqual(
    expected,
  );
  for (const hook of ofTicket()) {
    verifyHook(hook, webhook.secret);
    expect(() => verifyHook({ ...hook, text: `${hook.text} ` }, webhook.secret)).toThrow();
    expect(hook.body.account_id).toBe(current().merchant_id);
  }
}
