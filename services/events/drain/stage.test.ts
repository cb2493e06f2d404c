// Goal: what a sweep hands over is done to its end, step by step; of many messages for one group one run does it;
// parked deliveries are sent once their connection works, and not before.
import { expect, it } from 'vitest';
import type { Circuit, Connection } from '#lib/events/domain/connections/connection.ts';
import { emptyOutcomes, nextOutcomes } from '#lib/events/domain/deliveries/batch-outcomes.ts';
import type { Delivery } from '#lib/events/domain/deliveries/delivery.ts';
import { PENDING } from '#lib/events/domain/deliveries/progress.ts';
import { lease, park } from '#lib/events/domain/deliveries/transition.ts';
import type { NormalizedRow } from '#lib/events/domain/event/row.ts';
import { batchesOf, keysOf } from '#lib/events/domain/pointer.ts';
import type { Pointer } from '#lib/events/pipeline/recovery/due-source.ts';
import { PLATFORMS } from '#lib/events/platforms/registry.ts';
import { normalizedRow, store } from '#test/contract/stored-rows.ts';
import { createMemoryBatchStore } from '#test/support/memory/batch-store.ts';
import { createManualClock } from '#test/support/memory/clock.ts';
import { createMemoryEventStore } from '#test/support/memory/event-store.ts';
import { createSeededRandom } from '#test/support/memory/random.ts';
import { createMemoryRunLeases } from '#test/support/memory/run-leases.ts';
import { type DueWork, dueWorkSchema } from './message.ts';
import { createDrainStage } from './stage.ts';

const START_MS = Date.UTC(2026, 10, 21, 12);
const NOW_MS = START_MS + 3_600_000;
const DAY_MS = 86_400_000;

type Deliveries = Readonly<Record<string, Delivery>>;
function rowWith(eventId: string, deliveries: Deliveries, dueAtMs: number): NormalizedRow {
  const row = normalizedRow({ eventId, merchantId: 'm', receivedAtMs: START_MS, deliveries });
  const verdicts = Object.fromEntries(Object.keys(deliveries).map((slug) => [slug, PENDING]));
  return { ...row, verdicts, dueAtMs };
}

const RETRY = { ...lease(undefined, START_MS, true), state: 'RETRY', nextAttemptAtMs: NOW_MS - 1 } as const;
const retryRow = (eventId: string): NormalizedRow => rowWith(eventId, { meta: RETRY }, NOW_MS - 1);

/** Of a connection that is paused. */
const parked = (windowEndsAtMs: number): Delivery =>
  park(undefined, 'connection_paused', {
    nowMs: START_MS,
    windowEndsAtMs,
    keptUntilMs: windowEndsAtMs,
    random: 0.5,
  });

function parkedRow(eventId: string, windowEndsAtMs: number, ...slugs: readonly string[]): NormalizedRow {
  const delivery = parked(windowEndsAtMs);
  const deliveries = Object.fromEntries(slugs.map((slug) => [slug, delivery]));
  return { ...rowWith(eventId, deliveries, delivery.nextAttemptAtMs ?? 0), parkedFor: slugs.join('+') };
}

const OPEN: Circuit = { openedAtMs: START_MS, probes: 0, nextProbeAtMs: NOW_MS + 60_000 };

type Messages<Body> = readonly { readonly body: Body }[];

const idsOf = (body: Pointer): readonly string[] =>
  'rows' in body ? keysOf(body).map(({ eventId }) => eventId) : batchesOf(body).map(({ id }) => id);

async function setUp(...rows: readonly NormalizedRow[]) {
  const events = createMemoryEventStore({ dueShards: 1 });
  const batches = createMemoryBatchStore({ dueShards: 1 });
  await store(events, ...rows);
  const clock = createManualClock(NOW_MS);
  const told: string[] = [];
  const sent: { readonly to: string; readonly ids: readonly string[] }[] = [];
  const work: { readonly body: DueWork; readonly delaySec: number }[] = [];
  const states: Record<string, Pick<Connection, 'status' | 'circuit'> | null> = {};
  const ports = {
    events,
    batches,
    config: {
      connection: async (_merchant: string, platform: string) =>
        (states[platform] ?? null) as Connection | null,
    },
    normalized: {
      send: async (messages: Messages<Pointer>) => {
        for (const { body } of messages) told.push(...idsOf(body));
      },
    },
    deliveries: (to: string) => {
      const send = async (messages: Messages<Pointer>) => {
        for (const { body } of messages) sent.push({ to, ids: idsOf(body) });
      };
      return to === 'gone' ? null : { send };
    },
    work: {
      send: async (messages: Messages<DueWork>, { delaySec = 0 }: { readonly delaySec?: number } = {}) =>
        void work.push(...messages.map(({ body }) => ({ body: dueWorkSchema.parse(body), delaySec }))),
    },
    platforms: PLATFORMS,
    leases: createMemoryRunLeases(),
    clock,
    random: createSeededRandom('drain'),
    report: (problem: string, error: unknown) => {
      throw new Error(problem, { cause: error });
    },
  };
  const stage = createDrainStage(ports);
  const run = async (body: DueWork) => await stage([{ body, receiveCount: 1, sentAtMs: clock.now() }]);
  /** Processes the messages it sends to its own queue. */
  const toTheEnd = async (first: DueWork): Promise<number> => {
    await run(first);
    let steps = 1;
    for (let next = work.shift(); next !== undefined; next = work.shift()) {
      clock.advance(next.delaySec * 1_000);
      await run(next.body);
      steps += 1;
    }
    return steps;
  };
  return { ports, events, batches, clock, told, sent, work, states, run, toTheEnd };
}

const DUE: DueWork = { task: 'due', table: 'events', merchant: 'm', shard: 0 };
const RELEASE: DueWork = { task: 'release', table: 'events', merchant: 'm', shard: 0, parkedFor: 'meta' };

it('tells all that one merchant has due, in steps of a third of its time', async () => {
  const rows = Array.from({ length: 450 }, (_, i) => retryRow(`e${i}`));
  const { ports, clock, told, toTheEnd } = await setUp(...rows);
  const { readMany } = ports.events;
  ports.events.readMany = async (...args) => {
    clock.advance(12_000);
    return await readMany(...args);
  };
  expect(await toTheEnd(DUE)).toBe(3);
  expect(told.sort()).toEqual(rows.map(({ key }) => key.eventId).sort());
});

it('does the work of many messages once, and again when a run has ended or died', async () => {
  const rows = Array.from({ length: 150 }, (_, i) => retryRow(`e${i}`));
  const { ports, clock, told, run, work } = await setUp(...rows);
  const { readMany } = ports.events;
  let slow = true;
  ports.events.readMany = async (...args) => {
    if (slow) clock.advance(20_000);
    return await readMany(...args);
  };
  await run(DUE);
  await run(DUE);
  expect(told).toHaveLength(100);
  // The same message received twice continues once.
  const next = work[0]?.body as DueWork;
  slow = false;
  await run(next);
  await run(next);
  expect(told).toHaveLength(150);
  clock.advance(120_000);
  await run(DUE);
  expect(told).toHaveLength(300);
  // A run that crashes after its first step blocks others no longer than its lease.
  slow = true;
  clock.advance(300_000);
  await run(DUE);
  const before = told.length;
  await run(DUE);
  expect(told).toHaveLength(before);
  clock.advance(200_000);
  await run(DUE);
  expect(told.length).toBeGreaterThan(before);
});

it('releases what a connection that works again has parked, oldest window first, ever more at a time', async () => {
  const rows = Array.from({ length: 800 }, (_, i) =>
    parkedRow(`e${i}`, START_MS + DAY_MS + (i % 7) * 1_000, 'meta'),
  );
  const { states, sent, toTheEnd } = await setUp(...rows);
  states.meta = { status: 'active' };
  expect(await toTheEnd(RELEASE)).toBe(4);
  const ids = sent.flatMap((message) => message.ids);
  expect(new Set(ids).size).toBe(800);
  expect(ids).toHaveLength(800);
  const windows = ids.map((id) => Number(id.slice(1)) % 7);
  expect(windows).toEqual([...windows].sort((a, b) => a - b));
});

it.each([
  ['is paused still', { status: 'paused' as const }],
  ['has an open circuit', { status: 'active' as const, circuit: OPEN }],
])('releases nothing where the connection %s', async (_how, state) => {
  const { states, sent, told, toTheEnd } = await setUp(parkedRow('e', START_MS + DAY_MS, 'meta'));
  states.meta = state;
  await toTheEnd(RELEASE);
  expect([sent, told]).toEqual([[], []]);
});

it('ends a release where the connection breaks again', async () => {
  const rows = Array.from({ length: 800 }, (_, i) => parkedRow(`e${i}`, START_MS + DAY_MS, 'meta'));
  const { states, sent, run, work } = await setUp(...rows);
  states.meta = { status: 'active' };
  await run(RELEASE);
  states.meta = { status: 'active', circuit: OPEN };
  await run(work.shift()?.body as DueWork);
  expect(sent.flatMap(({ ids }) => ids)).toHaveLength(100);
  expect(work).toEqual([]);
});

it('sends a row that waits for two connections to the one that works, and one whose platform is gone to fan-out', async () => {
  const row = parkedRow('e', START_MS + DAY_MS, 'gone', 'meta', 'tiktok');
  const { states, sent, told, toTheEnd } = await setUp(row);
  states.meta = { status: 'active' };
  states.tiktok = { status: 'paused' };
  await toTheEnd({ ...RELEASE, parkedFor: 'gone+meta+tiktok' });
  expect(sent).toEqual([{ to: 'meta', ids: ['e'] }]);
  expect(told).toEqual(['e']);
});

it('leaves rows that were released in peace for a while, and then doubts that they were sent', async () => {
  const { states, sent, clock, toTheEnd } = await setUp(parkedRow('e', START_MS + DAY_MS, 'meta'));
  states.meta = { status: 'active' };
  await toTheEnd(RELEASE);
  clock.advance(60_000);
  await toTheEnd(RELEASE);
  expect(sent).toHaveLength(1);
  clock.advance(61_000);
  await toTheEnd(RELEASE);
  expect(sent).toHaveLength(2);
});

it('releases no more a minute than the platform takes, and begins anew with the next sweep', async () => {
  const rows = Array.from({ length: 5_000 }, (_, i) => parkedRow(`e${i}`, START_MS + DAY_MS, 'x'));
  const { states, sent, clock, run, work } = await setUp(...rows);
  const paced: DueWork = { ...RELEASE, parkedFor: 'x', paced: 'x' };
  states.x = { status: 'active' };
  const seen = () => sent.flatMap(({ ids }) => ids);
  await run(paced);
  // X takes 60,000 events in 15 minutes.
  expect(seen()).toHaveLength(4_000);
  const next = work.shift();
  expect(next?.delaySec).toBe(60);
  // A sweep in the meantime begins no second run.
  await run(paced);
  clock.advance(60_000);
  await run(next?.body as DueWork);
  expect(new Set(seen()).size).toBe(5_000);
  expect(work).toEqual([]);
  // All of them are still parked: what the quota did not let through is looked at again.
  clock.advance(60_000);
  await run(paced);
  expect(seen()).toHaveLength(9_000);
});

it('releases to a platform without a quota at its own speed what waits for one with a quota too', async () => {
  const row = parkedRow('e', START_MS + DAY_MS, 'klaviyo', 'meta');
  const { states, sent, toTheEnd } = await setUp(row);
  states.meta = { status: 'active' };
  states.klaviyo = { status: 'active' };
  const release: DueWork = { ...RELEASE, parkedFor: 'klaviyo+meta' };
  await toTheEnd(release);
  await toTheEnd({ ...release, paced: 'klaviyo' });
  expect(sent.map(({ to }) => to)).toEqual(['meta', 'klaviyo']);
});

/** Batches of `size` parked rows each. */
async function parkBatches(
  batches: Awaited<ReturnType<typeof setUp>>['batches'],
  count: number,
  size: number,
): Promise<void> {
  for (let i = 0; i < count; i++) {
    const delivery = parked(START_MS + DAY_MS + (i % 7) * 1_000);
    const id = `${i % 7}-batch${String(i).padStart(3, '0')}`.slice(0, 8);
    const batch = { merchantId: 'm', minuteMs: START_MS - i * 60_000, shard: 0, id };
    const fates = new Map(Array.from({ length: size }, (_, position) => [position, delivery] as const));
    await batches.writeOutcomes(nextOutcomes(emptyOutcomes(batch, 'meta'), fates), 0);
  }
}

it.each([2, 100])(
  'releases parked batches of %i by the events they stand for, oldest window first',
  async (size) => {
    const { batches, states, sent, run, work, toTheEnd } = await setUp();
    const release: DueWork = { ...RELEASE, table: 'batches' };
    await parkBatches(batches, 120, size);
    states.meta = { status: 'active' };
    await run(release);
    // A hundred events, for any size of the batches.
    const first = sent.flatMap(({ ids }) => ids).length;
    expect(first).toBe(100 / size);
    const next = work.shift();
    if (next !== undefined) await toTheEnd(next.body);
    const ids = sent.flatMap((message) => message.ids);
    expect(ids).toHaveLength(120);
    const windows = ids.map((id) => Number(id.slice(0, 1)));
    expect(windows).toEqual([...windows].sort((a, b) => a - b));
  },
);

it('tells fan-out of parked batches whose platform is in the code no more', async () => {
  const { batches, states, told, toTheEnd } = await setUp();
  await parkBatches(batches, 1, 2);
  const [item] = batches.outcomes();
  if (item === undefined) throw new Error('there is one');
  await batches.writeOutcomes({ ...item, platform: 'gone', version: 1 }, 0);
  states.gone = null;
  await toTheEnd({ ...RELEASE, table: 'batches', parkedFor: 'gone' });
  expect(told).toEqual([item.batch.id]);
});
