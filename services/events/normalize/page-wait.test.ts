// Goal: an order waits for its page where its merchant wants that and a page could add something, no longer, and no other
// event with it.
import { describe, expect, it } from 'vitest';
import type { EventBody } from '#lib/events/domain/event/event.ts';
import type { AcceptedRow } from '#lib/events/domain/event/row.ts';
import { keysOf } from '#lib/events/domain/pointer.ts';
import { type AcceptedDraft, acceptedRow, normalizedRow } from '#test/contract/stored-rows.ts';
import { MERCHANT, testMerchant } from '#test/support/ingestion.ts';
import { createManualClock } from '#test/support/memory/clock.ts';
import type { AcceptedMessage } from './message.ts';
import { withoutWaiting } from './page-wait.ts';

const START_MS = Date.UTC(2026, 10, 21, 12);
const wanted = testMerchant({ pageCopyWaitSec: 10 });
const order = (eventId: string, over: Partial<AcceptedDraft> = {}): AcceptedRow =>
  acceptedRow({ eventId, merchantId: MERCHANT, receivedAtMs: START_MS, ...over });
const read = (row: AcceptedRow, over = {}) => ({ row, merchant: wanted, copy: undefined, ...over });

async function look(rows: Parameters<typeof withoutWaiting>[0], atMs = START_MS, fails = false) {
  const sent: string[] = [];
  const marks = new Set<unknown>();
  const problems: string[] = [];
  const accepted = {
    send: async (messages: readonly { readonly body: AcceptedMessage }[], { delaySec = 0 } = {}) => {
      if (fails) throw new Error('away');
      for (const { body } of messages) marks.add(body.waited);
      for (const { body } of messages)
        for (const { channel, eventId } of keysOf(body)) sent.push(`${channel} ${eventId} ${delaySec}`);
    },
  };
  const report = (problem: string) => void problems.push(problem);
  const now = await withoutWaiting(rows, { accepted, clock: createManualClock(atMs), report });
  // What brings an order back says that it waited: it counts by that.
  expect([...marks]).toEqual(marks.size === 0 ? [] : [true]);
  return { now: now.map(({ row }) => row.key.eventId), sent, problems };
}

it('waits as long as the merchant wants, alone, and then no more', async () => {
  const rows = [read(order('a')), read(order('b', { body: { event_name: 'Lead' } }))];
  expect(await look(rows)).toEqual({ now: ['b'], sent: ['server a 10'], problems: [] });
  expect((await look(rows, START_MS + 9_001)).sent).toEqual(['server a 1']);
  expect(await look(rows, START_MS + 10_000)).toEqual({ now: ['a', 'b'], sent: [], problems: [] });
  // A clock that is behind that of the process which stored the order.
  expect((await look(rows, START_MS - 60_000)).sent).toEqual(['server a 10']);
});

describe('does not wait', () => {
  const consent = (signal: string): Partial<EventBody> => ({ consent: { [signal]: 'denied' } });
  it.each<[string, AcceptedRow]>([
    ['an event of another name', order('e', { body: { event_name: 'AddToCart' } })],
    ['one of a page', order('e', { channel: 'browser' })],
    ['an order with a click id', order('e', { body: { user_data: { browser_ids: { gclid: 'g' } } } })],
    [
      'an order with a click in its address',
      order('e', { body: { event_source_url: 'https://a.example/?fbclid=1' } }),
    ],
    [
      'an order of a known browser',
      order('e', { body: { user_data: { browser_ids: { fbp: 'fb.1.1.1' } } } }),
    ],
    ['an order of a shop', order('e', { body: { action_source: 'physical_store' } })],
    ['an order from an import', order('e', { body: { event_time: START_MS / 1_000 - 301 } })],
    ['an order that says storage is denied', order('e', { body: consent('ad_storage') })],
    ['an order that says the use of data is denied', order('e', { body: consent('ad_user_data') })],
    ['a replay', order('e', { body: { internal: { replay: true, dedup_id: 'o' } } })],
  ])('%s', async (_, row) => {
    expect(await look([read(row)])).toEqual({ now: ['e'], sent: [], problems: [] });
  });

  it.each([
    ['whose merchant wants none', { merchant: testMerchant() }],
    ['whose merchant wants none any more', { merchant: testMerchant({ pageCopyWaitSec: 0 }) }],
    ['whose merchant takes nothing from browsers', { merchant: null }],
    ['whose page reported it', { copy: order('e', { channel: 'browser' }) }],
    ['whose copy cannot be read', { copy: { key: order('e').key, ingestId: 'i', problem: 'p', sweeps: 0 } }],
  ])('an order %s', async (_, over) => {
    expect(await look([read(order('e'), over)])).toEqual({ now: ['e'], sent: [], problems: [] });
  });
});

describe('a page that reports an order', () => {
  const page = order('e', { channel: 'browser' });
  const copy = (state: 'accepted' | 'normalized', atMs = START_MS) =>
    state === 'accepted'
      ? order('e')
      : normalizedRow({ eventId: 'e', merchantId: MERCHANT, receivedAtMs: atMs });

  it('ends its wait', async () => {
    const rows = [read(page, { copy: copy('accepted') })];
    expect(await look(rows, START_MS + 2_000)).toEqual({ now: ['e'], sent: ['server e 0'], problems: [] });
  });

  it.each([
    ['that is normalized', copy('normalized'), 0],
    ['whose wait is over', copy('accepted'), 10_000],
  ])('says nothing of one %s', async (_, other, laterMs) => {
    expect((await look([read(page, { copy: other })], START_MS + laterMs)).sent).toEqual([]);
  });
});

it('lets no order wait that no message would bring back, and says so', async () => {
  expect(await look([read(order('e'))], START_MS, true)).toEqual({
    now: ['e'],
    sent: [],
    problems: ['an order could not wait for its page'],
  });
  const page = read(order('p', { channel: 'browser' }), { copy: order('p') });
  const { now, problems } = await look([page], START_MS, true);
  expect([now, problems]).toEqual([['p'], ['an order waits to the end though its page reported it']]);
});
