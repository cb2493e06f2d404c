// Goal: the outcomes of a batch at a platform are one item: what is sent without a lease, what takes one, and how each
// answer is written beside concurrent writes.
import { expect, it } from 'vitest';
import type { Circuit, Connection } from '#lib/events/domain/connections/connection.ts';
import type { BatchKey, BatchOutcomes } from '#lib/events/domain/deliveries/batch.ts';
import {
  deliveryAt,
  emptyOutcomes,
  nextOutcomes,
  parkedIn,
} from '#lib/events/domain/deliveries/batch-outcomes.ts';
import type { Delivery } from '#lib/events/domain/deliveries/delivery.ts';
import { PENDING } from '#lib/events/domain/deliveries/progress.ts';
import { lease } from '#lib/events/domain/deliveries/transition.ts';
import type { NormalizedRow } from '#lib/events/domain/event/row.ts';
import { packBatches, packPointers } from '#lib/events/domain/pointer.ts';
import type { Pointer } from '#lib/events/pipeline/recovery/due-source.ts';
import type { HttpResult } from '#lib/events/platforms/platform.ts';
import { normalizedRow, store } from '#test/contract/stored-rows.ts';
import { SYNTHETIC_PLATFORMS, type WireEvent } from '#test/simulation/synthetic-platforms.ts';
import { manifestOf } from '#test/support/manifest.ts';
import { createMemoryPipeline, PIPELINE_MERCHANT } from '#test/support/memory-pipeline.ts';

const PLATFORM = 'bravo';
const ROWS = 5;

const yes: HttpResult = { kind: 'response', status: 200, headers: {}, body: '{"ok":true}' };
const no: HttpResult = { kind: 'response', status: 500, headers: {}, body: 'oops' };
const silence: HttpResult = { kind: 'failure', reason: 'timeout', maybeDelivered: true } as never;

/** Without anything sealed. */
function leadRow(eventId: string, receivedAtMs: number): NormalizedRow {
  const draft = { merchantId: PIPELINE_MERCHANT, eventId, receivedAtMs, routingVersion: 1 };
  const verdicts = { [PLATFORM]: PENDING };
  const row = normalizedRow({ ...draft, verdicts, event: { name: 'Lead', orderId: eventId } });
  const { sealed: _, ...event } = row.event;
  return { ...row, event };
}

/** As the queue gives them for the first time. */
const messagesOf = (pointers: readonly Pointer[]) =>
  pointers.map((body) => ({ body: { ...body, platform: PLATFORM }, receiveCount: 1, sentAtMs: 0 }));

/** All rows of its batch are stored. */
async function setUpStored(...options: Parameters<typeof setUp>) {
  const world = await setUp(...options);
  await world.storeRows(...world.rows);
  return world;
}

/** A stored batch of five rows, as normalization leaves it. */
async function setUp(
  answer: (nonces: readonly string[]) => HttpResult | Promise<HttpResult> = () => yes,
  size = ROWS,
) {
  const sent: string[][] = [];
  const pipeline = createMemoryPipeline({
    platforms: SYNTHETIC_PLATFORMS,
    credentials: { [PLATFORM]: { token: 'b' } },
    answer: async ({ body }) => {
      const nonces = (JSON.parse(body) as WireEvent[]).map(({ nonce }) => nonce);
      sent.push(nonces);
      return await answer(nonces);
    },
  });
  const { batches, storedRows, stages, clock } = pipeline;
  const receivedAtMs = clock.now();
  const batch: BatchKey = {
    merchantId: PIPELINE_MERCHANT,
    minuteMs: Math.floor(receivedAtMs / 60_000) * 60_000,
    shard: 0,
    id: 'batch-01',
  };
  const rows = Array.from({ length: size }, (_row, position) => ({
    ...leadRow(`e${position}`, receivedAtMs),
    place: { batch, position },
  }));
  await batches.putManifest(manifestOf(batch, rows, [PLATFORM]));
  const item = (): BatchOutcomes => batches.outcomes()[0] ?? emptyOutcomes(batch, PLATFORM);
  const connect = (change: Partial<Connection> | null): void => {
    const connection = pipeline.connections.get(PLATFORM);
    if (change === null) pipeline.connections.delete(PLATFORM);
    else if (connection !== undefined) pipeline.connections.set(PLATFORM, { ...connection, ...change });
  };
  return {
    ...pipeline,
    connect,
    /** A sweep and its effects, with time for delayed messages. */
    settle: async () => {
      for (let step = 0; step < 3; step++) {
        await pipeline.sweep();
        await pipeline.drain();
        clock.advance(10_000);
      }
    },
    batch,
    rows,
    sent,
    item,
    storeRows: (...some: readonly NormalizedRow[]) => store(storedRows, ...some),
    fate: (position: number) => deliveryAt(item(), position),
    states: () => rows.map((_, position) => deliveryAt(item(), position)?.state ?? 'QUEUED'),
    unknowns: () => rows.map((_, position) => deliveryAt(item(), position)?.unknowns ?? 0),
    write: async (changes: ReadonlyMap<number, Delivery>) =>
      expect(await batches.writeOutcomes(nextOutcomes(item(), changes), item().version)).toBe(true),
    deliver: (mark?: 'first', receiveCount = 1) =>
      stages.deliver(
        packBatches([batch], mark).map((body) => ({
          body: { ...body, platform: PLATFORM },
          receiveCount,
          sentAtMs: clock.now(),
        })),
      ),
  };
}

const all = <T>(value: T): T[] => Array.from({ length: ROWS }, () => value);

it('sends a first message in one request, without a lease, and writes one item once', async () => {
  const world = await setUpStored();
  expect(await world.deliver('first')).toMatchObject({ failedIndexes: [] });
  expect(world.sent).toEqual([['e0', 'e1', 'e2', 'e3', 'e4']]);
  expect(world.states()).toEqual(all('DELIVERED'));
  expect(world.unknowns()).toEqual(all(0));
  expect(world.item()).toMatchObject({ version: 1, groups: [{ positions: [0, 1, 2, 3, 4] }] });
  expect(world.storedRows.rows()).toEqual(world.rows);
});

it.each([
  ['a first message that was received before', 'first', 2],
  ['a message that is not the first', undefined, 1],
] as const)(
  'leases all rows with one write for %s, and counts an unknown each',
  async (_, mark, receives) => {
    const world = await setUpStored();
    await world.deliver(mark, receives);
    expect(world.states()).toEqual(all('DELIVERED'));
    expect(world.unknowns()).toEqual(all(1));
    expect(world.item().version).toBe(2);
  },
);

it('turns an outage into one group that waits, and one write each time', async () => {
  const world = await setUpStored(() => no);
  await world.deliver('first');
  expect(world.item()).toMatchObject({ version: 1, groups: [{ positions: [0, 1, 2, 3, 4] }] });
  const dueAtMs = world.fate(0)?.nextAttemptAtMs ?? 0;
  expect(world.item().dueAtMs).toBe(dueAtMs);
  // Too soon: nothing is due, and no row is read.
  await world.deliver();
  expect(world.item().version).toBe(1);
  world.clock.advanceTo(dueAtMs);
  await world.deliver();
  expect(world.item()).toMatchObject({ version: 3, groups: [{ delivery: { state: 'RETRY', attempts: 2 } }] });
  // The result of a 500 is unknown; the leases add nothing, since each attempt is recorded.
  expect(world.unknowns()).toEqual(all(2));
});

it('neither sends nor writes for a row that does not say it is this batch’s', async () => {
  const world = await setUp();
  const [first, second, third, ...rest] = world.rows as [NormalizedRow, NormalizedRow, NormalizedRow];
  const { place: _, ...alone } = second;
  const other = { batch: { ...world.batch, id: 'batch-02' }, position: 2 };
  await world.storeRows(first, alone, { ...third, place: other }, ...rest);
  await world.deliver('first');
  expect(world.sent).toEqual([['e0', 'e3', 'e4']]);
  expect(world.states()).toEqual(['DELIVERED', 'QUEUED', 'QUEUED', 'DELIVERED', 'DELIVERED']);
});

it('notes a surplus copy where another first sender delivered meanwhile, and no other', async () => {
  const world = await setUp(async () => {
    const nowMs = world.clock.now();
    const leased = lease(undefined, nowMs, false);
    const delivered = { ...leased, state: 'DELIVERED', deliveredAtMs: nowMs } as const;
    await world.write(new Map([0, 1].map((position) => [position, delivered])));
    return yes;
  });
  await world.storeRows(...world.rows);
  await world.deliver('first');
  expect(world.states()).toEqual(all('DELIVERED'));
  expect(world.unknowns()).toEqual([1, 1, 0, 0, 0]);
});

it('lets a success that comes late win over a retry, and notes an unknown fate beside one', async () => {
  const waits = (nowMs: number): Delivery => ({
    ...lease(undefined, nowMs, true),
    state: 'RETRY',
    nextAttemptAtMs: nowMs + 10_000,
  });
  for (const answer of [yes, silence]) {
    const world = await setUp(async () => {
      await world.write(new Map([[0, waits(world.clock.now())]]));
      return answer;
    });
    await world.storeRows(...world.rows);
    await world.deliver('first');
    if (answer === yes) {
      expect(world.states()).toEqual(all('DELIVERED'));
      expect(world.unknowns()).toEqual([1, 0, 0, 0, 0]);
    } else {
      expect(world.states()).toEqual(all('RETRY'));
      expect(world.unknowns()).toEqual([2, 1, 1, 1, 1]);
      expect(world.fate(0)?.attempts).toBe(0);
    }
  }
});

it('shares requests with other batches and with rows alone', async () => {
  const world = await setUpStored();
  const alone = leadRow('alone', world.clock.now());
  await world.storeRows(alone);
  const pointers = [...packPointers([alone.key], 'first'), ...packBatches([world.batch], 'first')];
  expect(await world.stages.deliver(messagesOf(pointers))).toMatchObject({ failedIndexes: [] });
  expect(world.sent.map((nonces) => nonces.length)).toEqual([ROWS + 1]);
});

it.each(['missing', 'unreadable'] as const)(
  'fails the message of a batch whose manifest is %s, alone',
  async (what) => {
    const world = await setUpStored();
    const key = what === 'missing' ? { ...world.batch, id: 'not-here' } : world.batch;
    if (what === 'unreadable') world.batches.spoil(world.batch);
    const alone = { ...normalizedRow({ merchantId: PIPELINE_MERCHANT, eventId: 'alone' }) };
    const pointers = [...packBatches([key], 'first'), ...packPointers([alone.key], 'first')];
    expect(await world.stages.deliver(messagesOf(pointers))).toMatchObject({ failedIndexes: [0] });
    expect(world.sent).toEqual([]);
    expect(world.batches.outcomes()).toEqual([]);
  },
);

const HOUR_MS = 3_600_000;
const shut = (nowMs: number): { readonly circuit: Circuit } => ({
  circuit: { openedAtMs: nowMs, probes: 0, nextProbeAtMs: nowMs + 30_000 },
});

it.each([
  ['a paused connection', 'connection_paused', () => ({ status: 'paused' as const })],
  ['an open circuit', 'circuit_open', shut],
])('parks a batch that meets %s with one write and no request, and lets it be', async (_, reason, state) => {
  const world = await setUpStored();
  world.connect(state(world.clock.now()));
  await world.deliver('first');
  const groups = [{ positions: [0, 1, 2, 3, 4], delivery: { reason } }];
  expect(world.item()).toMatchObject({ version: 1, groups });
  expect(world.unknowns()).toEqual(all(0));
  // Its due time is the last chance before its window closes.
  expect((world.item().dueAtMs ?? 0) - world.clock.now()).toBeGreaterThan(24 * HOUR_MS);
  for (let time = 0; time < 5; time++) await world.deliver();
  expect(world.item().version).toBe(1);
  expect(world.sent).toEqual([]);
});

it('writes nothing to what is parked while its connection is paused, and sends it when it is repaired', async () => {
  const world = await setUpStored();
  world.connect({ status: 'paused' });
  await world.deliver('first');
  for (let hour = 0; hour < 20; hour++) {
    await world.settle();
    world.clock.advance(HOUR_MS);
  }
  expect(world.item().version).toBe(1);
  world.connect({ status: 'active' });
  await world.settle();
  expect(world.states()).toEqual(all('DELIVERED'));
  expect(world.sent).toHaveLength(1);
  expect(world.unknowns()).toEqual(all(0));
});

it('notes an unknown with the park where somebody may have sent before', async () => {
  const world = await setUpStored();
  world.connect({ status: 'paused' });
  await world.deliver('first', 2);
  expect(world.item().version).toBe(1);
  expect(world.unknowns()).toEqual(all(1));
});

it('keeps the ordinary due time of a position that retries, and finds those that are parked beside it', async () => {
  const world = await setUpStored();
  world.connect({ status: 'paused' });
  await world.deliver('first');
  const nowMs = world.clock.now();
  const leased = lease(undefined, nowMs, false);
  const retry = { ...leased, state: 'RETRY', nextAttemptAtMs: nowMs + HOUR_MS, reason: 'timeout' } as const;
  await world.write(new Map([[3, retry]]));
  expect(world.item().dueAtMs).toBe(nowMs + HOUR_MS);
  expect(parkedIn(world.item())).toBe(PLATFORM);
  world.connect({ status: 'active' });
  await world.settle();
  expect(world.states()).toEqual(['DELIVERED', 'DELIVERED', 'DELIVERED', 'RETRY', 'DELIVERED']);
  world.clock.advance(HOUR_MS);
  await world.settle();
  expect(world.states()).toEqual(all('DELIVERED'));
});

it('probes an open circuit with ten events of a batch, and leaves the others as they are until it closes', async () => {
  let answer = no;
  const world = await setUpStored(() => answer, 40);
  world.connect(shut(world.clock.now()));
  await world.deliver('first');
  world.clock.advance(30_000);
  await world.deliver();
  expect(world.sent.flat()).toHaveLength(10);
  const waiting = () => world.rows.filter((_, i) => world.fate(i)?.reason === 'circuit_open');
  expect(waiting()).toHaveLength(30);
  // The park, the lease of ten and their outcome.
  expect(world.item().version).toBe(3);
  answer = yes;
  world.clock.advance(60_000);
  await world.settle();
  expect(world.states()).toEqual(Array.from({ length: 40 }, () => 'DELIVERED'));
});

it('ends what is parked when its platform is removed', async () => {
  const world = await setUpStored();
  world.connect({ status: 'paused' });
  await world.deliver('first');
  world.connect(null);
  await world.settle();
  expect(world.states()).toEqual(all('SKIPPED'));
  expect(world.item().dueAtMs).toBeUndefined();
});

it.each([
  ['ends', 'whose connection is paused still', 'ERROR', () => ({ status: 'paused' as const })],
  ['tries', 'whose circuit is open still', 'DELIVERED', shut],
] as const)('%s what is parked at its last chance %s', async (_, _why, state, change) => {
  const world = await setUpStored();
  world.connect(change(world.clock.now()));
  await world.deliver('first');
  const dueAtMs = world.item().dueAtMs ?? 0;
  world.clock.advanceTo(dueAtMs);
  world.connect(change(world.clock.now()));
  await world.settle();
  expect(world.states()).toEqual(all(state));
});
