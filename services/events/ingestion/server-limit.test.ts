// What the servers of one merchant may send in a minute and in a day.
import { describe, expect, it } from 'vitest';
import { createSuspicions } from '#lib/events/pipeline/connections/suspicions.ts';
import { MERCHANT, NOW_MS, purchase, request, send, testIngestion } from '#test/support/ingestion.ts';
import { createManualClock } from '#test/support/memory/clock.ts';
import { createMemoryLeaseStore } from '#test/support/memory/lease-store.ts';
import { createServerLimit } from './server-limit.ts';

const DAY_MS = 86_400_000;
const UNTIL_MIDNIGHT_SEC = (DAY_MS - (NOW_MS % DAY_MS)) / 1_000;
const PER_MINUTE = { eventsPerMinute: 5_000, eventsPerDay: 10_000_000 };

/** One store, as many processes as are wanted. */
function limitedTo(eventsPerMinute: number, leases = createMemoryLeaseStore(), eventsPerDay = 10_000_000) {
  const limit = () => createServerLimit(leases, { eventsPerMinute, eventsPerDay });
  return { leases, open: () => testIngestion({ limit: limit() }) };
}
const limitedByDay = (eventsPerDay: number) => limitedTo(1_000_000, undefined, eventsPerDay);

const batch = (size: number, list = 'events') => ({
  [list]: Array.from({ length: size }, (_, i) =>
    list === 'batch'
      ? { type: 'track', event: 'Viewed', userId: 'u', messageId: `m${i}` }
      : purchase({ event_id: `b${i}` }),
  ),
});

describe('events of servers', () => {
  it('are refused beyond the limit as a whole request, with what is stored as it was, until the next minute', async () => {
    const { app, events, counted, clock, refusals } = limitedTo(500).open();
    expect((await send(app, request('/v1/ingest', batch(500)))).status).toBe(202);
    const refused = await send(app, request('/v1/ingest', batch(10)));
    expect(refused).toMatchObject({ status: 429, json: { code: 'event_limit_reached' } });
    expect(refused.headers['retry-after']).toBe('60');
    expect(events.rows()).toHaveLength(500);
    await send(app, request('/v1/ingest', batch(10)));
    expect(counted.filter((metric) => metric === 'event_limit_reached')).toHaveLength(1);
    clock.advanceTo(NOW_MS + 90_000);
    expect((await send(app, request('/v1/events', purchase({ event_id: 'next' })))).status).toBe(202);
    await new Promise((resolve) => setImmediate(resolve));
    const day = await refusals.sum(MERCHANT, NOW_MS - DAY_MS, NOW_MS + DAY_MS);
    expect(Object.fromEntries(day)).toEqual({ event_limit_reached: 2 });
  });

  it.each([
    ['/v1/events', purchase()],
    ['/v1/ingest', purchase()],
    ['/v1/ingest', batch(3)],
    ['/v1/batch', batch(3, 'batch')],
    ['/v1/track', { event: 'Viewed', userId: 'u' }],
    ['/v1/identify', { userId: 'u' }],
  ])('are limited at %s', async (path, body) => {
    const { app, events } = limitedTo(1).open();
    // One, and one that each process may take without asking.
    for (const event_id of ['first', 'second'])
      await send(app, request('/v1/events', purchase({ event_id })));
    expect(await send(app, request(path, body))).toMatchObject({ status: 429 });
    expect(events.rows()).toHaveLength(2);
  });

  it('are limited over all processes, past it by 1/200 each, and cost nothing below that', async () => {
    const { leases, open } = limitedTo(2_000);
    const processes = [open(), open(), open()];
    let accepted = 0;
    for (let i = 0; i < 12; i++) {
      const { app } = processes[i % 3] as ReturnType<typeof open>;
      const { status } = await send(app, request('/v1/ingest', batch(i < 3 ? 10 : 500)));
      if (i === 2) expect(leases.asked()).toBe(0);
      if (status === 202) accepted += i < 3 ? 10 : 500;
    }
    expect(accepted).toBeLessThanOrEqual(2_000 + 3 * 10);
    expect(accepted).toBeGreaterThanOrEqual(1_500);
  });

  it('too many for one batch use up no more than a full batch', async () => {
    const { leases, open } = limitedTo(100_000);
    const { app } = open();
    expect((await send(app, request('/v1/ingest', { events: Array(20_000).fill(0) }))).status).toBe(400);
    // What lies in the minute's free share was not leased.
    expect(leases.leased()).toBeLessThanOrEqual(500);
  });

  it('are taken where no share can be leased, which is counted', async () => {
    const down = { lease: () => Promise.reject(new Error('down')) };
    const { app, counted } = testIngestion({
      limit: createServerLimit(down, { eventsPerMinute: 1, eventsPerDay: 1 }),
    });
    expect((await send(app, request('/v1/ingest', batch(5)))).status).toBe(202);
    expect(new Set(counted)).toEqual(new Set(['event_limit_unknown']));
  });

  it('are said to be near the limit from 80 % on, and once more when it is passed, by one message each', async () => {
    const said: object[] = [];
    const leases = createMemoryLeaseStore();
    const taskWork = {
      send: async (messages: readonly { readonly body: object }[]) =>
        void said.push(...messages.map(({ body }) => body)),
    };
    const clock = createManualClock(NOW_MS);
    const suspicions = createSuspicions({ taskWork, clock, report: () => expect.unreachable() });
    const { app } = testIngestion({ limit: createServerLimit(leases, PER_MINUTE, suspicions) });
    const ingest = async (name: string) => {
      const { events } = batch(500);
      const body = { events: events?.map((event) => ({ ...event, event_id: `${name}${event.event_id}` })) };
      return (await send(app, request('/v1/ingest', body))).status;
    };
    for (let i = 0; i < 7; i++) expect(await ingest(`${i}`)).toBe(202);
    expect(said).toEqual([]);
    const near = {
      merchant: MERCHANT,
      incident: 'limit',
      subject: 'server_events',
      used: 4_000,
      limit: 5_000,
    };
    for (let i = 7; i < 9; i++) expect(await ingest(`${i}`)).toBe(202);
    expect(said).toEqual([near]);
    for (let i = 9; i < 14; i++) await ingest(`${i}`);
    expect(said).toEqual([near, { ...near, used: 5_000 }]);
  });
});

describe('events of servers in a day', () => {
  /** A batch of others each time, a minute later. */
  function sender(eventsPerDay: number) {
    const opened = limitedByDay(eventsPerDay);
    const processes = [opened.open(), opened.open()];
    let sent = 0;
    const ingest = async (size: number, process = 0) => {
      const { app, clock } = processes[process] ?? opened.open();
      sent += 1;
      clock.advanceTo(NOW_MS + sent * 60_000);
      const events = batch(size).events?.map((event) => ({
        ...event,
        event_id: `${sent}-${event.event_id}`,
      }));
      return await send(app, request('/v1/ingest', { events }));
    };
    return { ...opened, processes, ingest };
  }

  it('are refused beyond the limit until midnight of UTC, whichever process they come to, and taken again then', async () => {
    const { processes, ingest } = sender(2_000);
    const taken: number[] = [];
    for (let i = 0; i < 12; i++) taken.push((await ingest(500, i % 2)).status);
    expect(taken.filter((status) => status === 202).length).toBe(4);
    const refused = await ingest(1, 1);
    expect(refused).toMatchObject({ status: 429, json: { code: 'event_limit_reached' } });
    expect(Number(refused.headers['retry-after'])).toBe(UNTIL_MIDNIGHT_SEC - 13 * 60);
    for (const { counted } of processes)
      expect(counted.filter((metric) => metric === 'event_limit_reached')).toHaveLength(1);
    const { app, clock } = processes[1] as (typeof processes)[number];
    clock.advanceTo(NOW_MS + UNTIL_MIDNIGHT_SEC * 1_000);
    expect((await send(app, request('/v1/events', purchase({ event_id: 'next' })))).status).toBe(202);
  });

  it('cost no call for the first twenty of a process, and one for each five hundred', async () => {
    const { leases, ingest } = sender(5_000_000);
    for (let i = 0; i < 2; i++) await ingest(10);
    expect(leases.asked()).toBe(0);
    for (let i = 0; i < 6; i++) await ingest(250);
    expect(leases.asked()).toBe(3);
  });

  it('count by size: one for each 4 KiB of a request, unpacked', async () => {
    const { open } = limitedByDay(500);
    const { app } = open();
    const items = Array.from({ length: 200 }, (_, i) => ({ id: `${i}`.padStart(100, 'x'), quantity: 1 }));
    const large = (event_id: string) => request('/v1/events', purchase({ event_id, items }));
    const statuses: number[] = [];
    for (let i = 0; i < 90; i++) statuses.push((await send(app, large(`large-${i}`))).status);
    // 24 KiB and a bit each are seven, and twenty are free.
    expect(statuses.filter((status) => status === 202)).toHaveLength(Math.floor((500 + 20) / 7));
    expect(statuses.at(-1)).toBe(429);
  });

  it('are not used up by what the limit of the minute refuses', async () => {
    const leases = createMemoryLeaseStore();
    const { app, clock } = limitedTo(500, leases, 1_500).open();
    for (let i = 0; i < 9; i++) {
      const events = batch(500).events?.map((event) => ({ ...event, event_id: `${i}${event.event_id}` }));
      const { status } = await send(app, request('/v1/ingest', { events }));
      expect([i, status]).toEqual([i, i % 3 === 0 ? 202 : 429]);
      if (i % 3 === 2) clock.advance(60_000);
    }
  });

  it('are said to have passed the limit, with that of the day', async () => {
    const said: { readonly used?: number; readonly limit?: number }[] = [];
    const clock = createManualClock(NOW_MS);
    const taskWork = {
      send: async (messages: readonly { readonly body: object }[]) =>
        void said.push(...messages.map(({ body }) => body)),
    };
    const suspicions = createSuspicions({ taskWork, clock, report: () => expect.unreachable() });
    const most = { eventsPerMinute: 1_000_000, eventsPerDay: 500 };
    const { app } = testIngestion({ limit: createServerLimit(createMemoryLeaseStore(), most, suspicions) });
    expect((await send(app, request('/v1/ingest', batch(500)))).status).toBe(202);
    const what = { merchant: MERCHANT, incident: 'limit', subject: 'server_events' };
    expect(said.at(-1)).toEqual({ ...what, used: 500, limit: 500 });
  });
});
