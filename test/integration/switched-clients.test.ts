// The published server libraries of Segment and RudderStack, as they come, against the ingestion over HTTP as AWS and the
// local host serve it: two settings are changed, and everything arrives, once.
import RudderAnalytics from '@rudderstack/rudder-sdk-node';
import { Analytics } from '@segment/analytics-node';
import { afterEach, beforeEach, describe, it } from 'vitest';
import { API_KEY } from '../support/ingestion.ts';
import { CALLS, openSwitched, order } from '../support/switched/endpoint.ts';

let switched: Awaited<ReturnType<typeof openSwitched>>;

beforeEach(async () => {
  switched = await openSwitched();
});
afterEach(() => switched.close());

describe("RudderStack's Node SDK", () => {
  it.each([
    ['compressed, as it is by default', {}],
    ['as it is', { gzip: false }],
    ['to its short path', { path: '/v1/b' }],
    ['as an import', { path: '/v1/import' }],
  ])('arrives whole, %s', async (_, settings) => {
    const client = new RudderAnalytics(API_KEY, {
      dataPlaneUrl: switched.url,
      flushAt: 50,
      logLevel: 'error',
      errorHandler: (error: unknown) => void switched.problems.push(error),
      ...settings,
    });
    for (let i = 0; i < CALLS; i++) client.track(order(i));
    client.identify({ userId: 'u', traits: { email: 'a@example.com' } });
    client.page({ userId: 'u', name: 'Home' });
    client.screen({ userId: 'u', name: 'Cart' });
    client.group({ userId: 'u', groupId: 'g' });
    client.alias({ userId: 'u', previousId: 'v' });
    while (switched.received() < CALLS + 5 && switched.problems.length === 0) await client.flush();
    switched.expectAll();
  });
});

describe("Segment's Node SDK", () => {
  it('arrives whole', async () => {
    const client = new Analytics({ writeKey: API_KEY, host: switched.url, flushAt: 50 });
    client.on('error', (error) => switched.problems.push(error));
    for (let i = 0; i < CALLS; i++) client.track(order(i));
    await client.closeAndFlush();
    switched.expectAll();
  });
});
