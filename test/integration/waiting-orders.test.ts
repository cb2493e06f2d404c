// A server's order that waits for its page: as long as its merchant wants, until the page has reported it, and nothing
// waits with it.
import { afterEach, describe, expect, it } from 'vitest';
import { sumCounters } from '../../lib/events/domain/analytics/sum.ts';
import { FBP, GAINED, NOTHING, ORDER_ID, openOrder, SENT } from '../support/reported-twice.ts';
import { closeShops } from '../support/sandbox-shop.ts';

afterEach(closeShops);

describe('an order that waits for its page', () => {
  const wait = { pageCopyWaitSec: 10 };
  /** The shop was opened ten minutes ago. */
  const event_time = SENT + 600;
  const now = { event_time };
  const WHOLE = { ...GAINED, fbc: GAINED.fbc.replace(/\d{13}/, String(event_time * 1_000)) };
  const waitsOf = ({ pipeline }: Awaited<ReturnType<typeof openOrder>>) => {
    // The earlier order of the shop waited, too.
    const since = ({ key }: (typeof rows)[number]) =>
      key.grain === 'minute' && key.startMs > event_time * 1_000;
    const rows = pipeline.counters.rows();
    return sumCounters(rows.filter(since).map(({ counters }) => counters)).pageWaits;
  };
  const isAccepted = ({ pipeline }: Awaited<ReturnType<typeof openOrder>>) =>
    pipeline.events
      .rows()
      .some(({ key, state }) => key.channel === 'server' && key.eventId === ORDER_ID && state === 'accepted');

  it('goes out whole as soon as the page has reported it, once', async () => {
    const shop = await openOrder(wait);
    const { pipeline, send, pass, counted, row, atMeta } = shop;
    await send('server', now);
    await pipeline.drain();
    expect([isAccepted(shop), atMeta()]).toEqual([true, []]);
    pipeline.clock.advance(2_000);
    await send('browser', now);
    await pipeline.drain();
    expect(atMeta()).toEqual([WHOLE]);
    await pass(5);
    expect(atMeta()).toEqual([WHOLE]);
    expect((await counted()).meta).toEqual({ total: 1, usd: '99.5' });
    expect(row('server').event).toMatchObject({
      ...{ credit: { touch: 'meta' }, dedupId: ORDER_ID },
      pageWait: { endMs: 2_000, pageMs: 2_000 },
    });
    expect(waitsOf(shop)).toEqual({ orders: 1, sumMs: 2_000, completed: { 2: 1 } });
    expect(Object.values(row('browser').verdicts)).toContain('server_copy');
    expect(pipeline.problems).toEqual([]);
  });

  it('goes out as it is at the end of the wait where no page reports it', async () => {
    const shop = await openOrder(wait);
    const { pipeline, send, row, atMeta } = shop;
    await send('server', now);
    await pipeline.drain();
    pipeline.clock.advance(9_999);
    await pipeline.drain();
    expect(isAccepted(shop)).toBe(true);
    pipeline.clock.advance(1);
    await pipeline.drain();
    expect(atMeta()).toEqual([NOTHING]);
    expect(row('server').event).not.toHaveProperty('fromPage');
    await shop.pass(5);
    expect(waitsOf(shop)).toEqual({ orders: 1, sumMs: 10_000, completed: {} });
  });

  it('counts as completed by a page of its own event id from when that came, though it waits to the end', async () => {
    const shop = await openOrder(wait);
    const { pipeline, send, pass, row } = shop;
    await send('server', now);
    await pipeline.drain();
    pipeline.clock.advance(4_000);
    await send('browser', { ...now, event_id: 'of-the-page' });
    await pipeline.drain();
    pipeline.clock.advance(6_000);
    await pipeline.drain();
    await pass(5);
    expect(row('server').event.pageWait).toEqual({ endMs: 10_000, pageMs: 4_000 });
    expect(waitsOf(shop)).toEqual({ orders: 1, sumMs: 10_000, completed: { 4: 1 } });
  });

  it('waits in vain where the page was there before, under an id of its own', async () => {
    const shop = await openOrder(wait);
    const { pipeline, send, pass, row } = shop;
    await send('browser', { ...now, event_id: 'of-the-page' });
    await pipeline.drain();
    pipeline.clock.advance(1_000);
    await send('server', now);
    await pipeline.drain();
    pipeline.clock.advance(10_000);
    await pipeline.drain();
    await pass(5);
    expect(row('server').event.fromPage).toContain('fbp');
    expect(waitsOf(shop)).toEqual({ orders: 1, sumMs: 10_000, completed: {} });
  });

  it('is found by its slot where the message that ends the wait is lost', async () => {
    const shop = await openOrder(wait);
    const { pipeline, send, pass, atMeta } = shop;
    await send('server', now);
    await pipeline.drain();
    pipeline.queues.accepted.purge();
    await pass(3);
    expect(atMeta()).toEqual([NOTHING]);
  });

  it('keeps no other event: those beside it are sent at once', async () => {
    const { pipeline, send, atMeta } = await openOrder(wait);
    await send('server', now);
    await send('server', { ...now, event_id: 'lead', event_name: 'Lead' });
    await send('server', {
      ...now,
      event_id: 'known',
      order_id: 'known',
      user_data: { browser_ids: { fbp: FBP } },
    });
    await pipeline.drain();
    expect([atMeta(), atMeta('lead').length, atMeta('known').length]).toEqual([[], 1, 1]);
  });
});
