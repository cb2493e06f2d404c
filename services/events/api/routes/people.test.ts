// Goal: a person is found by exactly one of what identifies them, with what they ordered and what is left of it; another merchant's
// is not found, and nothing of whom was asked for is said anywhere else.
import { expect, it } from 'vitest';
import { DAY_MS } from '#lib/core/work/time-slot.ts';
import { createOrderReports } from '#lib/events/pipeline/orders/order-reports.ts';
import { UnreadablePart } from '#lib/events/ports/event-vault.ts';
import { readPerson } from '#lib/events/routes/orders/people.ts';
import { bodyOf, NOW, openApi, THEIRS } from '#test/contract/api-host.ts';
import { peopleOf } from '#test/contract/people-rows.ts';
import { sha256 } from '#test/contract/stored-rows.ts';

const JANE = { email: 'Jane@Example.com', phone: '+49 30 1234567', customer_id: 'C-1' };
const CLICK = { browser_ids: { ttclid: 'clicked' } };
const iso = (atMs: number) => new Date(atMs).toISOString();

async function open() {
  const host = await openApi();
  const take = peopleOf(host);
  const token = host.session('member');
  const ask = async (query: Readonly<Record<string, string>>) =>
    await host.call(`/v1/people?${new URLSearchParams(query)}`, { token });
  const find = async (query: Readonly<Record<string, string>>) => bodyOf(readPerson, await ask(query));
  const order = async (id: string, user: object = JANE, over: object = {}) =>
    await take({ eventId: `e${id}`, receivedAtMs: NOW - 60_000, event: { orderId: id }, ...over }, user);
  return { ...host, take, ask, find, order };
}

it.each([
  ['address', { email: ' jane@example.com' }],
  ['digest of the address', { email: sha256('jane@example.com') }],
  ['number', { phone: '+49301234567' }],
  ['customer', { external_id: 'c-1' }],
])('finds a person by %s, with the order, its credit and what was taken back', async (_, query) => {
  const { take, order, find, orders } = await open();
  const visit = { eventId: 'v', receivedAtMs: NOW - DAY_MS, event: { name: 'PageView' as const } };
  await take(visit, { ...JANE, ...CLICK });
  const row = await order('1');
  const refund = { name: 'Refund', orderId: '1', dedupId: 'r', value: '2.50', currency: 'EUR' } as const;
  const refunded = { ...row, key: { ...row.key, eventId: 'r' }, ingestId: 'r' };
  await createOrderReports({ orders, platforms: [] }).refund(refunded, refund);
  await order('2', JANE, { receivedAtMs: NOW, event: { orderId: '2', value: '7', currency: 'USD' } });
  await order('3', { email: 'joe@example.com' });
  expect(await find(query)).toEqual({
    success: true,
    first_seen: iso(NOW - DAY_MS),
    last_seen: iso(NOW),
    first_click: { platform: 'tiktok', at: iso(NOW - DAY_MS) },
    orders: [
      {
        ...{ order_id: '2', event_id: 'e2', trust: 'server', received_at: iso(NOW), reports: 1 },
        ...{ value: 7, currency: 'USD', refunded: 0, net: 7, credited_to: 'tiktok', last_click: 'tiktok' },
      },
      {
        ...{ order_id: '1', event_id: 'e1', trust: 'server', received_at: iso(NOW - 60_000), reports: 1 },
        ...{
          value: 10,
          currency: 'EUR',
          refunded: 2.5,
          net: 7.5,
          credited_to: 'tiktok',
          last_click: 'tiktok',
        },
      },
    ],
    conversions: [],
    amounts: [
      { currency: 'USD', orders: 1, value: 7, refunded: 0, net: 7 },
      { currency: 'EUR', orders: 1, value: 10, refunded: 2.5, net: 7.5 },
    ],
    is_complete: true,
    limit: 5,
    next_cursor: null,
  });
});

it.each([{ email: JANE.email }, { phone: '+49301234567' }, { external_id: 'C-1' }])(
  'shows what a person did and ordered nothing by, the newest first, by %j',
  async (query) => {
    const { take, find } = await open();
    const did = async (eventId: string, name: 'Lead' | 'StartTrial', channel: 'server' | 'browser') =>
      await take({ eventId, channel, receivedAtMs: NOW - Number(eventId), event: { name } }, JANE);
    await did('9', 'Lead', 'server');
    await did('5', 'StartTrial', 'browser');
    await take({ eventId: 'of joe', event: { name: 'Lead' } }, { email: 'joe@example.com' });
    expect(await find(query)).toMatchObject({
      ...{ first_seen: iso(NOW - 9), last_seen: iso(NOW - 5), orders: [] },
      conversions: [
        { event_id: '5', event_name: 'StartTrial', trust: 'browser', received_at: iso(NOW - 5) },
        { event_id: '9', event_name: 'Lead', trust: 'server', received_at: iso(NOW - 9) },
      ],
    });
  },
);

it('answers one who is not known, and one of another merchant, alike', async () => {
  const { order, ask } = await open();
  await order('1', JANE, { merchantId: THEIRS });
  const none = await ask({ email: 'nobody@example.com' });
  expect((await ask({ email: JANE.email })).text).toBe(none.text);
  expect(none.body).toMatchObject({ first_seen: null, last_seen: null, first_click: null, orders: [] });
});

it('shows the newest first, page by page, each once, also those of one moment', async () => {
  const { order, find } = await open();
  for (let i = 0; i < 12; i++) {
    const orderId = `0${i}`;
    await order(orderId, JANE, { receivedAtMs: NOW - Math.floor(i / 3) * 1_000, event: { orderId } });
  }
  const seen: string[] = [];
  let cursor: string | null = null;
  do {
    const page = await find({ email: JANE.email, ...(cursor === null ? {} : { cursor }) });
    seen.push(...page.orders.map(({ order_id }) => order_id));
    cursor = page.next_cursor;
  } while (cursor !== null);
  expect(seen.map((id) => Math.floor(Number(id) / 3))).toEqual([0, 0, 0, 1, 1, 1, 2, 2, 2, 3, 3, 3]);
  expect(new Set(seen).size).toBe(12);
});

it('says that there were older ones than it keeps', async () => {
  const { order, find } = await open();
  for (let i = 0; i < 22; i++)
    await order(`${i}`, JANE, { receivedAtMs: NOW - i * 3_600_000, event: { orderId: `${i}` } });
  expect((await find({ email: JANE.email })).is_complete).toBe(true);
  await order('last', JANE, { receivedAtMs: NOW, event: { orderId: 'last' } });
  const { orders, is_complete } = await find({ email: JANE.email, limit: '1' });
  expect([orders.length, is_complete]).toEqual([1, false]);
});

it('does not show a stranger an order of which a page said that it is theirs', async () => {
  const { order, find } = await open();
  const page = { channel: 'browser' as const, receivedAtMs: NOW - 120_000 };
  await order('1', { email: 'mallory@example.com' }, { ...page, eventId: 'page', event: { orderId: '1' } });
  expect((await find({ email: 'mallory@example.com' })).orders).toHaveLength(1);
  await order('1');
  expect((await find({ email: 'mallory@example.com' })).orders).toEqual([]);
  expect((await find({ email: JANE.email })).orders).toHaveLength(1);
});

it('forgets orders with the days for which the merchant keeps personal data', async () => {
  const { take: _, ...host } = await open();
  const take = peopleOf(host, 7);
  await take({ eventId: 'e', receivedAtMs: NOW - 7 * DAY_MS - 1, event: { orderId: 'old' } }, JANE);
  await take({ eventId: 'f', receivedAtMs: NOW - 7 * DAY_MS, event: { orderId: 'kept' } }, JANE);
  const { orders } = await host.find({ email: JANE.email });
  expect(orders.map(({ order_id }) => order_id)).toEqual(['kept']);
});

it.each([
  ['nothing', {}],
  ['two', { email: 'a@example.com', phone: '+49301234567' }],
  ['no address', { email: 'jane' }],
  ['a number that may be of several', { phone: '030 1234567' }],
  ['a cursor of another person', { email: 'a@example.com', cursor: 'eyJ0IjoxfQ' }],
])('refuses %s, without repeating it', async (_, query: Record<string, string>) => {
  const { ask, reports } = await open();
  const reply = await ask(query);
  expect(reply.status).toBe(400);
  for (const word of Object.values(query)) expect(reply.text).not.toContain(word);
  expect(reports).toEqual([]);
});

it('says that there may be more where what is kept cannot be read', async () => {
  const { order, find, people, eventVault, reports } = await open();
  await order('1');
  eventVault.openText = async () => {
    throw new UnreadablePart('damaged');
  };
  expect(await find({ email: JANE.email })).toMatchObject({ orders: [], is_complete: false });
  expect([reports.length, people.size()]).toEqual([1, 3]);
  expect(JSON.stringify(reports)).not.toMatch(/jane/i);
});
