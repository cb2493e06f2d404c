// Orders of people who came by a network: the click is in the address of a page, of the order's own or of an earlier visit of the same
// browser. What the network counts, over HTTP, is what the shop sent; an order without its click stays here and says so.
import { afterEach, describe, expect, it } from 'vitest';
import samples from '../../lib/events/platforms/sample-credentials.json' with { type: 'json' };
import { closeShops, GRANTED, openShop } from '../support/sandbox-shop.ts';

const NAMES = { event_ids: { Purchase: 'purchase' } };
const KEYS = { account_id: '1001', api_key: 'sandbox-key-01' };
const NETWORKS = [
  ['openai_ads', 'oppref', {}],
  ['taboola', 'tblci', NAMES],
  ['outbrain', 'OutbrainClickId', NAMES],
  ['awin', 'awc', KEYS],
  ['impact', 'irclickid', { ...NAMES, ...KEYS, campaign_id: '3641' }],
  ['criteo', 'crto_mapped_user_id', { account_id: '12345', caller_id: '70', region: 'eu' }],
] as const;
afterEach(closeShops);

async function open(network: (typeof NETWORKS)[number][0], entered: object) {
  const slug = network === 'openai_ads' ? network : 'postback';
  const postback = network === 'openai_ads' ? samples.postback : { network, ...entered };
  const shop = await openShop({}, { credentials: { ...samples, postback } });
  const { pipeline } = shop;
  const say = async (event: Record<string, unknown>, channel?: 'browser') => {
    const event_time = Math.floor(pipeline.clock.now() / 1_000);
    await pipeline.accept({ event_time, consent: GRANTED, ...event }, channel);
    await pipeline.drain();
  };
  const order = (id: string, over: Record<string, unknown> = {}) =>
    say({
      ...{ event_id: id, event_name: 'Purchase', order_id: id, value: 59.98, currency: 'USD' },
      event_source_url: 'https://shop.example/thanks',
      user_data: {},
      ...over,
    });
  const fate = (id: string) => {
    const row = pipeline.events.rows().find(({ key }) => key.eventId === id);
    return row?.state === 'normalized'
      ? (row.deliveries[slug]?.reason ?? row.deliveries[slug]?.state ?? row.verdicts[slug])
      : undefined;
  };
  return { ...shop, say, order, fate, counted: async () => (await shop.counted())[slug] };
}

describe.each(NETWORKS)('%s', (network, parameter, entered) => {
  const isCookie = parameter === 'crto_mapped_user_id';
  /** As it stands in the address of the page that was landed on, or in the cookie. */
  const told = (click: string) =>
    isCookie
      ? { user_data: { browser_ids: { [parameter]: click } } }
      : { event_source_url: `https://shop.example/thanks?${parameter}=${click}` };

  it('counts each order with its click once, and gets none without', async () => {
    const { order, fate, counted, pass } = await open(network, entered);
    for (let i = 0; i < 5; i++) await order(`order-${i}`, told(`click-${i}`));
    await order('order-0', told('click-0'));
    await order('order-of-nobody');
    await pass(2);
    const orders = network === 'openai_ads' ? 6 : 5;
    const usd = network === 'criteo' ? undefined : String((orders * 5_998) / 100);
    expect(await counted()).toMatchObject({ total: orders, ...(usd === undefined ? {} : { usd }) });
    expect(fate('order-0')).toBe('DELIVERED');
    const key = parameter === 'OutbrainClickId' ? 'ob_click_id' : parameter;
    expect(fate('order-of-nobody')).toBe(
      network === 'openai_ads' ? 'DELIVERED' : `invalid:browser_ids.${key}`,
    );
  });

  it.skipIf(isCookie)('gets the click of an earlier visit of the same browser', async () => {
    const { say, order, counted, pass } = await open(network, entered);
    const user_data = { browser_ids: { fbp: 'fb.1.1795250000000.1098115397' } };
    await say({ event_id: 'v', event_name: 'PageView', user_data, ...told('click-9') }, 'browser');
    await order('order-9', { user_data });
    await pass(2);
    const { total } = (await counted()) ?? {};
    // The visit is an event there as well.
    expect(total).toBe(network === 'openai_ads' ? 2 : 1);
  });

  it.skipIf(isCookie || network === 'openai_ads')('gets nothing of who refused advertising', async () => {
    const { order, fate, counted, pass } = await open(network, entered);
    await order('order-1', { ...told('click-1'), consent: { ...GRANTED, ad_storage: 'denied' } });
    await pass(2);
    expect(await counted()).toMatchObject({ total: 0 });
    expect(fate('order-1')).toMatch(/^consent_denied/);
  });
});
