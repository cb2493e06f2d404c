// What the shop asks of what it sent: its events, their deliveries, its orders and the figures over all of them.
import type { Shop } from './shop.ts';

const event = { event_id: 'view-1', event_name: 'PageView', event_time: 1_795_177_996, user_data: {} };
const params = { id: 'order-1001' };
/** Two of the buckets that figures are kept in. */
const query = { start: '2026-11-20T12:00:00Z', end: '2026-11-20T12:50:00Z' };

export async function shopAsks(shop: Shop): Promise<void> {
  await shop.keep('listEvents', { query: { event_name: 'Purchase', limit: '1' } });
  await shop.keep('readEvent', { params });
  await shop.keep('explainEvent', { params, entries: 4 });
  await shop.keep('listDeliveries', { query: { platform: 'meta', status: 'FAILED', limit: '1' } });
  await shop.keep('previewPlatform', { body: { platform: 'meta', event } });
  await shop.keep('listOrders', { query: { limit: '1' } });
  await shop.keep('readOrder', { params });
  await shop.keep('readPerson', { query: { email: 'jane@example.com', limit: '1' } });
  await shop.keep('reportPerson', { query: { email: 'jane@example.com', limit: '1' } });
  await shop.keep('getOverview', { query, entries: 2 });
  await shop.keep('getVolume', { query });
  await shop.keep('getCoverage', { query, entries: 2 });
  await shop.keep('getQuality', { query, entries: 1 });
  await shop.keep('getFunnel', { query });
  await shop.keep('getRevenueAttribution', { query, entries: 2 });
  await shop.keep('verifyAnalytics', { body: query, entries: 3, maps: ['figures'] });
}
