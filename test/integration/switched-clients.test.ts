// The published server libraries of Segment and RudderStack, as they come, against the ingestion over HTTP as AWS and the
// local host serve it: two settings are changed, and everything arrives, once.
import RudderAnalytics from '@rudderstack/rudder-sdk-node';
import { Analytics } from '@segment/analytics-node';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { functionUrlHandler } from '../../lib/adapters/lambda/function-url.ts';
import { type FunctionUrl, openFunctionUrl } from '../../services/local/functions/function-url.ts';
import { API_KEY, testIngestion } from '../support/ingestion.ts';

const CALLS = 200;
const problems: unknown[] = [];
let ingestion: ReturnType<typeof testIngestion>;
let endpoint: FunctionUrl;

beforeEach(async () => {
  problems.length = 0;
  ingestion = testIngestion();
  endpoint = await openFunctionUrl('ingestion', 0, (problem) => problems.push(problem));
  const handle = functionUrlHandler(ingestion.app);
  endpoint.serve((event) => handle(event as Parameters<typeof handle>[0]));
});
afterEach(() => endpoint.close());

const order = (i: number) => ({
  event: 'Order Completed',
  userId: `user-${i}`,
  context: { ip: '203.0.113.7', traits: { email: `u${i}@example.com` } },
  properties: { order_id: `o-${i}`, revenue: (100 + i) / 100, currency: 'EUR' },
});
const orders = () =>
  ingestion.events
    .rows()
    .map((row) => (row.state === 'accepted' ? row.body : undefined))
    .filter((body) => body?.event_name === 'Order Completed');
const cents = (CALLS * (CALLS - 1)) / 2 + 100 * CALLS;

function expectAll(): void {
  expect(problems).toEqual([]);
  expect(new Set(orders().map((body) => body?.order_id)).size).toBe(CALLS);
  expect(orders()).toHaveLength(CALLS);
  expect(orders().reduce((sum, body) => sum + Math.round((body?.value ?? 0) * 100), 0)).toBe(cents);
}

describe("RudderStack's Node SDK", () => {
  it.each([
    ['compressed, as it is by default', {}],
    ['as it is', { gzip: false }],
    ['to its short path', { path: '/v1/b' }],
    ['as an import', { path: '/v1/import' }],
  ])('arrives whole, %s', async (_, settings) => {
    const client = new RudderAnalytics(API_KEY, {
      dataPlaneUrl: endpoint.url,
      flushAt: 50,
      logLevel: 'error',
      errorHandler: (error: unknown) => void problems.push(error),
      ...settings,
    });
    for (let i = 0; i < CALLS; i++) client.track(order(i));
    client.identify({ userId: 'u', traits: { email: 'a@example.com' } });
    client.page({ userId: 'u', name: 'Home' });
    client.screen({ userId: 'u', name: 'Cart' });
    client.group({ userId: 'u', groupId: 'g' });
    client.alias({ userId: 'u', previousId: 'v' });
    while (ingestion.events.rows().length < CALLS + 5 && problems.length === 0) await client.flush();
    expectAll();
  });
});

describe("Segment's Node SDK", () => {
  it('arrives whole', async () => {
    const client = new Analytics({ writeKey: API_KEY, host: endpoint.url, flushAt: 50 });
    client.on('error', (error) => problems.push(error));
    for (let i = 0; i < CALLS; i++) client.track(order(i));
    await client.closeAndFlush();
    expectAll();
  });
});
