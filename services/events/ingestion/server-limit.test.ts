// What the servers of one merchant may send in a minute.
import { describe, expect, it } from 'vitest';
import { createSuspicions } from '#lib/events/pipeline/connections/suspicions.ts';
import { MERCHANT, NOW_MS, purchase, request, send, testIngestion } from '#test/support/ingestion.ts';
import { createManualClock } from '#test/support/memory/clock.ts';
import { createMemoryLeaseStore } from '#test/support/memory/lease-store.ts';
import { createServerLimit } from './server-limit.ts';

const DAY_MS = 86_400_000;

/** One store, as many processes as are wanted. */
function limitedTo(eventsPerMinute: number, leases = createMemoryLeaseStore()) {
  return { leases, open: () => testIngestion({ limit: createServerLimit(leases, eventsPerMinute) }) };
}

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
    expect(leases.leased()).toBe(0);
  });

  it('are taken where no share can be leased, which is counted', async () => {
    const down = { lease: () => Promise.reject(new Error('down')) };
    const { app, counted } = testIngestion({ limit: createServerLimit(down, 1) });
    expect((await send(app, request('/v1/ingest', batch(5)))).status).toBe(202);
    expect(counted).toContain('event_limit_unknown');
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
    const { app } = testIngestion({ limit: createServerLimit(leases, 5_000, suspicions) });
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
