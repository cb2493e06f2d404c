// A shop that is built as the pixel's page says: its server reports an order with the person, its page reports the same id
// with what only a browser knows. What the platforms get, what they count, and whom the order is credited to.
import fc from 'fast-check';
import { afterEach, describe, expect, it } from 'vitest';
import { sumCounters } from '../../lib/events/domain/analytics/sum.ts';
import type { EventBody } from '../../lib/events/domain/event/event.ts';
import { PLATFORMS } from '../../lib/events/platforms/registry.ts';
import type { EventVault } from '../../lib/events/ports/event-vault.ts';
import { eventView } from '../../services/events/api/events/view.ts';
import { acceptedRow } from '../contract/stored-rows.ts';
import { createManualClock } from '../support/memory/clock.ts';
import { createTestEventVault } from '../support/memory/event-vault.ts';
import { CALL, KEYLESS, withReplays } from '../support/replaying.ts';
import {
  BY_PAGE,
  GAINED,
  ORDER_ID as ID,
  NOTHING,
  openOrder as open,
  SENT,
  START_MS,
} from '../support/reported-twice.ts';
import { closeShops } from '../support/sandbox-shop.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
afterEach(closeShops);

describe('an order that the page reported', () => {
  it.each([
    ['before the server did', ['browser', 'drain', 'server', 'drain']],
    ['at the same moment', ['browser', 'server', 'drain']],
    ['after the server did, and before it was normalized', ['server', 'browser', 'drain']],
  ] as const)('%s, goes out with what the page knew, once', async (_, steps) => {
    const { pipeline, send, pass, counted, row, atMeta } = await open();
    for (const step of steps) await (step === 'drain' ? pipeline.drain() : send(step));
    await pass(5);
    expect(atMeta()).toEqual([GAINED]);
    expect((await counted()).meta).toEqual({ total: 1, usd: '99.5' });
    const minutes = pipeline.counters.rows().filter(({ key }) => key.grain === 'minute');
    const { serverOrders, merged } = sumCounters(minutes.map(({ counters }) => counters));
    expect([serverOrders, merged]).toEqual([{ orders: 2, clicked: 1, gained: 1 }, 1]);
    expect(row('server').event).toMatchObject({
      fromPage: ['fbp', 'fbc', 'client_ip', 'user_agent', 'event_source_url'],
      credit: { touch: 'meta' },
      dedupId: ID,
      issues: [],
    });
    expect(pipeline.problems).toEqual([]);
  });

  it.each([
    ['before the server did', ['browser', 'drain', 'server', 'drain']],
    ['before the server did, and went out', ['browser', 'drain', 'pass', 'server', 'drain']],
    ['at the same moment', ['browser', 'server', 'drain']],
  ] as const)(
    '%s, under an event id of its own, goes out whole, and is credited at once',
    async (_, steps) => {
      const { pipeline, send, pass, counted, row, atMeta } = await open();
      for (const step of steps)
        await (step === 'drain'
          ? pipeline.drain()
          : step === 'pass'
            ? pass(5)
            : send(step, step === 'browser' ? { event_id: 'of-page' } : {}));
      expect(row('server').event).toMatchObject({
        fromPage: ['fbp', 'fbc', 'client_ip', 'user_agent', 'event_source_url'],
        credit: { touch: 'meta' },
      });
      await pass(5);
      expect([...atMeta('of-page'), ...atMeta()]).toContainEqual(GAINED);
      expect((await counted()).meta).toEqual({ total: 1, usd: '99.5' });
      expect(pipeline.problems).toEqual([]);
    },
  );

  it('says in the API which fields came from the page', async () => {
    const { pipeline, send, row } = await open();
    await send('browser');
    await send('server');
    await pipeline.drain();
    const copies = { server: true, browser: true };
    const view = await eventView(row('server'), copies, pipeline.eventVault);
    expect(view.completed_from_page).toEqual(['fbp', 'fbc', 'client_ip', 'user_agent', 'event_source_url']);
    expect(view.issues).toEqual([]);
    expect(await eventView(row('browser'), copies, pipeline.eventVault)).not.toHaveProperty(
      'completed_from_page',
    );
  });

  it('keeps them when it is replayed', async () => {
    const { pipeline, send, atMeta } = await open();
    await send('browser');
    await send('server');
    await pipeline.drain();
    const { api } = withReplays(pipeline, PLATFORMS);
    const answer = await api.replayEvent({ ...KEYLESS, params: { id: ID }, body: { dedupe: 'original' } });
    expect(answer).toMatchObject({ status: 202 });
    await pipeline.drain();
    expect(atMeta()).toEqual([GAINED, GAINED]);
    expect(CALL.caller.merchantId).toBe(pipeline.events.rows()[0]?.key.merchantId);
  });
});

describe('an order gains nothing', () => {
  it.each<[string, Record<string, unknown>, Record<string, unknown>]>([
    ['where the page denied storage', { consent: { ad_storage: 'denied' } }, {}],
    ['where the server says it is denied', {}, { consent: { ad_storage: 'denied' } }],
    ['from a page that names another amount', { value: 0.01 }, {}],
    ['from a page event of another name', { event_name: 'Lead' }, {}],
    ['from another order of the page', { event_id: 'of-page', order_id: '1235' }, {}],
    ['from a page of the order that names another amount', { event_id: 'of-page', value: 0.01 }, {}],
    [
      'from a page of the order that names none',
      { event_id: 'of-page', value: undefined, currency: undefined },
      {},
    ],
    [
      'from a page of the order that denied storage',
      { event_id: 'of-page', consent: { ad_storage: 'denied' } },
      {},
    ],
  ])('%s', async (_, page, server) => {
    const { pipeline, send, row } = await open();
    await send('browser', page);
    await pipeline.drain();
    await send('server', server);
    await pipeline.drain();
    expect(row('server').event).not.toHaveProperty('fromPage');
    expect(row('server').event.credit).toMatchObject({ touch: 'direct' });
    expect(row('server').event.known).not.toContain('fbp');
    expect(Object.values(row('server').verdicts)).toContain('pending');
  });

  it('from the page event of another day', async () => {
    const { pipeline, send, atMeta } = await open();
    await send('browser');
    await pipeline.drain();
    pipeline.clock.advance(DAY_MS + 1);
    const event_time = Math.floor(pipeline.clock.now() / 1_000);
    await send('server', { event_time });
    await pipeline.drain();
    expect(atMeta().at(-1)).toEqual(NOTHING);
  });

  it('from another merchant', async () => {
    const { pipeline, send, atMeta } = await open();
    const merchantId = '8f14e45f-ceea-467f-a111-00000000000f';
    const draft = {
      merchantId,
      channel: 'browser',
      eventId: ID,
      receivedAtMs: pipeline.clock.now(),
    } as const;
    await pipeline.storedRows.claim(acceptedRow({ ...draft, body: BY_PAGE as Partial<EventBody> }));
    await send('server');
    await pipeline.drain();
    expect(atMeta()).toEqual([NOTHING]);
  });

  it('from a row that cannot be read, and goes out under an id of its own', async () => {
    const { pipeline, send, row } = await open();
    await send('browser');
    await pipeline.drain();
    pipeline.storedRows.spoil(row('browser').key);
    await send('server');
    await pipeline.drain();
    const server = row('server');
    expect(server.event.dedupId).toBe(server.ingestId);
    expect(server.event).not.toHaveProperty('fromPage');
  });

  it('from a copy that cannot be opened: it goes out at once, and the failure is reported', async () => {
    const real = createTestEventVault(createManualClock(START_MS));
    const away = new Error('away');
    const eventVault: EventVault = {
      ...real,
      open: async (row, sealed) => {
        if (row.key.channel === 'browser') throw away;
        return await real.open(row, sealed);
      },
    };
    const { pipeline, send, atMeta, row } = await open({}, { eventVault });
    await send('browser');
    await pipeline.drain();
    await send('server');
    await pipeline.drain();
    expect(atMeta()).toEqual([NOTHING]);
    expect(row('server').event).not.toHaveProperty('fromPage');
    expect(pipeline.problems).toEqual([away]);
  });
});

describe('a page that comes after its order went out', () => {
  const later = { event_id: 'later', order_id: 'later', event_time: SENT + 600 };

  it.each<[string, Record<string, unknown>, string]>([
    ['has its click remembered for the person', {}, 'meta'],
    ['that says another amount is not believed', { value: 1 }, 'direct'],
    ['that denied storage is not', { consent: { ad_storage: 'denied' } }, 'direct'],
  ])('%s', async (_, page, touch) => {
    const { pipeline, send, pass, counted, atMeta } = await open();
    await send('server');
    await pipeline.drain();
    await send('browser', page);
    await pipeline.drain();
    await pass(5);
    expect(atMeta()).toEqual([NOTHING]);
    expect((await counted()).meta).toEqual({ total: 1, usd: '99.5' });
    await send('server', later);
    await pipeline.drain();
    const next = pipeline.events.rows().find(({ key }) => key.eventId === 'later');
    expect(next).toMatchObject({ event: { credit: { touch } } });
  });

  it('is not linked with a person who denied analytics', async () => {
    const { pipeline, send } = await open();
    await send('server', { consent: { analytics: 'denied' } });
    await pipeline.drain();
    await send('browser');
    await pipeline.drain();
    await send('server', later);
    await pipeline.drain();
    const next = pipeline.events.rows().find(({ key }) => key.eventId === 'later');
    expect(next).toMatchObject({ event: { credit: { touch: 'direct' } } });
  });
});

it('is one purchase everywhere in any order of arrival, whole if the page came before normalization', async () => {
  const step = fc.constantFrom('drain', 'minute', 'sweep');
  const steps = fc.array(step, { maxLength: 4 });
  await fc.assert(
    fc.asyncProperty(fc.boolean(), steps, steps, async (pageFirst, before, after) => {
      const { pipeline, send, pass, counted, atMeta } = await open();
      const take = async (all: readonly ('drain' | 'minute' | 'sweep')[]) => {
        for (const one of all) {
          if (one === 'drain') await pipeline.drain();
          else if (one === 'sweep') await pipeline.sweep();
          else pipeline.clock.advance(MINUTE_MS / 2);
        }
      };
      const isNormalized = () =>
        pipeline.events
          .rows()
          .some(({ key, state }) => key.channel === 'server' && key.eventId === ID && state === 'normalized');
      await send(pageFirst ? 'browser' : 'server');
      await take(before);
      const isLate = isNormalized();
      await send(pageFirst ? 'server' : 'browser');
      await take(after);
      await pass(6);
      expect(atMeta()).toEqual([isLate ? NOTHING : GAINED]);
      const counts = await counted();
      expect(counts.meta?.total).toBe(1);
      for (const { total } of Object.values(counts)) expect(total).toBeLessThanOrEqual(1);
      expect(pipeline.problems).toEqual([]);
      await closeShops();
    }),
    { numRuns: 16 },
  );
});
