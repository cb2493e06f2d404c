// A shop whose server knows the person and whose page knows the click, and which reports orders under no common id: renewals, orders
// by telephone, pages whose scripts are blocked. What the platforms get of the person's earlier events, what is counted, and what a
// denial, an erasure and another shop leave of it.
import { afterEach, describe, expect, it } from 'vitest';
import { sumCounters } from '../../lib/events/domain/analytics/sum.ts';
import type { NormalizedRow } from '../../lib/events/domain/event/row.ts';
import { PLATFORMS } from '../../lib/events/platforms/registry.ts';
import { withErasures } from '../support/erasing.ts';
import { KEYLESS, withReplays } from '../support/replaying.ts';
import { closeShops, openShop } from '../support/sandbox-shop.ts';

const START_MS = Date.UTC(2026, 10, 21, 12);
const HOUR_MS = 3_600_000;
const FBP = 'fb.1.1795250000000.1098115397';
const sec = (ms: number): number => Math.floor(ms / 1_000);
afterEach(closeShops);

async function open() {
  const shop = await openShop();
  const { pipeline } = shop;
  const now = () => pipeline.clock.now();
  const visit = async (over: Record<string, unknown> = {}) => {
    const event = {
      event_id: `visit-${now()}`,
      event_name: 'PageView',
      event_time: sec(now()),
      event_source_url: 'https://shop.example/?fbclid=IwAR2F4-dbP0l7Mn1IawQQGCINEz7PYXQvwjNwB&gclid=Cj0KCQ',
      user_data: { browser_ids: { fbp: FBP } },
      ...over,
    };
    await pipeline.accept(event, 'browser');
    await pipeline.drain();
  };
  const order = async (user_data: Record<string, unknown>, over: Record<string, unknown> = {}) => {
    const event = {
      ...{ event_id: 'order', event_name: 'Purchase', event_time: sec(now()), order_id: '1' },
      ...{ value: 99.5, currency: 'USD', user_data, ...over },
    };
    await pipeline.accept(event);
    await pipeline.drain();
    return pipeline.events.rows().find(({ key }) => key.eventId === event.event_id) as NormalizedRow;
  };
  const fbcAtMeta = () =>
    pipeline.requests
      .filter(({ url }) => url.includes('graph.facebook.com'))
      .flatMap(({ body }) => (JSON.parse(String(body)) as { data: MetaEvent[] }).data)
      .filter(({ event_name }) => event_name === 'Purchase')
      .map(({ user_data }) => user_data.fbc);
  return { ...shop, visit, order, fbcAtMeta };
}

interface MetaEvent {
  readonly event_name: string;
  readonly user_data: Record<string, unknown>;
}
const FBC = `fb.1.${START_MS}.IwAR2F4-dbP0l7Mn1IawQQGCINEz7PYXQvwjNwB`;

describe('an order that came without click ids', () => {
  it.each([
    ['the browser', {}, { email: 'jane@example.com', browser_ids: { fbp: FBP } }],
    ['the address', { email: 'Jane@Example.com ' }, { email: 'jane@example.com' }],
    ['the customer', { customer_id: 'c-1' }, { customer_id: 'c-1', email: 'other@example.com' }],
    ['the number', { phone: '+49 30 123456789' }, { phone: '+4930123456789' }],
  ])('goes out with those that %s was seen with before', async (_by, visitor, buyer) => {
    const { pipeline, pass, visit, order, fbcAtMeta } = await open();
    await visit({ user_data: { browser_ids: { fbp: FBP }, ...visitor } });
    pipeline.clock.advance(HOUR_MS);
    const { event } = await order(buyer);
    expect(event).toMatchObject({ fromEarlier: ['fbc', 'gclid'], credit: { touch: 'google_ads' } });
    expect(event.known).not.toContain('click_id');
    expect(fbcAtMeta()).toEqual([FBC]);
    await pass(5);
    const minutes = pipeline.counters.rows().filter(({ key }) => key.grain === 'minute');
    const { serverOrders } = sumCounters(minutes.map(({ counters }) => counters));
    expect(serverOrders).toEqual({ orders: 1, clicked: 1, gained: 0, joined: 1 });
    expect(pipeline.problems).toEqual([]);
  });

  it('has a click of half a minute after another', async () => {
    const { pipeline, visit, order, fbcAtMeta } = await open();
    await visit({ event_source_url: 'https://shop.example/?ttclid=first' });
    pipeline.clock.advance(30_000);
    await visit({ event_source_url: 'https://shop.example/?fbclid=second' });
    pipeline.clock.advance(30_000);
    const { event } = await order({ email: 'jane@example.com', browser_ids: { fbp: FBP } });
    expect(event.credit).toEqual({ touch: 'tiktok', last: 'meta' });
    expect(fbcAtMeta()).toEqual([`fb.1.${START_MS + 30_000}.second`]);
  });

  it('has the newest click, and keeps it when it is replayed after another', async () => {
    const { pipeline, visit, order, fbcAtMeta } = await open();
    const to = (fbclid: string) => ({ event_source_url: `https://shop.example/?fbclid=${fbclid}` });
    await visit(to('first'));
    pipeline.clock.advance(HOUR_MS);
    await visit(to('second'));
    pipeline.clock.advance(HOUR_MS);
    await order({ email: 'jane@example.com', browser_ids: { fbp: FBP } });
    await visit(to('third'));
    const { api } = withReplays(pipeline, PLATFORMS);
    const asked = { ...KEYLESS, params: { id: 'order' }, body: { dedupe: 'original' } } as const;
    expect(await api.replayEvent(asked)).toMatchObject({ status: 202 });
    await pipeline.drain();
    const second = `fb.1.${START_MS + HOUR_MS}.second`;
    expect(fbcAtMeta()).toEqual([second, second]);
  });
});

describe('nothing is joined', () => {
  const BUYER = { email: 'jane@example.com', browser_ids: { fbp: FBP } };
  const DENIED = { ad_storage: 'denied' } as const;

  it.each<[string, Record<string, unknown>, Record<string, unknown>, Record<string, unknown>]>([
    ['to an order whose person denies it now', {}, BUYER, { consent: DENIED }],
    ['of a visit whose person denied it', { consent: { ad_user_data: 'denied' } }, BUYER, {}],
    ['of another browser', {}, { email: 'jane@example.com', browser_ids: { fbp: `${FBP}9` } }, {}],
    ['to an order of before the click', {}, BUYER, { event_time: sec(START_MS) - 60 }],
    ['to another event', {}, BUYER, { event_name: 'Lead', order_id: undefined }],
  ])('%s', async (_what, visited, buyer, ordered) => {
    const { pipeline, visit, order } = await open();
    await visit(visited);
    const { event } = await order(buyer, ordered);
    expect(event).not.toHaveProperty('fromEarlier');
    expect(pipeline.problems).toEqual([]);
  });

  it('once the person was erased', async () => {
    const { pipeline, visit, order } = await open();
    await visit({ user_data: { email: 'jane@example.com', browser_ids: { fbp: FBP } } });
    const erasing = withErasures(pipeline);
    await erasing.begin({ email: 'jane@example.com' });
    await erasing.finish();
    const { event } = await order({ email: 'jane@example.com' });
    expect(event).not.toHaveProperty('fromEarlier');
  });
});

it('an order is taken although the ids of its person cannot be opened, and it is said', async () => {
  const { pipeline, visit, order } = await open();
  await visit();
  const stored = pipeline.attribution.people;
  pipeline.attribution.people = async (...asked) =>
    new Map(
      [...(await stored(...asked))].map(([key, person]) => [
        key,
        { ...person, clicks: { sealed: 'AAAA', writtenAtMs: START_MS } },
      ]),
    );
  const { event } = await order({ email: 'jane@example.com', browser_ids: { fbp: FBP } });
  expect(event).not.toHaveProperty('fromEarlier');
  expect(pipeline.problems.map(String)).toEqual([expect.stringContaining('clicks of a person')]);
});
