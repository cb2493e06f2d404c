// Two purchases of one order are counted as such, on rows that are read anyway.
import { expect, it } from 'vitest';
import { MINE, NOW } from '#test/contract/api-host.ts';
import { acceptedRow, normalizedRow, store } from '#test/contract/stored-rows.ts';
import { createMemoryBatchStore } from '#test/support/memory/batch-store.ts';
import { createMemoryEventStore } from '#test/support/memory/event-store.ts';
import { recount } from './counting/recount.ts';

const MINUTE = Math.floor(NOW / 60_000) * 60_000;
const HOUR = Math.floor(NOW / 3_600_000) * 3_600_000;

async function repeated(
  rows: readonly Parameters<typeof store>[1][],
  fromMs = MINUTE,
  toMs = MINUTE + 60_000,
) {
  const events = createMemoryEventStore();
  await store(events, ...rows);
  const { counters } = await recount(MINE, fromMs, toMs, {
    events,
    batches: createMemoryBatchStore(),
    platforms: [],
  });
  return counters.issues['order_id:repeated_order'] ?? 0;
}
const order = (eventId: string, orderId: string, second = 0, more: object = {}) =>
  normalizedRow({ eventId, receivedAtMs: MINUTE + second * 1_000, event: { orderId, ...more } });

it('a second purchase of an order within a minute is an issue, whatever state it is in', async () => {
  expect(await repeated([order('a', '7'), order('b', '8')])).toBe(0);
  expect(await repeated([order('a', '7'), order('b', '7', 59)])).toBe(1);
  expect(await repeated([order('a', '7'), order('b', '7'), order('c', '7'), order('d', '8')])).toBe(2);
  const waiting = acceptedRow({ eventId: 'w', receivedAtMs: MINUTE, body: { order_id: ' 7 ' } });
  expect(await repeated([waiting, order('a', '7')])).toBe(1);
});

it('sees it over pages of rows', async () => {
  const others = Array.from({ length: 250 }, (_, i) => order(`e${i}`, `o${i}`, i / 10));
  expect(await repeated([order('first', 'same'), ...others, order('last', 'same', 59)])).toBe(1);
});

it('an hour recounted from its rows has what its minutes have', async () => {
  const rows = [order('a', '7'), order('b', '7', 30), order('c', '7', 90), order('d', '7', 95)];
  const byMinute = (await repeated(rows)) + (await repeated(rows, MINUTE + 60_000, MINUTE + 120_000));
  expect(byMinute).toBe(2);
  expect(await repeated(rows, HOUR, HOUR + 3_600_000)).toBe(byMinute);
});

it.each<[string, object]>([
  ['another event of the order', { name: 'AddPaymentInfo' }],
  ['a replay', { replay: true }],
  ['a bot', { bot: true }],
])('%s is no second purchase', async (_name, more) => {
  expect(await repeated([order('a', '7'), order('b', '7', 1, more)])).toBe(0);
});

it('the browser’s copy of a server event is no second purchase', async () => {
  const copy = normalizedRow({
    eventId: 'a',
    channel: 'browser',
    receivedAtMs: MINUTE,
    event: { orderId: '7' },
  });
  expect(await repeated([order('a', '7'), copy])).toBe(0);
});
