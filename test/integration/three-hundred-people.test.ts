// Goal: of three hundred people who click a TikTok ad and then buy, all at once, each is credited to TikTok and none is direct, and the
// recount finds nothing else. Method: the whole pipeline on memory ports, asked with the API's own handlers.
import { expect, it } from 'vitest';
import { MINUTE_MS } from '../../lib/core/work/time-slot.ts';
import { CREDIT_MODELS } from '../../lib/events/domain/analytics/credit-models.ts';
import type { ApiPorts } from '../../services/events/api/ports.ts';
import { insightHandlers } from '../../services/events/api/routes/analytics-insights.ts';
import { createMemoryConfig } from '../support/memory/config-stores.ts';
import { CALL } from '../support/replaying.ts';
import { openSettlingShop } from '../support/settling/shop.ts';

const PEOPLE = Array.from({ length: 300 }, (_, i) => ({ email: `person.${i}@example.com` }));
it.each([
  ['each person in a message of its own', false],
  ['as they come from the queue together', true],
])('three hundred clicks and three hundred orders, %s', async (_, together) => {
  const shop = openSettlingShop();
  const { accept, send, clock, follow } = shop;
  const tell = together ? accept : send;
  for (const [i, person] of PEOPLE.entries()) {
    const browser_ids = { ttclid: `E.C.P.click-${i}` };
    await tell({ event_name: 'PageView', user_data: { ...person, browser_ids } }, 'browser');
  }
  await shop.drain();
  clock.advance(5 * MINUTE_MS);
  for (const [i, user_data] of PEOPLE.entries())
    await tell({ event_name: 'Purchase', order_id: `o-${i}`, value: 10, currency: 'EUR', user_data });
  await follow();

  const config = { ...createMemoryConfig(), merchant: async () => null, listConnections: async () => [] };
  const asked = { ...shop, ...shop.ports, config, ceilings: { retentionDays: 400 } } as unknown as ApiPorts;
  const api = insightHandlers(asked);
  for (const model of CREDIT_MODELS) {
    const answer = await api.getRevenueAttribution({
      ...CALL,
      params: undefined,
      body: undefined,
      query: { range: '24h', model },
    });
    const { platforms, total } = 'failure' in answer ? expect.unreachable(answer.failure) : answer.body;
    expect(platforms.filter(({ orders }) => orders > 0)).toMatchObject([
      {
        platform: 'tiktok',
        orders: 300,
        unlinked_orders: 0,
        revenue: { EUR: { orders: 300, amount: 3_000 } },
      },
    ]);
    expect(total).toMatchObject({ orders: 300, revenue: { EUR: { minor: '300000' } } });
  }
  const answer = await api.verifyAnalytics({
    ...CALL,
    params: undefined,
    query: undefined,
    body: { range: '24h', settle: false },
  });
  const { drift, rows, credit } = 'failure' in answer ? expect.unreachable(answer.failure) : answer.body;
  expect({ drift, rows, credit }).toMatchObject({
    ...{ drift: 0, rows: 600 },
    credit: { orders: 300, differing: 0, unknown: 0 },
  });
});
