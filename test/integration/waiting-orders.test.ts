// A server's order that waits for its page: as long as its merchant wants, until the page has reported it, and nothing
// waits with it.
import { afterEach, describe, expect, it } from 'vitest';
import { FBP, GAINED, NOTHING, ORDER_ID, openOrder, SENT } from '../support/reported-twice.ts';
import { closeShops } from '../support/sandbox-shop.ts';

afterEach(closeShops);

describe('an order that waits for its page', () => {
  const wait = { pageCopyWaitSec: 10 };
  /** The shop was opened ten minutes ago. */
  const event_time = SENT + 600;
  const now = { event_time };
  const WHOLE = { ...GAINED, fbc: GAINED.fbc.replace(/\d{13}/, String(event_time * 1_000)) };
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
    expect(row('server').event).toMatchObject({ credit: { touch: 'meta' }, dedupId: ORDER_ID });
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
