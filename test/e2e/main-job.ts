// The main job, from outside: one event in, each connected platform has it once, and the API and the counters say so. Knows
// nothing but URLs and credentials, so that the same test runs against every host.
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { Session } from '../../services/local/session.ts';

export type MainJobTarget = Pick<
  Session,
  'ingestion_url' | 'api_url' | 'sandbox_url' | 'api_key' | 'session_jwt'
>;

export interface MainJobFigures {
  readonly eventId: string;
  readonly platforms: readonly string[];
  /** From sending the event to the answer. */
  readonly acceptedAfterMs: number;
  /** From sending the event to the last platform having it. */
  readonly deliveredAfterMs: number;
}

interface Arrival {
  readonly accepted: boolean;
  readonly reason?: string;
  readonly payload: unknown;
}

const DELIVERED_WITHIN_MS = 600_000;
/** Hints about counters wait up to five seconds for company. */
const COUNTED_WITHIN_MS = 600_000;

/** Throws an AssertionError that says which promise did not hold. */
export async function mainJob(target: MainJobTarget): Promise<MainJobFigures> {
  const { platforms, unhashed } = await connectedPlatforms(target);
  assert.ok(platforms.length > 0, 'no platform is connected');
  const before = new Map(
    await Promise.all(platforms.map(async (slug) => [slug, await counted(target, slug)] as const)),
  );
  const eventsBefore = await countedEvents(target);

  const eventId = `e2e-${randomUUID()}`;
  const event = purchase(eventId);
  const startedMs = performance.now();
  const accepted = await post(target, event);
  const acceptedAfterMs = performance.now() - startedMs;
  assert.deepEqual(accepted, { status: 202, body: { success: true, event_id: eventId } });

  for (const slug of platforms) {
    await until(
      `${slug} has the event`,
      DELIVERED_WITHIN_MS,
      async () => (await arrivals(target, slug, eventId)).length > 0,
    );
  }
  const deliveredAfterMs = performance.now() - startedMs;
  for (const slug of platforms) {
    const sent = await assertArrived(target, slug, eventId, before.get(slug) ?? 0);
    assertHashed(slug, sent, unhashed.get(slug) ?? []);
  }
  await assertReadable(target, eventId, platforms);
  await assertDuplicatesRefused(target, event);
  await until(
    'the event is counted',
    COUNTED_WITHIN_MS,
    async () => (await countedEvents(target)) > eventsBefore,
  );
  return { eventId, platforms, acceptedAfterMs, deliveredAfterMs };
}

async function assertArrived(
  target: MainJobTarget,
  slug: string,
  eventId: string,
  before: number,
): Promise<string> {
  const found = await arrivals(target, slug, eventId);
  assert.equal(found.length, 1, `${slug} received the event ${found.length} times`);
  assert.equal(found[0]?.accepted, true, `${slug} refused the event: ${found[0]?.reason}`);
  const sent = JSON.stringify(found[0]?.payload);
  assert.ok((await counted(target, slug)) > before, `${slug} did not count the event`);
  return sent;
}

/** A platform gets as they are the fields it says it takes so, and no other. */
function assertHashed(slug: string, sent: string, unhashed: readonly string[]): void {
  for (const [field, trace] of Object.entries(TRACES))
    assert.ok(!trace.test(sent) || unhashed.includes(field), `${slug} received ${field} unhashed`);
}

/** `GET /v1/events/:id` and the list, by session; the list by key as well. */
async function assertReadable(
  target: MainJobTarget,
  eventId: string,
  platforms: readonly string[],
): Promise<void> {
  const bySession = { authorization: `Bearer ${target.session_jwt}` };
  const url = `${target.api_url}/v1/events`;
  await until('every delivery is recorded', DELIVERED_WITHIN_MS, async () => {
    const { body } = await get(`${url}/${eventId}`, bySession);
    const deliveries = (body as { deliveries?: { status: string }[] }).deliveries ?? [];
    return deliveries.length >= platforms.length && deliveries.every(({ status }) => status === 'DELIVERED');
  });
  const { status, body } = await get(`${url}/${eventId}`, bySession);
  assert.equal(status, 200);
  const { event, deliveries } = body as {
    event: { event_id: string };
    deliveries: { platform: string; attempts: number }[];
  };
  assert.equal(event.event_id, eventId);
  assert.deepEqual(deliveries.map(({ platform }) => platform).sort(), [...platforms].sort());
  assert.ok(
    deliveries.every(({ attempts }) => attempts === 1),
    'a delivery took more than one attempt',
  );
  assert.ok(
    !JSON.stringify(body).toLowerCase().includes('jane.doe@example.com'),
    'the API shows plain personal data',
  );
  for (const authorization of [bySession.authorization, `Bearer ${target.api_key}`]) {
    const list = await get(`${url}?limit=10`, { authorization });
    assert.ok(
      JSON.stringify(list.body).includes(eventId),
      `the list (${list.status}) does not show the event`,
    );
  }
  assert.equal((await get(`${url}/${eventId}`, {})).status, 401);
}

async function assertDuplicatesRefused(
  target: MainJobTarget,
  event: Readonly<Record<string, unknown>>,
): Promise<void> {
  const same = await post(target, event);
  assert.equal(same.status, 409);
  assert.partialDeepStrictEqual(same.body, { code: 'duplicate_event', same_payload: true });
  const other = await post(target, { ...event, value: 1 });
  assert.equal(other.status, 409);
  assert.partialDeepStrictEqual(other.body, { code: 'duplicate_event', same_payload: false });
  // Another last character than it has: one key in 62 ends in an x.
  const api_key = target.api_key.slice(0, -1) + (target.api_key.endsWith('x') ? 'y' : 'x');
  const stranger = await post({ ...target, api_key }, event);
  assert.equal(stranger.status, 401);
}

async function connectedPlatforms({ api_url, session_jwt }: MainJobTarget): Promise<{
  readonly platforms: string[];
  /** Platform → fields it declares to take unhashed. */
  readonly unhashed: ReadonlyMap<string, readonly string[]>;
}> {
  const { status, body } = await get(`${api_url}/v1/platforms`, { authorization: `Bearer ${session_jwt}` });
  assert.equal(status, 200, `GET /v1/platforms answered ${status}`);
  const { platforms, available } = body as {
    readonly platforms: readonly { readonly platform: string }[];
    readonly available: readonly { readonly platform: string; readonly unhashed_fields: readonly string[] }[];
  };
  return {
    platforms: platforms.map(({ platform }) => platform),
    unhashed: new Map(available.map(({ platform, unhashed_fields }) => [platform, unhashed_fields])),
  };
}

async function countedEvents({ api_url, session_jwt }: MainJobTarget): Promise<number> {
  const answer = await get(`${api_url}/v1/analytics/overview?range=24h`, {
    authorization: `Bearer ${session_jwt}`,
  });
  assert.equal(answer.status, 200, `GET /v1/analytics/overview answered ${answer.status}`);
  return (answer.body as { events_24h: number }).events_24h;
}

async function counted({ sandbox_url }: MainJobTarget, slug: string): Promise<number> {
  const { body } = await get(`${sandbox_url}/counted?platform=${slug}`, {});
  return (body as { total: number }).total;
}

/** Not every platform has a field for the event's id: the order's id is the same. */
async function arrivals({ sandbox_url }: MainJobTarget, slug: string, eventId: string): Promise<Arrival[]> {
  const { body } = await get(`${sandbox_url}/received?platform=${slug}`, {});
  return (body as { events: Arrival[] }).events.filter(({ payload }) =>
    JSON.stringify(payload).includes(eventId),
  );
}

interface Answer {
  readonly status: number;
  readonly body: unknown;
}

async function post({ ingestion_url, api_key }: MainJobTarget, event: unknown): Promise<Answer> {
  const answer = await fetch(`${ingestion_url}/v1/events`, {
    method: 'POST',
    headers: { authorization: `Bearer ${api_key}`, 'content-type': 'application/json' },
    body: JSON.stringify(event),
  });
  return { status: answer.status, body: await answer.json() };
}

async function get(url: string, headers: Record<string, string>): Promise<Answer> {
  const answer = await fetch(url, { headers });
  return { status: answer.status, body: await answer.json() };
}

async function until(what: string, withinMs: number, holds: () => Promise<boolean>): Promise<void> {
  const deadlineMs = performance.now() + withinMs;
  while (!(await holds())) {
    assert.ok(performance.now() < deadlineMs, `not within ${withinMs / 1_000} s: ${what}`);
    await pause(100);
  }
}

/** How each personal value of the purchase below would be recognised in a request. */
const TRACES: Readonly<Record<string, RegExp>> = {
  email: /jane\.doe@example\.com/i,
  phone: /4155550132/,
  first_name: /\bjane\b/i,
  last_name: /\bdoe\b/i,
  country: /"us"/i,
  customer_id: /customer-42/i,
};

function purchase(eventId: string): Readonly<Record<string, unknown>> {
  const nowSec = Math.floor(Date.now() / 1_000);
  return {
    event_id: eventId,
    event_name: 'Purchase',
    event_time: nowSec,
    source: 'server',
    action_source: 'website',
    event_source_url: 'https://shop.example/thank-you',
    order_id: eventId,
    value: 59.98,
    currency: 'USD',
    items: [{ id: 'SKU-1', quantity: 2, price: 29.99 }],
    user_data: {
      email: 'Jane.Doe@example.com',
      phone: '+1 415 555 0132',
      first_name: 'Jane',
      last_name: 'Doe',
      country: 'US',
      customer_id: 'customer-42',
      client_ip: '203.0.113.7',
      user_agent: 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/142.0.0.0 Safari/537.36',
      browser_ids: {
        irclickid: 'click-1',
        ga_client_id: `1098115397.${nowSec}`,
        ga_session_id: String(nowSec),
      },
    },
  };
}
