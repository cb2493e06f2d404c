// Goal: a reply is mailed once wherever its host dies, and soon after it is up again. Method: replies by e-mail are in flight when
// the host is killed with SIGKILL, its queues with it; all are asked for again with their keys, and the mailbox is counted.
import { setTimeout as wait } from 'node:timers/promises';
import { expect, it } from 'vitest';
import type { Session } from '../../services/local/session.ts';
import { type Desk, deskAt, withKey } from './desk.ts';
import { json, until, useKillableHost } from './hosts.ts';

const REPLIES = 50;
const ACKED_BEFORE_KILL = 20;
/** Against hanging only; what waits for SES's own notice waits 17 minutes. */
const REST_MAX_MS = 480_000;

const host = useKillableHost();

async function start(): Promise<{ readonly session: Session; readonly desk: Desk }> {
  const session = await host.start();
  return { session, desk: patient(deskAt(session.helpdesk_url, withKey(session.helpdesk_api_key))) };
}

/** Asks again where a minute's calls are used up, and where the attempt that died still holds the key. */
const patient =
  (desk: Desk): Desk =>
  async (...asked) => {
    for (;;) {
      const answer = await desk(...asked);
      if (![409, 429, 503].includes(answer.status)) return answer;
      await wait(1_000 * Number(answer.headers.get('retry-after') ?? 1));
    }
  };

async function opened(desk: Desk, n: number): Promise<string> {
  const { status, body, text } = await desk('POST', '/api/v1/conversations', {
    body: {
      subject: `Parcel n${n}q`,
      message: 'Where is it?',
      channel: 'email',
      customer_email: `n${n}@customer.example`,
    },
  });
  if (status !== 201) throw new Error(text);
  return String(body?.id);
}

const reply = (desk: Desk, id: string) =>
  desk('POST', '/api/v1/messages', {
    body: { ticket_id: id, body: 'Soon.' },
    headers: { 'idempotency-key': `reply-${id}` },
  });

it('sends each reply once', { timeout: 3 * REST_MAX_MS }, async () => {
  const first = await start();
  const ids = await Promise.all(Array.from({ length: REPLIES }, (_, n) => opened(first.desk, n)));
  let acked = 0;
  const asking = ids.map(async (id) => {
    const answer = await reply(first.desk, id).catch(() => null);
    if (answer?.status === 201) acked += 1;
  });
  await until(() => acked >= ACKED_BEFORE_KILL, REST_MAX_MS);
  await host.kill();
  await Promise.all(asking);
  const { session, desk } = await start();
  for (const id of ids) expect((await reply(desk, id)).status).toBe(201);
  const statusesOf = async (id: string) => {
    const { body } = await desk('GET', `/api/v1/messages?ticket_id=${id}`);
    const { messages } = body as { messages: { direction: string; mail_status: string | null }[] };
    return messages.filter(({ direction }) => direction === 'outbound').map((one) => one.mail_status);
  };
  // Each look ends at the first that waits: to read all of them every time is most of what the test computes.
  const waiting = [...ids];
  const areSent = async (): Promise<boolean> => {
    for (let id = waiting[0]; id !== undefined; id = waiting[0]) {
      if ((await statusesOf(id)).some((status) => status !== 'sent')) return false;
      waiting.shift();
    }
    return true;
  };
  await until(areSent, REST_MAX_MS, 2_000);
  const statuses = (await Promise.all(ids.map(statusesOf))).flat();
  expect(statuses).toEqual(ids.map(() => 'sent'));
  const { mails } = await json<{ mails: { subject: string }[] }>(
    await fetch(`${session.sandbox_url}/mail/messages`),
  );
  const counts = ids.map((_, n) => mails.filter(({ subject }) => subject.includes(`n${n}q`)).length);
  expect(counts).toEqual(ids.map(() => 1));
});
