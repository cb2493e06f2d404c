// One id, many callers, one moment: exactly one is told 202, everybody else 409. A run is one race of 64 callers on 16
// hosts whose clocks disagree by minutes.

import { type AcceptResult, acceptEvent } from '#services/events/ingestion/accept.ts';
import { ONE_SHARD } from '#services/events/ingestion/shard-picker.ts';
import { createMemoryBatchStore } from '../../support/memory/batch-store.ts';
import { createMemoryEventStore } from '../../support/memory/event-store.ts';
import { createSeededRandom } from '../../support/memory/random.ts';
import { CALM } from '../faults.ts';
import { MERCHANTS } from '../merchants.ts';
import { createCalls, type Process } from '../process.ts';
import { createTimeline, type Timeline } from '../timeline.ts';
import { EPOCH_MS, type Mutation } from '../world.ts';
import { everySeed, figure, type Proof, violationsOf } from './proof.ts';

const CALLERS = 64;
const HOSTS = 16;
const OFFSET_MAX_MS = 300_000;

export const races: Proof = {
  name: 'races',
  properties: ['G3'],
  run: async (options) => {
    const { findings, sum } = await everySeed(options, async (seed) => {
      const results = await race(seed, options.mutation);
      const won = results.filter(({ kind }) => kind === 'accepted').length;
      const lost = results.filter(({ kind }) => kind === 'duplicate').length;
      const isRight = won === 1 && lost === CALLERS - 1;
      const problems = isRight ? [] : [`${won} x 202 and ${lost} x 409 in one race`];
      return { violations: violationsOf('G3', problems), figures: { won, lost } };
    });
    const sentence = `${figure(options.runs)} x ${CALLERS} races: ${figure(sum.won)} x 202, ${figure(sum.lost)} x 409`;
    return { findings, figures: { G3: sentence } };
  },
};

async function race(seed: number, mutation: Mutation | undefined): Promise<AcceptResult[]> {
  const random = createSeededRandom(`race/${seed}`);
  const timeline = createTimeline(EPOCH_MS, random.fork('order'));
  const memory = createMemoryEventStore();
  const events = mutation?.events?.(memory) ?? memory;
  const calls = createCalls({
    timeline,
    random: random.fork('calls'),
    weather: CALM,
    stormy: () => false,
    onCrash: () => undefined,
  });
  const offsets = Array.from({ length: HOSTS }, () => random.below(2 * OFFSET_MAX_MS) - OFFSET_MAX_MS);
  const accept = mutation?.stages?.accept ?? acceptEvent;
  const key = { merchantId: MERCHANTS[0], channel: 'server', eventId: 'order-1' } as const;
  const body = { event_id: key.eventId, event_name: 'Purchase', event_time: EPOCH_MS / 1_000, user_data: {} };
  const caller = async (index: number): Promise<AcceptResult> => {
    await pause(timeline, random.below(4));
    const offsetMs = offsets[index % HOSTS] ?? 0;
    const process: Process = { name: 'host', alive: true, clockOffsetMs: () => offsetMs };
    const on = <T>(label: string, perform: () => Promise<T>) =>
      calls.call(process, label, 'control', perform);
    return await accept(
      { key, body, payloadHash: `hash of ${index}` },
      {
        events: {
          claim: (row) => on('claim', () => events.claim(row)),
          read: (wanted) => on('read', () => events.read(wanted)),
          archive: (row) => on('archive', () => events.archive(row)),
          replace: (row, expected) => on('replace', () => events.replace(row, expected)),
        },
        batches: createMemoryBatchStore(),
        slots: { markDue: () => on('markDue', async () => undefined), markDueAgain: async () => undefined },
        shards: ONE_SHARD,
        queue: { send: () => on('send', async () => undefined) },
        clock: { now: () => timeline.now() + offsetMs },
        random,
        count: () => undefined,
        pause: (ms) => pause(timeline, ms),
      },
    );
  };
  const results = Promise.all(Array.from({ length: CALLERS }, (_, index) => caller(index)));
  let over = false;
  results.finally(() => (over = true)).catch(() => undefined);
  await timeline.run(() => over, 100_000);
  return await results;
}

const pause = (timeline: Timeline, ms: number): Promise<void> =>
  new Promise((resolve) => timeline.after(ms, resolve));
