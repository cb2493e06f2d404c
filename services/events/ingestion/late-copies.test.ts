// Goal: of the page events that come after their server event only those are stored that add something to it.
import { expect, it } from 'vitest';
import { acceptedRow, normalizedRow, store } from '#test/contract/stored-rows.ts';
import {
  BROWSER,
  MERCHANT,
  NOW_MS,
  purchase,
  request,
  send,
  testIngestion,
} from '#test/support/ingestion.ts';

const DAY_MS = 86_400_000;
const place = { eventId: 'e', merchantId: MERCHANT } as const;
const CLICK = 'https://shop.example/thanks?fbclid=IwAR2F4';

const states = {
  'not normalized': () => acceptedRow({ ...place, receivedAtMs: NOW_MS - 5_000 }),
  normalized: () => normalizedRow({ ...place, receivedAtMs: NOW_MS - 5_000 }),
  completed: () => normalizedRow({ ...place, receivedAtMs: NOW_MS - 5_000, event: { fromPage: ['fbp'] } }),
  'no order': () => normalizedRow({ ...place, receivedAtMs: NOW_MS - 5_000, event: { name: 'Lead' } }),
  'of another day': () => normalizedRow({ ...place, receivedAtMs: NOW_MS - DAY_MS }),
};

it.each<[keyof typeof states, string, Record<string, unknown>, boolean]>([
  ['not normalized', 'without a click', {}, true],
  ['not normalized', 'that denied storage', { consent: { ad_storage: 'denied' } }, false],
  ['not normalized', 'that denied the use of data', { consent: { ad_user_data: 'denied' } }, false],
  ['normalized', 'without a click', { event_source_url: 'https://shop.example/?utm_source=a&gclid=' }, false],
  ['normalized', 'with a click in its address', { event_source_url: CLICK }, true],
  ['normalized', 'with a click in the address before', { referrer_url: CLICK }, true],
  ['normalized', 'with a click id', { user_data: { browser_ids: { ttclid: 't' } } }, true],
  ['normalized', 'with a cookie', { user_data: { browser_ids: { fbp: 'fb.1.1795250000000.1' } } }, false],
  ['completed', 'with a click', { event_source_url: CLICK }, false],
  ['no order', 'with a click', { event_source_url: CLICK }, false],
  ['of another day', 'without a click', {}, true],
])('beside an order that is %s, a copy %s: stored %#', async (state, _, said, isStored) => {
  const { app, events } = testIngestion();
  await store(events, states[state]());
  const body = purchase({ event_id: 'e', merchant_id: MERCHANT, user_data: {}, ...said });
  for (let times = 0; times < 2; times++) {
    const reply = await send(app, request('/v1/browser/events', body, { 'user-agent': BROWSER }));
    // A second report of what is an event of its own is a duplicate.
    expect(reply.status).toBe(state === 'of another day' && times === 1 ? 409 : 202);
    expect(events.rows()).toHaveLength(isStored ? 2 : 1);
  }
});

it('stores nothing that a crawler reports', async () => {
  const { app, events } = testIngestion();
  await store(events, states['not normalized']());
  const body = purchase({ event_id: 'e', merchant_id: MERCHANT, user_data: {} });
  const reply = await send(app, request('/v1/browser/events', body, { 'user-agent': 'Headless' }));
  expect([reply.status, events.rows().length]).toEqual([202, 1]);
});
