// Promise: a merchant gets one mail about a platform that fails, about deliveries that are soon too late and a limit that is near, and about
// the end where that means something; whatever is suspected how often, by how many, and whatever dies between two writes.
import { createHmac } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { Notice } from '#lib/core/ports/notice-sender.ts';
import type { Transport } from '#lib/core/ports/transport.ts';
import type { Attempt } from '#lib/events/domain/deliveries/delivery.ts';
import type { TaskWork } from '#lib/events/domain/deliveries/task-work.ts';
import { deliveryIn, normalizedRow, store } from '#test/contract/stored-rows.ts';
import { addStates } from '#test/support/counted-states.ts';
import { testMerchant } from '#test/support/ingestion.ts';
import { createMemoryBatchStore } from '#test/support/memory/batch-store.ts';
import { createManualClock } from '#test/support/memory/clock.ts';
import { createMemoryConfig } from '#test/support/memory/config-stores.ts';
import { createMemoryCounterStore } from '#test/support/memory/counter-store.ts';
import { createMemoryEventStore } from '#test/support/memory/event-store.ts';
import { createMemoryIncidentStore } from '#test/support/memory/incident-store.ts';
import { createMemoryQueue } from '#test/support/memory/queue.ts';
import type { IncidentWork } from './incident-looks.ts';
import type { TaskPorts } from './ports.ts';
import { createTaskStage } from './stage.ts';

const SHOP = '018f3c1e-0000-7000-8000-000000000001';
const NOW_MS = Date.UTC(2026, 10, 21, 12, 7);
const [MINUTE, HOUR, DAY] = [60_000, 3_600_000, 86_400_000];

async function setUp(over: Partial<TaskPorts> = {}) {
  const clock = createManualClock(NOW_MS);
  const config = createMemoryConfig();
  const merchant = testMerchant({ enabled: false });
  await config.putMerchant({
    ...merchant,
    merchantId: SHOP,
    name: 'Shop',
    email: 'owner@shop.example',
    createdAtMs: 0,
  });
  const draft = {
    merchantId: SHOP,
    platform: 'meta',
    newId: 'con_1',
    name: 'EU pixel',
    sealedCredentials: 's',
  };
  const { connection } = await config.putConnection(draft, NOW_MS - 30 * DAY);
  const events = createMemoryEventStore();
  const counters = createMemoryCounterStore();
  const incidents = createMemoryIncidentStore();
  const work = createMemoryQueue<TaskWork>({ clock });
  const mails: Notice[] = [];
  const problems: string[] = [];
  const sender = { send: async (notice: Notice) => mails.push(notice) > 0 };
  const ports = {
    ...{ config, events, counters, incidents, work, clock, batches: createMemoryBatchStore() },
    notices: async () => sender,
    report: (problem: string) => void problems.push(problem),
    ...over,
  } as unknown as TaskPorts;
  const stage = createTaskStage(ports);
  const say = (more: Partial<IncidentWork> & Pick<IncidentWork, 'incident' | 'subject'>) =>
    stage([{ body: { merchant: SHOP, ...more }, receiveCount: 1, sentAtMs: 0 }]);
  /** The next looks, as its queue has them due within that time. */
  const looks = async (forMs: number): Promise<number> => {
    let looked = 0;
    for (const endMs = clock.now() + forMs; clock.now() < endMs; clock.advance(MINUTE))
      for (const message of work.receive(10)) {
        looked += 1;
        await stage([message]);
        work.remove(message.receipt);
      }
    return looked;
  };
  let made = 0;
  const call = async (ok: boolean, atMs = clock.now()) => {
    made += 1;
    const attempt: Attempt = {
      ...{ atMs, latencyMs: 20 + made, batchSize: 1 },
      ...(ok
        ? { outcome: 'delivered', status: 200 }
        : { outcome: 'retry', status: 500, code: 'meta.500', message: 'Try again' }),
    };
    const meta = deliveryIn(ok ? 'DELIVERED' : 'RETRY', { attempts: 1, history: [attempt] });
    await store(
      events,
      normalizedRow({ eventId: `e${made}`, merchantId: SHOP, receivedAtMs: atMs, deliveries: { meta } }),
    );
  };
  const stored = async (id: string) => (await incidents.incident(SHOP, id)) ?? expect.unreachable();
  return {
    stage,
    clock,
    config,
    connection,
    counters,
    incidents,
    work,
    mails,
    problems,
    say,
    looks,
    call,
    stored,
  };
}

const FAILING = { incident: 'failing', subject: 'meta' } as const;
const WINDOW = { incident: 'window', subject: 'meta' } as const;
const LIMIT = { incident: 'limit', subject: 'server_events', limit: 12_000 } as const;

describe('a platform that fails', () => {
  it('is told once, with what it says, and again when it is over; the next time is another incident', async () => {
    const { say, call, mails, looks, stored } = await setUp();
    for (const at of [3, 2, 1]) await call(false, NOW_MS - at * MINUTE);
    for (let i = 0; i < 3; i++) await say(FAILING);
    expect(mails).toMatchObject([
      { to: 'owner@shop.example', subject: 'Meta fails much of what Shop sends' },
    ]);
    expect(mails[0]?.text).toContain('"EU pixel" has failed since 2026-11-21 12:04 UTC');
    expect(mails[0]?.text).toContain('It answered 500. It says: Try again');
    const { name, sinceMs } = await stored('failing.meta');
    // Its first failed call leaves the newest twenty: it is the same incident.
    for (let i = 0; i < 15; i++) await call(false);
    expect(await looks(20 * MINUTE)).toBe(3);
    expect(await stored('failing.meta')).toMatchObject({ name, sinceMs, state: 'running' });
    for (let i = 0; i < 40; i++) await call(true);
    await looks(10 * MINUTE);
    expect(mails.slice(1)).toMatchObject([{ subject: 'Meta takes events of Shop again' }]);
    expect(await stored('failing.meta')).toMatchObject({ name, state: 'done' });
    expect(await looks(HOUR)).toBe(0);
    // Soon after: another one, without a mail.
    for (let i = 0; i < 20; i++) await call(false);
    await say(FAILING);
    const again = await stored('failing.meta');
    expect(again).toMatchObject({ state: 'running', isTold: false, past: [{ name, sinceMs }] });
    expect(again.name).not.toBe(name);
    expect(mails).toHaveLength(2);
  });

  it.each([
    ['as on other days', 12, 40, 0],
    ['more than on other days', 2, 40, 1],
    ['more, of few events', 2, 12, 0],
  ])('by the share of the last minutes, %s', async (_how, failedBefore, due, mailed) => {
    const { say, call, mails, counters } = await setUp();
    for (let i = 0; i < 10; i++) await call(i > 1);
    for (const day of [1, 2, 3])
      await addStates(counters, SHOP, 'meta', NOW_MS - day * DAY, {
        DELIVERED: 100 - failedBefore,
        FAILED: failedBefore,
      });
    const failed = Math.ceil(due * 0.3);
    await addStates(counters, SHOP, 'meta', NOW_MS - 2 * MINUTE, { DELIVERED: due - failed, FAILED: failed });
    await say(FAILING);
    expect(mails).toHaveLength(mailed);
  });

  it('is none where events only wait for its limit, and says nothing where another incident says more', async () => {
    const { say, call, mails, counters, config, connection, looks, stored } = await setUp();
    await addStates(counters, SHOP, 'meta', NOW_MS - 2 * MINUTE, { RETRY: 500, DELIVERED: 100 });
    await say(FAILING);
    expect(mails).toEqual([]);
    for (let i = 0; i < 5; i++) await call(false);
    await say(FAILING);
    await config.setCircuit(connection, { openedAtMs: NOW_MS, probes: 0, nextProbeAtMs: NOW_MS }, NOW_MS);
    await looks(6 * MINUTE);
    expect(await stored('failing.meta')).toMatchObject({ state: 'done' });
    expect(mails).toHaveLength(1);
  });
});

describe('deliveries that are soon too late', () => {
  it('are told once, with when the first is; it is over when the connection works again, without a mail, as the first said', async () => {
    const { say, mails, config, connection, clock, looks, stored } = await setUp();
    await config.pauseConnection(connection, 'manual', NOW_MS - DAY);
    const closesAtMs = NOW_MS + 20 * HOUR;
    await say({ ...WINDOW, closesAtMs });
    await say({ ...WINDOW, closesAtMs });
    expect(mails).toMatchObject([{ subject: 'Events of Shop will soon be too late for Meta' }]);
    expect(mails[0]?.text).toContain('can be sent until 2026-11-22 08:07 UTC');
    expect(mails[0]?.text).toContain('It is over, without another mail about it, once what waits is taken.');
    // A sweep says it every quarter of an hour, with what then closes first.
    for (let i = 1; i <= 8; i++) {
      await looks(15 * MINUTE);
      await say({ ...WINDOW, closesAtMs: closesAtMs + i });
    }
    expect(await stored('window.meta')).toMatchObject({ state: 'running', closesAtMs: closesAtMs + 8 });
    const [paused] = await config.listConnections(SHOP);
    await config.changeConnection(paused ?? connection, { pause: null }, clock.now());
    await looks(10 * MINUTE);
    expect(await stored('window.meta')).toMatchObject({ state: 'done' });
    expect(mails).toHaveLength(1);
  });

  it('are over where no sweep sees any for three quarters of an hour', async () => {
    const { say, config, connection, looks, stored } = await setUp();
    await config.pauseConnection(connection, 'manual', NOW_MS - DAY);
    await say({ ...WINDOW, closesAtMs: NOW_MS + MINUTE });
    await looks(40 * MINUTE);
    expect(await stored('window.meta')).toMatchObject({ state: 'running' });
    await looks(20 * MINUTE);
    expect(await stored('window.meta')).toMatchObject({ state: 'done' });
  });

  it('are none of a connection that takes events, or is gone', async () => {
    const { say, mails, incidents } = await setUp();
    await say({ ...WINDOW, closesAtMs: NOW_MS + 1 });
    await say({ ...WINDOW, subject: 'x', closesAtMs: NOW_MS + 1 });
    expect(mails).toEqual([]);
    expect(await incidents.listIncidents(SHOP)).toEqual([]);
  });
});

describe('a limit', () => {
  it('that is near and passed in one burst is one mail, which says passed', async () => {
    const { say, mails, looks, stored } = await setUp();
    await say({ ...LIMIT, used: 9_600 });
    await say({ ...LIMIT, used: 12_000 });
    expect(mails).toEqual([]);
    await looks(3 * MINUTE);
    expect(mails).toMatchObject([{ subject: 'Shop has reached a limit' }]);
    expect(mails[0]?.text).toContain(
      'Of 12000 events from servers, in a minute or in a day of UTC, Shop has used all',
    );
    expect(mails[0]?.text).toContain('without another mail: with the next minute');
    await say({ ...LIMIT, used: 9_700 });
    expect(await stored('limit.server_events')).toMatchObject({ used: 12_000 });
    await looks(30 * MINUTE);
    expect(await stored('limit.server_events')).toMatchObject({ state: 'done' });
    expect(mails).toHaveLength(1);
  });

  it('of a minute and of a day are one, which says the one that was used to the larger share', async () => {
    const { say, stored } = await setUp();
    await say({ ...LIMIT, used: 9_600 });
    await say({ ...LIMIT, used: 5_000_000, limit: 5_000_000 });
    await say({ ...LIMIT, used: 9_900 });
    expect(await stored('limit.server_events')).toMatchObject({ used: 5_000_000, limit: 5_000_000 });
  });

  it('that is near is told within five minutes, and once in six hours however often it is', async () => {
    const { say, mails, looks } = await setUp();
    for (let hour = 0; hour < 12; hour++) {
      await say({ ...LIMIT, used: 9_600 });
      await looks(5 * MINUTE);
      if (hour === 0) expect(mails).toMatchObject([{ subject: 'Shop is near a limit' }]);
      await looks(55 * MINUTE);
    }
    expect(mails).toHaveLength(2);
  });
});

describe('whatever happens between', () => {
  it('a mail that could not be sent is sent a minute later, and the looks go on', async () => {
    let fails = true;
    const send = async (): Promise<boolean> => {
      if (fails) throw new Error('Throttling');
      return true;
    };
    const { say, call, stored, looks } = await setUp({ notices: async () => ({ send }) });
    for (let i = 0; i < 3; i++) await call(false);
    expect(await say(FAILING)).toEqual({ failedIndexes: [] });
    expect(await stored('failing.meta')).toMatchObject({ state: 'running', isTold: false });
    fails = false;
    expect(await looks(2 * MINUTE)).toBe(1);
    expect(await stored('failing.meta')).toMatchObject({ isTold: true });
    expect(await looks(10 * MINUTE)).toBe(2);
  });

  it('it is kept and ends where the deployment sends no mail, and where no provider takes the address', async () => {
    const none = await setUp({ notices: async () => null });
    const refused = await setUp({ notices: async () => ({ send: async () => false }) });
    for (const { say, call, stored, looks } of [none, refused]) {
      for (let i = 0; i < 3; i++) await call(false);
      await say(FAILING);
      for (let i = 0; i < 20; i++) await call(true);
      await looks(10 * MINUTE);
      expect(await stored('failing.meta')).toMatchObject({ state: 'done', isTold: true });
    }
    expect(refused.problems).toContain('a merchant could not be told of an incident');
  });

  it('one chain of looks is left of many messages, at one write each', async () => {
    const { say, call, work, incidents, looks } = await setUp();
    for (let i = 0; i < 3; i++) await call(false);
    await Promise.all(Array.from({ length: 6 }, () => say(FAILING)));
    await looks(10 * MINUTE);
    const before = (await incidents.listIncidents(SHOP))[0]?.version ?? 0;
    expect(await looks(HOUR)).toBe(12);
    expect((await incidents.listIncidents(SHOP))[0]?.version).toBe(before + 12);
    expect(work.receive(10).length).toBeLessThanOrEqual(1);
  });
});

describe('webhooks of the merchant', () => {
  const SECRET = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
  interface Sent {
    readonly url: string;
    readonly id: string | undefined;
    readonly body: { readonly type: string; readonly data: Record<string, unknown> };
  }

  async function listening(answers: (url: string) => number, wants = true) {
    const sent: Sent[] = [];
    const transport: Transport = {
      async send({ url, headers, body }) {
        sent.push({ url, id: headers['webhook-id'], body: JSON.parse(body) as Sent['body'] });
        const signed = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`;
        const mac = createHmac('sha256', Buffer.alloc(32, 7)).update(signed).digest('base64');
        expect(headers['webhook-signature']).toBe(`v1,${mac}`);
        return { kind: 'response', status: answers(url), headers: {}, body: '', latencyMs: 1 };
      },
    };
    const vault = { open: async (_merchant: string, _context: string, text: string) => text };
    const world = await setUp({ transport: async () => transport, vault } as unknown as Partial<TaskPorts>);
    const connect = async (n: number) => {
      const credentials = { url: `https://${n}.shop.example/`, secret: SECRET, incidents: wants };
      const draft = { merchantId: SHOP, platform: 'webhook', newId: `con_w${n}`, name: 'Mine' };
      await world.config.addConnection({ ...draft, sealedCredentials: JSON.stringify(credentials) }, NOW_MS);
    };
    for (const n of [1, 2]) await connect(n);
    return { ...world, sent };
  }

  it('are told of the beginning and the end, each once, with what the list of incidents says', async () => {
    const { say, call, looks, stored, sent } = await listening(() => 200);
    for (let i = 0; i < 3; i++) await call(false);
    for (let i = 0; i < 3; i++) await say(FAILING);
    await looks(20 * MINUTE);
    const { name } = await stored('failing.meta');
    expect(sent.map(({ url, body }) => [url, body.type])).toEqual([
      ['https://1.shop.example/', 'incident.opened'],
      ['https://2.shop.example/', 'incident.opened'],
    ]);
    expect(new Set(sent.map(({ id }) => id)).size).toBe(1);
    expect(sent[0]?.body.data).toMatchObject({
      ...{
        id: name,
        merchant_id: SHOP,
        state: 'open',
        kind: 'failing',
        platform: 'meta',
        connection_id: 'con_1',
      },
      ...{ since: '2026-11-21T12:07:00.000Z', until: null, limit: null },
      last_error: { http_status: 500, code: 'meta.500', message: 'Try again' },
    });
    for (let i = 0; i < 20; i++) await call(true);
    await looks(10 * MINUTE);
    expect(sent.slice(2).map(({ body }) => [body.type, body.data.id, body.data.state])).toEqual([
      ['incident.closed', name, 'over'],
      ['incident.closed', name, 'over'],
    ]);
    expect(await stored('failing.meta')).toMatchObject({ state: 'done' });
  });

  it('that fail get it again by the table, under the same id, also once it is over; the others wait for none', async () => {
    let status = 500;
    const { say, looks, sent, stored, incidents } = await listening((url) =>
      url.includes('2') ? status : 200,
    );
    await say({ ...LIMIT, used: 9_600 });
    await looks(40 * MINUTE);
    const of = (n: number) => sent.filter(({ url }) => url.includes(`//${n}.`));
    expect(of(1).map(({ body }) => body.type)).toEqual(['incident.opened', 'incident.closed']);
    const opened = of(2).filter(({ body }) => body.type === 'incident.opened');
    // At once, after seconds, five minutes and thirty.
    expect(opened).toHaveLength(4);
    expect(new Set(opened.map(({ id }) => id)).size).toBe(1);
    expect((await stored('limit.server_events')).untilMs).toBeDefined();
    status = 200;
    await looks(4 * HOUR);
    expect(of(2).at(-1)?.body.type).toBe('incident.opened');
    expect((await incidents.listIncidents(SHOP))[0]).toMatchObject({ state: 'done' });
    expect(await looks(HOUR)).toBe(0);
  });

  it('are told of a connection that is paused for its credentials, and of none where they do not want it', async () => {
    for (const wants of [true, false]) {
      const { config, connection, sent, stage, looks } = await listening(() => 204, wants);
      await config.pauseConnection(connection, 'auth', NOW_MS, { atMs: NOW_MS, status: 401 });
      const body = { merchant: SHOP, slot: 'meta' };
      for (const what of [{ paused: 'con_1' }, { paused: 'con_1' }])
        await stage([{ body: { ...body, ...what }, receiveCount: 1, sentAtMs: 0 }]);
      const [paused] = await config.listConnections(SHOP);
      await config.changeConnection(paused ?? connection, { pause: null }, NOW_MS + MINUTE);
      await stage([{ body: { ...body, resumed: 'con_1' }, receiveCount: 1, sentAtMs: 0 }]);
      await looks(HOUR);
      const told = sent
        .filter(({ url }) => url.includes('//1.'))
        .map(({ body: { type, data } }) => [type, data.kind]);
      expect(told).toEqual(
        wants
          ? [
              ['incident.opened', 'refused'],
              ['incident.closed', 'refused'],
            ]
          : [],
      );
    }
  });
});
