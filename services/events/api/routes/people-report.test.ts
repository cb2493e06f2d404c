// Goal: a request for access is answered with all that is stored of the person and to whom it went, page by page, and with nothing
// of another person; what cannot be opened is said.
import { expect, it } from 'vitest';
import { DAY_MS } from '#lib/core/work/time-slot.ts';
import { UnreadablePart } from '#lib/events/ports/event-vault.ts';
import { reportPerson } from '#lib/events/routes/orders/people.ts';
import { bodyOf, NOW, openApi } from '#test/contract/api-host.ts';
import { peopleOf } from '#test/contract/people-rows.ts';
import { acceptedRow, connectionOf, deliveryIn, store } from '#test/contract/stored-rows.ts';

const JANE = { email: 'Jane@Example.com', phone: '+49 30 1234567', customer_id: 'C-1', city: 'Berlin' };
const JOE = { email: 'joe@example.com' };

async function open() {
  const host = await openApi();
  for (const platform of ['meta', 'tiktok', 'ga4']) await connectionOf(host, platform);
  const token = host.session('admin');
  const ask = (query: Readonly<Record<string, string>>) =>
    host.call(`/v1/people/report?${new URLSearchParams(query)}`, { token });
  return {
    ...host,
    ask,
    take: peopleOf(host),
    report: async (query: Readonly<Record<string, string>>) => bodyOf(reportPerson, await ask(query)),
  };
}

it('says what is stored of a person, by name, and who took it, or may have', async () => {
  const { take, report, events } = await open();
  const unknown = deliveryIn('FAILED', { unknowns: 1 });
  const deliveries = { meta: deliveryIn('DELIVERED'), tiktok: deliveryIn('FAILED'), ga4: unknown };
  await take({ eventId: 'order', receivedAtMs: NOW - 1_000, event: { orderId: '1' }, deliveries }, JANE);
  await take({ eventId: 'of joe', receivedAtMs: NOW - 900, deliveries }, JOE);
  await store(events, acceptedRow({ eventId: 'fresh', receivedAtMs: NOW, body: { user_data: JANE } }));
  const { index, events: found, unreadable, next_cursor } = await report({ email: JANE.email });
  const stored = ['email', 'phone', 'city', 'external_id'];
  expect(found).toMatchObject([
    { event_id: 'fresh', stored, sent_to: [] },
    { event_id: 'order', stored, sent_to: expect.arrayContaining(['meta', 'ga4']) },
  ]);
  expect(found[1]?.sent_to).toHaveLength(2);
  const received_at = new Date(NOW - 1_000).toISOString();
  const kept = {
    first_click: null,
    click_ids: [],
    orders: [{ order_id: '1', received_at }],
    conversions: [],
  };
  expect(index).toEqual([{ by: 'email', suppressed_since: null, ...kept }]);
  expect([unreadable, next_cursor]).toEqual([0, null]);
});

it('names the click ids that are kept for later orders, without their values', async () => {
  const { take, report } = await open();
  const event = { name: 'PageView' } as const;
  await take(
    { eventId: 'visit', event },
    { ...JANE, browser_ids: { gclid: 'secret-id', ttclid: 'other-id' } },
  );
  const body = await report({ email: JANE.email });
  const [found] = body.index;
  expect(found?.click_ids.map(({ name }) => name).sort()).toEqual(['gclid', 'ttclid']);
  expect(JSON.stringify(body)).not.toContain('secret-id');
});

it('finds by any of several, and shows the index of each', async () => {
  const { take, report } = await open();
  await take({ eventId: 'by phone', event: { name: 'Lead' } }, { phone: JANE.phone });
  await take({ eventId: 'by id' }, { customer_id: JANE.customer_id });
  await take({ eventId: 'of joe' }, JOE);
  const { index, events } = await report({ phone: JANE.phone, external_id: JANE.customer_id });
  expect(events.map(({ event_id }) => event_id).sort()).toEqual(['by id', 'by phone']);
  expect(index.map(({ by, conversions }) => [by, conversions.map(({ event_name }) => event_name)])).toEqual([
    ['phone', ['Lead']],
    ['external_id', ['Purchase']],
  ]);
});

it('goes on page by page through all that is kept, without the index after the first', async () => {
  const { take, report } = await open();
  for (let i = 0; i < 7; i++)
    await take({ eventId: `e${i}`, receivedAtMs: NOW - i * DAY_MS }, i % 2 === 0 ? JANE : JOE);
  const first = await report({ email: JANE.email, limit: '3' });
  expect(first.events.map(({ event_id }) => event_id)).toEqual(['e0', 'e2', 'e4']);
  const second = await report({ email: JANE.email, limit: '3', cursor: first.next_cursor ?? '' });
  expect(second.events.map(({ event_id }) => event_id)).toEqual(['e6']);
  expect([first.index.length, second.index, second.next_cursor]).toEqual([1, [], null]);
  expect(second.covers.until).toBe(first.covers.from);
  expect(Date.parse(second.covers.from)).toBeLessThanOrEqual(NOW - 90 * DAY_MS);
});

it('counts what cannot be opened, and shows the rest', async () => {
  const { take, report, eventVault } = await open();
  await take({ eventId: 'damaged' }, JANE);
  await take({ eventId: 'whole' }, JANE);
  const { open: real } = eventVault;
  eventVault.open = async (row, sealed) => {
    if (row.key.eventId === 'damaged') throw new UnreadablePart('damaged');
    return await real(row, sealed);
  };
  const { events, unreadable } = await report({ email: JANE.email });
  expect([events.map(({ event_id }) => event_id), unreadable]).toEqual([['whole'], 1]);
});

it.each([
  ['nobody', {}],
  ['no address', { email: 'jane' }],
  ['a number that may be of several', { email: JANE.email, phone: '030 1234567' }],
])('refuses %s', async (_, query: Record<string, string>) => {
  const { ask } = await open();
  expect((await ask(query)).status).toBe(400);
});
