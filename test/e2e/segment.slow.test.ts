// The published client of Segment against the embedded host, which is killed with SIGKILL in the middle: nothing it was
// given is lost, nothing is counted twice, at a client that knows of us only its host and write key.
import { Analytics } from '@segment/analytics-node';
import { expect, it } from 'vitest';
import { runningEmulators } from '../support/emulators.ts';
import { allEvents, counted, keepPlatforms, until, useKillableHost } from './hosts.ts';

/** Fewer where each message is a request to another program. */
const EVENTS = runningEmulators() === undefined ? 1_000 : 300;
const REST_MAX_MS = 600_000;
const PLATFORM = 'meta';

const host = useKillableHost();

it('events through a kill -9: none lost, none doubled', { timeout: 3 * REST_MAX_MS }, async () => {
  let session = await host.start();
  // One platform: what is asked here is whether they all came in, and once.
  await keepPlatforms(session, PLATFORM);
  let answered = 0;
  const client = new Analytics({
    writeKey: session.api_key,
    flushAt: 50,
    maxEventsInBatch: 50,
    maxRetries: 1_000,
    // Where the host listens changes with its process, as it would not behind a domain.
    httpClient: async (url, init) => {
      const response = await fetch(session.ingestion_url + new URL(url).pathname, init as RequestInit);
      if (response.ok) answered += 50;
      return response;
    },
  });
  const failed: unknown[] = [];
  client.on('error', (error) => failed.push(error));
  const ids = new Set<string>();
  client.on('http_request', ({ body }) => {
    for (const { messageId } of (JSON.parse(body as string) as { batch: { messageId: string }[] }).batch)
      ids.add(messageId);
  });

  for (let i = 0; i < EVENTS; i++) client.track(order(i));
  await until(() => answered >= EVENTS / 3, REST_MAX_MS);
  await host.kill();
  session = await host.start();
  await client.flush({ timeout: REST_MAX_MS, close: true });

  expect(failed).toEqual([]);
  expect(ids.size).toBe(EVENTS);
  const stored = await allEvents<{ event_id: string }>(session);
  expect(stored.map(({ event_id }) => event_id).sort()).toEqual([...ids].sort());
  const cents = (EVENTS * (EVENTS - 1)) / 2 + 100 * EVENTS;
  await until(async () => (await counted(session, PLATFORM)).total >= EVENTS, REST_MAX_MS);
  const { total, value_by_currency } = await counted(session, PLATFORM);
  expect([total, Number(value_by_currency.EUR)]).toEqual([EVENTS, cents / 100]);
});

const order = (i: number) => ({
  event: 'Order Completed',
  userId: `user-${i}`,
  context: {
    ip: '203.0.113.7',
    userAgent: 'Mozilla/5.0 (X11; Linux x86_64)',
    page: { url: 'https://shop.example/thanks' },
    traits: { email: `u${i}@example.com` },
  },
  properties: { order_id: `o-${i}`, revenue: (100 + i) / 100, currency: 'EUR' },
});
