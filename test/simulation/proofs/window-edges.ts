// The end of the deduplication window, to the millisecond: refused before 24 hours, taken from then on, whatever the
// difference between the hosts' clocks. A run is one pair of requests for one id.

import type { AcceptedRow } from '#lib/events/domain/event/row.ts';
import { acceptEvent } from '#services/events/ingestion/accept.ts';
import { ONE_SHARD } from '#services/events/ingestion/shard-picker.ts';
import { createMemoryBatchStore } from '../../support/memory/batch-store.ts';
import { createMemoryEventStore, type MemoryEventStore } from '../../support/memory/event-store.ts';
import { createSeededRandom, type SeededRandom } from '../../support/memory/random.ts';
import { MERCHANTS } from '../merchants.ts';
import { EPOCH_MS, type Mutation } from '../world.ts';
import { normalizedRow } from './normalized-row.ts';
import { everySeed, figure, type Proof, violationsOf } from './proof.ts';

const DAY_MS = 86_400_000;
const OFFSET_MAX_MS = 300_000;

export const windowEdges: Proof = {
  name: 'window-edges',
  properties: ['G6'],
  run: async (options) => {
    const { findings, sum } = await everySeed(options, async (seed) => {
      const { ageMs, kind } = await probe(createSeededRandom(`edge/${seed}`), options.mutation);
      const isEarly = ageMs < DAY_MS;
      const isRight = kind === (isEarly ? 'duplicate' : 'accepted');
      const problems = isRight ? [] : [`${kind} ${ageMs - DAY_MS} ms from the edge`];
      const figures = { early: isEarly ? 1 : 0, late: isEarly ? 0 : 1 };
      return { violations: violationsOf('G6', problems), figures };
    });
    const sentence = `${figure(options.runs)} offsets up to ±5 min: ${figure(sum.early)} refused before 24 h, ${figure(sum.late)} taken from then on`;
    return { findings, figures: { G6: sentence } };
  },
};

/** How old the first acceptance is by the second host's clock, and what that host says. */
async function probe(random: SeededRandom, mutation: Mutation | undefined) {
  const memory = createMemoryEventStore();
  const events = mutation?.events?.(memory) ?? memory;
  const accept = mutation?.stages?.accept ?? acceptEvent;
  const key = { merchantId: MERCHANTS[0], channel: 'server', eventId: 'order-1' } as const;
  const body = { event_id: key.eventId, event_name: 'Lead', event_time: EPOCH_MS / 1_000, user_data: {} };
  const at = (nowMs: number) =>
    accept(
      { key, body, payloadHash: 'same' },
      {
        events,
        batches: createMemoryBatchStore(),
        slots: { markDue: async () => undefined, markDueAgain: async () => undefined },
        shards: ONE_SHARD,
        queue: { send: async () => undefined },
        clock: { now: () => nowMs },
        random,
        count: () => undefined,
        pause: async () => undefined,
      },
    );
  const offset = () => random.below(2 * OFFSET_MAX_MS + 1) - OFFSET_MAX_MS;
  const firstMs = EPOCH_MS + offset();
  const first = await at(firstMs);
  if (first.kind !== 'accepted') throw new Error('the first request was not accepted');
  await finish(memory, first.row);
  // True time passes a day, give or take; each host adds its own error. Now and then exactly the edge.
  const ageMs = random.chance(0.2)
    ? DAY_MS + random.below(3) - 1
    : EPOCH_MS + DAY_MS + random.below(4_000) - 2_000 + offset() - firstMs;
  const { kind } = await at(firstMs + ageMs);
  return { ageMs, kind };
}

/** Brings a row to the end of its way, as nobody is to receive it. */
async function finish(events: MemoryEventStore, accepted: AcceptedRow): Promise<void> {
  const { key, ingestId, receivedAtMs } = accepted;
  const normalized = normalizedRow(key, 'nonce', ingestId, receivedAtMs);
  if (!(await events.normalize(normalized))) throw new Error('the first row could not be finished');
}
