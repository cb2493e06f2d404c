// Goal: recovery acts on slots that are due and on nothing else; what it ends makes the count out of date.
import { expect, it } from 'vitest';
import { acceptedRow, normalizedRow, store } from '#test/contract/stored-rows.ts';
import { createMemoryBatchStore } from '#test/support/memory/batch-store.ts';
import { createManualClock } from '#test/support/memory/clock.ts';
import { createMemoryCounterStore } from '#test/support/memory/counter-store.ts';
import { createMemoryEventStore } from '#test/support/memory/event-store.ts';
import { NO_ORDERS_KNOWN } from '#test/support/memory/order-store.ts';
import type { Connection } from '../../domain/connections/connection.ts';
import type { Delivery } from '../../domain/deliveries/delivery.ts';
import { PENDING } from '../../domain/deliveries/progress.ts';
import { endWithout, lease } from '../../domain/deliveries/transition.ts';
import { type BatchPointer, keysOf, type Pointers } from '../../domain/pointer.ts';
import { countMinute, type MinuteCount } from '../counting/count-minute.ts';
import { recover } from './recover.ts';

const START_MS = Date.UTC(2026, 10, 21, 12);
const merchantId = 'm';
const place = { merchantId, receivedAtMs: START_MS };

/** A row that waits an hour for its retry at meta. */
function waitingRow(eventId: string) {
  const leased = lease(undefined, START_MS, true);
  const nextAttemptAtMs = START_MS + 3_600_000;
  const retry: Delivery = { ...leased, state: 'RETRY', nextAttemptAtMs };
  return normalizedRow({
    eventId,
    ...place,
    deliveries: { meta: retry },
    verdicts: { meta: PENDING },
    routingVersion: 5,
  });
}

async function setUp(connection: Pick<Connection, 'sinceVersion'> | null) {
  const events = createMemoryEventStore();
  await store(events, acceptedRow({ eventId: 'lost', ...place }), {
    ...waitingRow('waits'),
    dueAtMs: START_MS + 3_600_000,
  });
  const sent: string[] = [];
  const queue = {
    send: async (messages: readonly { readonly body: Pointers | BatchPointer }[]) => {
      for (const { body } of messages)
        sent.push(...('rows' in body ? keysOf(body) : []).map(({ eventId }) => eventId));
    },
  };
  const ports = {
    events,
    batches: createMemoryBatchStore(),
    orders: NO_ORDERS_KNOWN,
    counters: createMemoryCounterStore(),
    config: { connection: async () => connection as Connection | null },
    accepted: queue,
    normalized: queue,
    clock: createManualClock(START_MS + 120_000),
    platforms: [],
    report: () => expect.unreachable(),
  };
  const count = (await countMinute(
    { merchantId, startMs: START_MS, changedAtMs: START_MS },
    ports,
  )) as MinuteCount;
  const state = () =>
    events.rows().flatMap((row) => (row.state === 'normalized' ? [row.deliveries.meta?.state] : []));
  return { ports, count, sent, state };
}

it('sends the pointers of what is stranded, and leaves a retry of a connection that is there', async () => {
  const { ports, count, sent, state } = await setUp({ sinceVersion: 5 });
  expect(await recover(count, ports)).toEqual({ rowsChanged: false });
  expect(sent).toEqual(['lost']);
  expect(state()).toEqual(['RETRY']);
});

it.each([
  ['removed', null],
  ['made anew since', { sinceVersion: 6 }],
])(
  'ends what waits for a connection that was %s, and says that the count is out of date',
  async (_how, connection) => {
    const { ports, count, state } = await setUp(connection);
    expect(await recover(count, ports)).toEqual({ rowsChanged: true });
    expect(state()).toEqual(['SKIPPED']);
    expect(await recover(count, ports)).toEqual({ rowsChanged: false });
  },
);

it('does nothing for a slot that is not due', async () => {
  const { ports, count, sent, state } = await setUp(null);
  expect(await recover({ ...count, due: false }, ports)).toEqual({ rowsChanged: false });
  expect(sent).toEqual([]);
  expect(state()).toEqual(['RETRY']);
});

it('does not touch an attempt under way, or one that has ended', async () => {
  const { ports } = await setUp(null);
  const deliveries: Record<string, Delivery> = {
    sending: lease(undefined, ports.clock.now(), true),
    ended: endWithout(lease(undefined, START_MS, true), 'ERROR', 'x', START_MS),
  };
  const rows = Object.entries(deliveries).map(([eventId, meta]) => ({
    ...waitingRow(eventId),
    deliveries: { meta },
  }));
  await store(ports.events, ...rows);
  const count = (await countMinute(
    { merchantId, startMs: START_MS, changedAtMs: START_MS },
    ports,
  )) as MinuteCount;
  // As if the index had shown them as they were before.
  const waiting = rows.map(({ key, routingVersion }) => ({ key, routingVersion, platform: 'meta' }));
  expect(await recover({ ...count, waiting }, ports)).toEqual({ rowsChanged: false });
});
