// Goal: of several retries by hand each delivery is one's, and stays that one's when its step is done again. Method: two
// retries of one original take over side by side, over and over, while its own workers write; in a row and in a batch.
import { expect, it } from 'vitest';
import { acceptedRow, normalizedRow, store } from '#test/contract/stored-rows.ts';
import { createMemoryBatchStore } from '#test/support/memory/batch-store.ts';
import { createManualClock } from '#test/support/memory/clock.ts';
import { createMemoryEventStore } from '#test/support/memory/event-store.ts';
import { createSeededRandom } from '#test/support/memory/random.ts';
import { batchOf } from '../../domain/deliveries/batch.ts';
import { emptyOutcomes, nextOutcomes } from '../../domain/deliveries/batch-outcomes.ts';
import type { Delivery } from '../../domain/deliveries/delivery.ts';
import type { AcceptedRow, NormalizedRow } from '../../domain/event/row.ts';
import { replayIdOf } from '../../domain/replays/replay-id.ts';
import type { EventStore } from '../../ports/event-store.ts';
import { createJoinedEventStore } from '../outcomes-of-batches.ts';
import { replayRow } from './replay-row.ts';
import { retriable, retriedAs, takeOver } from './take-over.ts';

const AT = Date.UTC(2026, 10, 20, 12);
const SLUGS = ['meta', 'ga4', 'tiktok', 'x'] as const;
const base = { attempts: 1, unknowns: 0, updatedAtMs: AT, history: [] } as const;
const DELIVERIES: Readonly<Record<string, Delivery>> = {
  meta: { ...base, state: 'FAILED', reason: 'bad' },
  ga4: { ...base, state: 'ERROR', reason: 'window_closed' },
  tiktok: { ...base, state: 'RETRY', reason: 'retry', nextAttemptAtMs: AT + 60_000 },
  x: { ...base, state: 'DELIVERED', deliveredAtMs: AT },
};

async function setUp(inBatch: boolean) {
  const events = createMemoryEventStore();
  const batches = createMemoryBatchStore();
  const verdicts = Object.fromEntries(SLUGS.map((slug) => [slug, 'pending']));
  const row = normalizedRow({
    eventId: 'e',
    receivedAtMs: AT,
    deliveries: inBatch ? {} : DELIVERIES,
    verdicts,
  });
  const batch = batchOf(row, 'abcdefgh');
  await store(events, inBatch ? { ...row, place: { batch, position: 3 } } : { ...row, dueAtMs: AT + 60_000 });
  if (inBatch)
    for (const slug of SLUGS) {
      const fate = new Map([[3, DELIVERIES[slug] as Delivery]]);
      await batches.writeOutcomes(nextOutcomes(emptyOutcomes(batch, slug), fate), 0);
    }
  const joined = createJoinedEventStore(events, batches);
  const original = async () => (await joined.read(row.key)) as NormalizedRow;
  const retry = async (
    seed: string,
  ): Promise<AcceptedRow & { replayOf: NonNullable<AcceptedRow['replayOf']> }> => {
    const seen = await original();
    const wish = { dedupe: 'original', onlyPlatforms: SLUGS, takesOver: true } as const;
    const acceptance = { ingestId: acceptedRow({ eventId: seed }).ingestId, receivedAtMs: AT };
    return replayRow(seen, { ...wish, eventId: replayIdOf('e', [seed]) }, acceptance) as never;
  };
  const marked: unknown[] = [];
  const slots = { markDueAgain: async (at: unknown) => void marked.push(at) };
  return {
    events,
    batches,
    joined,
    original,
    retry,
    marked,
    ports: { events, batches, slots, clock: createManualClock(AT) },
  };
}

it.each([false, true])(
  'takes what failed or waits, and marks its minute first (in a batch: %s)',
  async (inBatch) => {
    const { ports, retry, original, marked } = await setUp(inBatch);
    expect(retriable(await original())).toEqual(['meta', 'ga4', 'tiktok']);
    const row = await retry('a');
    expect(await takeOver(row, [], ports)).toEqual(['meta', 'ga4', 'tiktok']);
    expect(marked).toHaveLength(1);
    const { deliveries, dueAtMs } = await original();
    for (const slug of ['meta', 'ga4', 'tiktok'])
      expect(deliveries[slug]).toMatchObject({
        state: 'SKIPPED',
        reason: retriedAs(row.key.eventId),
        attempts: 1,
      });
    expect([deliveries.x, dueAtMs]).toEqual([DELIVERIES.x, undefined]);
    // Done again, after a crash or for a copy of its message.
    expect(await takeOver(row, [], ports)).toEqual(['meta', 'ga4', 'tiktok']);
    expect(await takeOver(await retry('b'), [], ports)).toEqual([]);
  },
);

it.each([false, true])(
  'gives each delivery to one of two, whoever else writes (in a batch: %s)',
  async (inBatch) => {
    for (let seed = 0; seed < 150; seed++) {
      const random = createSeededRandom(`take-over/${seed}`);
      const { ports, retry, events, batches, original } = await setUp(inBatch);
      const pause = async (): Promise<void> => {
        for (let i = random.below(6); i > 0; i--) await Promise.resolve();
      };
      const slow =
        <A extends unknown[], T>(call: (...args: A) => Promise<T>) =>
        async (...args: A): Promise<T> => {
          await pause();
          const answer = await call(...args);
          if (random.chance(0.1)) throw new Error('the answer was lost');
          await pause();
          return answer;
        };
      const slowly = {
        ...ports,
        events: { read: slow(events.read), putDelivery: slow(events.putDelivery) } as Pick<
          EventStore,
          'read' | 'putDelivery'
        >,
        batches: { readMany: slow(batches.readMany), writeOutcomes: slow(batches.writeOutcomes) },
      };
      const [a, b] = [await retry('a'), await retry('b')];
      const untilDone = async (row: typeof a): Promise<readonly string[]> => {
        for (;;)
          try {
            return await takeOver(row, [], slowly);
          } catch {
            // As its message comes again.
          }
      };
      const [first, second] = await Promise.all([untilDone(a), untilDone(b)]);
      const all = [...first, ...second].sort();
      expect({ seed, all }).toEqual({ seed, all: ['ga4', 'meta', 'tiktok'] });
      const { deliveries } = await original();
      for (const slug of first) expect(deliveries[slug]?.reason).toBe(retriedAs(a.key.eventId));
      for (const slug of second) expect(deliveries[slug]?.reason).toBe(retriedAs(b.key.eventId));
    }
  },
);

it('finds an original whose id was taken again, and takes nothing of the event that took it', async () => {
  const { ports, retry, original, events, joined } = await setUp(false);
  const row = await retry('a');
  await events.archive(await original());
  const next = acceptedRow({ eventId: 'e', receivedAtMs: AT + 86_400_001 });
  expect(await events.replace(next, row.replayOf.ingestId)).toBe(true);
  expect(await takeOver(row, [], ports)).toEqual(['meta', 'ga4', 'tiktok']);
  expect(await joined.read(next.key)).toMatchObject({ ingestId: next.ingestId, state: 'accepted' });
  const archived = (await joined.read({ ...next.key, archivedAs: row.replayOf.ingestId })) as NormalizedRow;
  expect(archived.deliveries.tiktok).toMatchObject({ state: 'SKIPPED' });
});

it('takes nothing for a connection that came after the original, in whatever place', async () => {
  const { ports, retry, original } = await setUp(false);
  const { routingVersion } = await original();
  const connections = [
    { id: 'old', platform: 'meta', sinceVersion: routingVersion },
    { id: 'next', platform: 'ga4', sinceVersion: routingVersion + 1 },
  ];
  expect(await takeOver(await retry('a'), connections, ports)).toEqual(['meta', 'tiktok']);
  expect((await original()).deliveries.ga4).toEqual(DELIVERIES.ga4);
});
