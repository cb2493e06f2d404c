// One order of a shop that is built as the pixel's page says: its server reports it with the person, its page with what only
// a browser knows.
import { openShop } from './sandbox-shop.ts';

export const START_MS = Date.UTC(2026, 10, 21, 12);
/** When it happened, Unix seconds. */
export const SENT = START_MS / 1_000 - 60;
export const ORDER_ID = 'order-1234';
export const FBP = 'fb.1.1795250000000.1098115397';
const AGENT =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/19.0 Safari/604.1';

const ORDER = {
  event_id: ORDER_ID,
  event_name: 'Purchase',
  event_time: SENT,
  order_id: '1234',
  value: 99.5,
  currency: 'USD',
  user_data: {},
};
const BY_SERVER = { ...ORDER, user_data: { email: 'jane@example.com', phone: '+4930123456789' } };
export const BY_PAGE = {
  ...ORDER,
  event_source_url: 'https://shop.example/thanks?fbclid=IwAR2F4-dbP0l7Mn1IawQQGCINEz7PYXQvwjNwB',
  user_data: { client_ip: '203.0.113.7', user_agent: AGENT, browser_ids: { fbp: FBP } },
};
/** What Meta is sent of a person that only the page knows. */
export const GAINED = {
  fbc: `fb.1.${SENT * 1_000}.IwAR2F4-dbP0l7Mn1IawQQGCINEz7PYXQvwjNwB`,
  fbp: FBP,
  client_user_agent: AGENT,
  client_ip_address: '203.0.113.7',
};

export async function openOrder(...args: Parameters<typeof openShop>) {
  const shop = await openShop(...args);
  const { pipeline } = shop;
  await shop.settle({
    ...BY_SERVER,
    event_id: 'earlier',
    order_id: 'earlier',
    user_data: { email: 'b@example.com' },
  });
  pipeline.requests.length = 0;
  const send = async (channel: 'server' | 'browser', body: Record<string, unknown> = {}) => {
    await pipeline.accept({ ...(channel === 'server' ? BY_SERVER : BY_PAGE), ...body }, channel);
  };
  /** What Meta was sent about the person of this order. */
  const atMeta = (id = ORDER_ID) =>
    pipeline.requests
      .filter(({ url }) => url.includes('graph.facebook.com'))
      .flatMap(({ body }) => (JSON.parse(String(body)) as { data: MetaEvent[] }).data)
      .filter(({ event_id }) => event_id === id)
      .map(({ user_data: { fbc, fbp, client_user_agent, client_ip_address } }) => ({
        fbc,
        fbp,
        client_user_agent,
        client_ip_address,
      }));
  return { ...shop, send, atMeta };
}

interface MetaEvent {
  readonly event_id: string;
  readonly user_data: Record<string, unknown>;
}
export const NOTHING = {
  fbc: undefined,
  fbp: undefined,
  client_user_agent: undefined,
  client_ip_address: undefined,
};
