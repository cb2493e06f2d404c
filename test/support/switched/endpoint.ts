// The ingestion over HTTP, as clients of other products find it, and what is to have arrived of 200 orders.
import { expect } from 'vitest';
import { functionUrlHandler } from '#lib/adapters/lambda/function-url.ts';
import type { HttpApp } from '#lib/core/http/http-message.ts';
import { openFunctionUrl } from '#services/local/functions/function-url.ts';
import { testIngestion } from '../ingestion.ts';

export const CALLS = 200;
const CENTS = (CALLS * (CALLS - 1)) / 2 + 100 * CALLS;

export const order = (i: number) => ({
  event: 'Order Completed',
  userId: `user-${i}`,
  context: { ip: '203.0.113.7', traits: { email: `u${i}@example.com` } },
  properties: { order_id: `o-${i}`, revenue: (100 + i) / 100, currency: 'EUR' },
});

export async function openSwitched() {
  const problems: unknown[] = [];
  let failures = 0;
  const { events } = testIngestion();
  const claim: typeof events.claim = (row) =>
    failures > 0 ? Promise.reject(new Error('no answer')) : events.claim(row);
  const ingestion = testIngestion({ events: { ...events, claim } });
  const app: HttpApp = async (request) => {
    const reply = await ingestion.app(request);
    if (request.method === 'POST') failures = Math.max(0, failures - 1);
    return reply;
  };
  const { url, serve, close } = await openFunctionUrl('ingestion', 0, (problem) => problems.push(problem));
  const handle = functionUrlHandler(app);
  serve((event) => handle(event as Parameters<typeof handle>[0]));
  const orders = () =>
    events
      .rows()
      .map((row) => (row.state === 'accepted' ? row.body : undefined))
      .filter((body) => body?.event_name === 'Order Completed');
  return {
    ...{ url, close, problems },
    /** So many of the next requests find nothing to store events in. */
    fail: (requests: number): void => {
      failures = requests;
    },
    received: (): number => events.rows().length,
    expectAll: (): void => {
      expect(problems).toEqual([]);
      expect(new Set(orders().map((body) => body?.order_id)).size).toBe(CALLS);
      expect(orders()).toHaveLength(CALLS);
      expect(orders().reduce((sum, body) => sum + Math.round((body?.value ?? 0) * 100), 0)).toBe(CENTS);
    },
  };
}
