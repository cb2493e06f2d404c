// Goal: a browser event goes out only after its wait and only where no server copy is there; one that fails waits alone.
import { expect, it } from 'vitest';
import { PENDING } from '#lib/events/domain/deliveries/progress.ts';
import type { NormalizedRow } from '#lib/events/domain/event/row.ts';
import { createOrderReports } from '#lib/events/pipeline/orders/order-reports.ts';
import type { EventStore } from '#lib/events/ports/event-store.ts';
import { acceptedRow, normalizedRow, store } from '#test/contract/stored-rows.ts';
import { createMemoryBatchStore } from '#test/support/memory/batch-store.ts';
import { createManualClock } from '#test/support/memory/clock.ts';
import { createMemoryEventStore } from '#test/support/memory/event-store.ts';
import { createMemoryOrderStore } from '#test/support/memory/order-store.ts';
import { releaseHeld } from './held-rows.ts';

const START_MS = Date.UTC(2026, 10, 21, 12);
const HELD_UNTIL_MS = START_MS + 120_000;
const place = { merchantId: 'm', receivedAtMs: START_MS };

const browserRow = (eventId: string): NormalizedRow =>
  normalizedRow({ eventId, channel: 'browser', ...place, verdicts: { meta: PENDING, x: 'disabled' } });
const heldRow = (eventId: string): NormalizedRow => ({
  ...browserRow(eventId),
  heldUntilMs: HELD_UNTIL_MS,
  dueAtMs: HELD_UNTIL_MS,
});
const serverRow = (eventId: string) => acceptedRow({ eventId, ...place });

const setUp = (...rows: Parameters<typeof store>[1][]) => setUpAt(HELD_UNTIL_MS, ...rows);

async function setUpAt(atMs: number, ...rows: Parameters<typeof store>[1][]) {
  const events = createMemoryEventStore();
  await store(events, ...rows);
  const problems: string[] = [];
  const ports = {
    events,
    batches: createMemoryBatchStore(),
    orders: createMemoryOrderStore(),
    deliveries: () => expect.unreachable(),
    platforms: [],
    clock: createManualClock(atMs),
    report: (problem: string) => void problems.push(problem),
  };
  const release = async (over: Partial<EventStore> = {}): Promise<string[]> => {
    const seen = events
      .rows()
      .filter((row): row is NormalizedRow => row.state === 'normalized' && row.key.channel === 'browser');
    const released = await releaseHeld(
      seen,
      { ...ports, events: { ...events, ...over } },
      createOrderReports(ports),
    );
    return released.map(({ key }) => key.eventId).sort();
  };
  const row = (eventId: string) =>
    events.rows().find(({ key }) => key.eventId === eventId && key.channel === 'browser') as NormalizedRow;
  return { events, problems, release, row };
}

it('lets nothing out before its wait is over', async () => {
  const { release, row, problems } = await setUpAt(HELD_UNTIL_MS - 1, heldRow('e'));
  expect(await release()).toEqual([]);
  expect(problems).toEqual([]);
  expect(row('e').heldUntilMs).toBe(HELD_UNTIL_MS);
});

it('releases a row that waited for nothing, and lets one through that never had to wait', async () => {
  const { release, row } = await setUp(heldRow('held'), browserRow('free'));
  expect(await release()).toEqual(['free', 'held']);
  expect(row('held').heldUntilMs).toBeUndefined();
});

it('yields to the server copy: no platform gets the browser event, held or not', async () => {
  const servers = [serverRow('held'), serverRow('free')];
  const { release, row } = await setUp(heldRow('held'), browserRow('free'), ...servers);
  expect(await release()).toEqual([]);
  expect(row('held')).toMatchObject({ verdicts: { meta: 'server_copy', x: 'disabled' } });
  expect(row('held').heldUntilMs).toBeUndefined();
  expect(row('free').deliveries.meta).toMatchObject({ state: 'SKIPPED' });
});

it('yields also to a copy that comes between the look and the release', async () => {
  const { events, release, row } = await setUp(heldRow('e'));
  const late: EventStore['release'] = async (seen) => {
    await store(events, serverRow('e'));
    return await events.release(seen);
  };
  expect(await release({ release: late })).toEqual([]);
  expect(row('e').deliveries.meta).toMatchObject({ state: 'SKIPPED' });
});

it('holds back a row whose server copy cannot be read, and no other', async () => {
  const { events, release, row } = await setUp(heldRow('bad'), serverRow('bad'), heldRow('good'));
  events.spoil({ merchantId: 'm', channel: 'server', eventId: 'bad' });
  expect(await release()).toEqual(['good']);
  expect(row('bad').heldUntilMs).toBe(HELD_UNTIL_MS);
});

it('reports a row that cannot be released, which waits on, and releases the others', async () => {
  const { events, problems, release, row } = await setUp(heldRow('bad'), heldRow('good'));
  const failing: EventStore['release'] = async (seen) => {
    if (seen.key.eventId === 'bad') throw new Error('away');
    return await events.release(seen);
  };
  expect(await release({ release: failing })).toEqual(['good']);
  expect(row('bad').heldUntilMs).toBe(HELD_UNTIL_MS);
  expect(problems).toEqual(['a browser event that waited could not be released']);
});

it('does not send what somebody else released first: that one sends it', async () => {
  const { release } = await setUp(heldRow('e'));
  expect(await release({ release: async () => false })).toEqual([]);
});
