// What a shop and an operator ask of a release.
import { GetQueueAttributesCommand, GetQueueUrlCommand, SQSClient } from '@aws-sdk/client-sqs';
import { expect } from 'vitest';
import type { Session } from '#services/local/session.ts';
import { deskAt, withKey } from '../desk.ts';
import { allEvents, api, connectedPlatforms, json, purchase, send, until } from '../hosts.ts';

/** Against hanging only. */
export const WITHIN_MS = 600_000;

export interface Row {
  readonly event_id: string;
  readonly deliveries: readonly { readonly platform: string; readonly status: string }[];
}

async function ask<T>(
  { api_url, session_jwt }: Session,
  method: string,
  path: string,
  body?: unknown,
): Promise<T> {
  const headers = { authorization: `Bearer ${session_jwt}`, 'content-type': 'application/json' };
  const sent = body === undefined ? {} : { body: JSON.stringify(body) };
  return await json<T>(await fetch(api_url + path, { method, headers, ...sent }));
}

export async function turn(session: Session, platform: string, status: 'paused' | 'active'): Promise<void> {
  const all = await connectedPlatforms(session);
  const id = all.find((one) => one.platform === platform)?.id;
  await ask(session, 'PATCH', `/v1/platforms/${id}`, { status });
}

/** Undefined: the event is not for it. */
export const fateAt = ({ deliveries }: Row, slug: string): string | undefined =>
  deliveries.find(({ platform }) => platform === slug)?.status;

const OPEN = ['QUEUED', 'SENDING', 'RETRY'];

/** Every event, once each delivery that was begun at these platforms has a final state. */
export async function settled(session: Session, platforms: readonly string[]): Promise<readonly Row[]> {
  for (const slug of platforms)
    for (const status of OPEN) {
      const path = `/v1/deliveries?platform=${slug}&status=${status}&limit=1`;
      const isOver = async () =>
        (await api<{ deliveries: unknown[] }>(session, path)).deliveries.length === 0;
      await until(isOver, WITHIN_MS, 1_000);
    }
  return await allEvents<Row>(session);
}

/** Slow enough that releases change meanwhile. Returns its id. */
export async function planReplay(session: Session, event_name: string, count: number): Promise<string> {
  const events = Array.from({ length: count }, (_, i) => purchase(`${event_name}-${i}`, { event_name }));
  expect((await send(session, '/v1/ingest', { events })).status).toBe(202);
  for (const { event_id } of events)
    await until(async () => {
      const { deliveries } = await api<Row>(session, `/v1/events/${event_id}`);
      return deliveries.some(({ platform, status }) => platform === 'meta' && status === 'DELIVERED');
    }, WITHIN_MS);
  return await replay(session, { filter: { event_name }, platforms: ['meta'], only: 'all', rate: 1 });
}

/** Returns its id. */
export async function replay(session: Session, plan: object): Promise<string> {
  const made = await ask<{ replay: { id: string } }>(session, 'POST', '/v1/replays', plan);
  return made.replay.id;
}

/** How many it has sent, when it has sent all. */
export async function replayed(session: Session, id: string): Promise<number> {
  let sent = 0;
  await until(
    async () => {
      const { replay: plan } = await ask<{ replay: { state: string; progress: { sent: number } } }>(
        session,
        'GET',
        `/v1/replays/${id}`,
      );
      sent = plan.progress.sent;
      return plan.state === 'done';
    },
    WITHIN_MS,
    1_000,
  );
  return sent;
}

export async function erase(session: Session, email: string): Promise<string> {
  const body = { email };
  const { erasure } = await ask<{ erasure: { id: string } }>(session, 'POST', '/v1/privacy/erasures', body);
  return erasure.id;
}

/** Its receipt. */
export async function erased(session: Session, id: string) {
  let receipt = { status: '', found: 0, erased: 0, unreadable: 0 };
  await until(
    async () => {
      const { erasure } = await ask<{ erasure: typeof receipt }>(
        session,
        'GET',
        `/v1/privacy/erasures/${id}`,
      );
      receipt = erasure;
      return erasure.status === 'done';
    },
    WITHIN_MS,
    1_000,
  );
  return receipt;
}

const desk = ({ helpdesk_url, helpdesk_api_key }: Session) => deskAt(helpdesk_url, withKey(helpdesk_api_key));

/** What a customer says in a ticket, or begins one with. Returns its id. */
export async function write(session: Session, body: string, ticketId?: string): Promise<string> {
  const {
    status,
    text,
    body: made,
  } = ticketId === undefined
    ? await desk(session)('POST', '/api/tickets', {
        body: { customer_email: 'c@example.com', subject: 'Parcel', body },
      })
    : await desk(session)('POST', '/api/v1/messages', {
        body: { ticket_id: ticketId, body, author: 'customer' },
      });
  expect(status, text).toBeLessThan(300);
  return ticketId ?? String(made?.ticket_id);
}

/** What a customer has said, in order. */
export async function said(session: Session, ticketId: string): Promise<readonly string[]> {
  const { body } = await desk(session)('GET', `/api/v1/messages?ticket_id=${ticketId}`);
  const { messages } = body as { messages: readonly { body: string; created_at: string }[] };
  return messages
    .toSorted((one, other) => one.created_at.localeCompare(other.created_at))
    .map(({ body: text }) => text);
}

const READS = [
  ...['/v1/events', '/v1/deliveries', '/v1/platforms', '/v1/incidents', '/v1/orders'],
  ...['/v1/analytics/overview', '/v1/analytics/quality', '/v1/people?email=jane@example.com'],
  ...['/v1/replays', '/v1/audit-log', '/v1/account', '/v1/api-keys', '/v1/rules'],
  '/v1/privacy/erasures',
];

/** What pages ask for, and do not get. */
export async function unanswered({ api_url, session_jwt }: Session): Promise<readonly string[]> {
  const headers = { authorization: `Bearer ${session_jwt}` };
  const answers = READS.map(async (path) => {
    const answer = await fetch(api_url + path, { headers });
    const text = await answer.text();
    return answer.status === 200 ? [] : [`${path}: ${answer.status} ${text.slice(0, 300)}`];
  });
  return (await Promise.all(answers)).flat();
}

/** A recount, when counters have followed. */
export async function verified(session: Session) {
  let found = { settling: true, drift: 0, unreadable: 0, rows: 0 };
  await until(
    async () => {
      found = await ask(session, 'POST', '/v1/analytics/verify', { range: '24h' });
      return !found.settling;
    },
    WITHIN_MS,
    5_000,
  );
  return found;
}

export async function deadLetters({ sqs_url }: Session): Promise<number> {
  const credentials = { accessKeyId: 'local', secretAccessKey: 'local' };
  const sqs = new SQSClient({ region: 'us-east-1', endpoint: sqs_url, credentials });
  const { QueueUrl } = await sqs.send(new GetQueueUrlCommand({ QueueName: 'millrace-dead-letters' }));
  const names = ['ApproximateNumberOfMessages', 'ApproximateNumberOfMessagesNotVisible'] as const;
  const { Attributes } = await sqs.send(
    new GetQueueAttributesCommand({ QueueUrl, AttributeNames: [...names] }),
  );
  sqs.destroy();
  return names.reduce((sum, name) => sum + Number(Attributes?.[name]), 0);
}
