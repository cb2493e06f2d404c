// Counting while things change, at the worst moment: a slot is about to be sealed, several workers fold it at once and
// die on the way, and just then a server event arrives that takes a browser event out of its counts. Hints get lost,
// indexes lag. A run is one such hour.

import type { AcceptedRow, EventKey } from '#lib/events/domain/event/row.ts';
import { packPointers } from '#lib/events/domain/pointer.ts';
import { SEAL_MS } from '#lib/events/pipeline/counting/count-minute.ts';
import { createBucketMarker } from '#lib/events/pipeline/counting/due-buckets.ts';
import type { CounterRefresh } from '#services/events/aggregate/message.ts';
import { createAggregateStage } from '#services/events/aggregate/stage.ts';
import { createNormalizeStage } from '#services/events/normalize/stage.ts';
import { createMemoryAttributionStore } from '../../support/memory/attribution-store.ts';
import { createMemoryBatchStore } from '../../support/memory/batch-store.ts';
import { STEADY_SHARDS } from '../../support/memory/config-stores.ts';
import { createMemoryCounterStore } from '../../support/memory/counter-store.ts';
import { createMemoryEventStore } from '../../support/memory/event-store.ts';
import { createMemoryOrderStore } from '../../support/memory/order-store.ts';
import { createSeededRandom, type SeededRandom } from '../../support/memory/random.ts';
import { exactCounters } from '../checks.ts';
import { CALM, type Weather } from '../faults.ts';
import { createSimulatedConfig, MERCHANTS } from '../merchants.ts';
import { type PortOptions, portsFor } from '../ports.ts';
import { createCalls, type Process } from '../process.ts';
import { SYNTHETIC_PLATFORMS } from '../synthetic-platforms.ts';
import { createTimeline } from '../timeline.ts';
import { EPOCH_MS, indexLag, type Mutation } from '../world.ts';
import { NO_LOOKUPS, newProcess, nowhere, ownPorts } from './one-part.ts';
import { everySeed, figure, type Proof } from './proof.ts';

const MINUTE_MS = 60_000;
const SLOT_MS = Math.floor(EPOCH_MS / MINUTE_MS) * MINUTE_MS;
/** The merchant nobody is connected to: its rows change by counting alone. */
const MERCHANT = MERCHANTS[2];
const STORM_MS = 2_000;
const FOLDERS = 3;

export const folds: Proof = {
  name: 'folds',
  properties: ['G11'],
  run: async (options) => {
    const { findings, sum } = await everySeed(options, (seed) =>
      sealedUnderway(createSeededRandom(`fold/${seed}`), options.mutation),
    );
    const drift = figure(findings.length);
    const sentence = `drift ${drift} in ${figure(options.runs)} slots sealed amid changes, ${figure(sum.crashes)} crashes`;
    return { findings, figures: { G11: sentence } };
  },
};

async function sealedUnderway(random: SeededRandom, mutation: Mutation | undefined) {
  const stage = await createStage(random, mutation);
  const { timeline, processes } = stage;
  // An hour ago: one browser event, counted and over.
  const browser = acceptedRow(
    { merchantId: MERCHANT, channel: 'browser', eventId: 'order-1' },
    SLOT_MS + 5,
    random,
  );
  await stage.claim(browser);
  await stage.normalizeUntilDone(browser.key);
  // The second around the moment from which a fold that finds nothing new takes the slot's due time away.
  timeline.at(SLOT_MS + MINUTE_MS + SEAL_MS - 500, () => {
    stage.storm();
    const soon = () => timeline.now() + 450 + random.below(350);
    for (let i = 0; i < FOLDERS; i++) timeline.at(soon(), () => stage.fold(SLOT_MS));
    timeline.at(soon(), () => {
      const server = acceptedRow({ ...browser.key, channel: 'server' }, timeline.now(), random);
      stage.claim(server).then(
        () => stage.normalizeUntilDone(server.key),
        () => undefined,
      );
    });
  });
  let ended = false;
  timeline.after(4 * SEAL_MS, () => {
    ended = true;
  });
  await timeline.run(() => ended, 200_000);
  const crashes = processes.filter(({ alive }) => !alive).length;
  return { violations: exactCounters(stage), figures: { crashes } };
}

async function createStage(random: SeededRandom, mutation: Mutation | undefined) {
  const timeline = createTimeline(SLOT_MS + 1_000, random.fork('order'));
  let stormEndsMs = 0;
  const stormy = () => timeline.now() < stormEndsMs;
  const weather: Weather = { ...CALM, faultRate: 0.03, crashRate: 0.01, slowRate: 0.3, slowMaxMs: 250 };
  const lag = indexLag(timeline, random.fork('index'), () => (stormy() ? 300 : 20));
  const stores = {
    events: createMemoryEventStore({ publishIndex: lag.publish }),
    attribution: createMemoryAttributionStore(),
    orders: createMemoryOrderStore(),
    batches: createMemoryBatchStore({ publishIndex: lag.publish }),
    counters: createMemoryCounterStore({ publishIndex: lag.publish }),
  };
  const counters = mutation?.counters?.(stores.counters) ?? stores.counters;
  const config = await createSimulatedConfig(SLOT_MS);
  const processes: Process[] = [];
  const calls = createCalls({
    timeline,
    random: random.fork('calls'),
    weather,
    stormy,
    onCrash: (process) => {
      process.alive = false;
    },
  });
  const options: PortOptions = {
    calls,
    timeline,
    random,
    stores: { ...stores, counters },
    config,
    ...ownPorts(),
  };
  const platforms = SYNTHETIC_PLATFORMS;
  const worker = (name: string) => {
    const process = newProcess(name);
    processes.push(process);
    return { ...portsFor(process, name, options), ...NOWHERE, platforms, report: () => undefined };
  };
  const fold = (...slots: CounterRefresh['slots']): void => {
    const hint = {
      body: { merchant: MERCHANT, slots },
      receiveCount: 1,
      sentAtMs: timeline.now(),
    };
    createAggregateStage(worker('aggregate'))([hint]).catch(() => undefined);
  };
  const counterRefresh = {
    send: async (messages: readonly { readonly body: CounterRefresh }[]) => {
      // Most hints get lost: the slot's own due time has to bring it up.
      for (const { body } of messages)
        for (const slot of body.slots)
          if (random.chance(0.2)) timeline.after(random.below(50), () => fold(slot));
    },
  };
  const normalizeUntilDone = async (key: EventKey): Promise<void> => {
    const ports = worker('normalize');
    const slots = createBucketMarker(ports.counters, ports.clock, MINUTE_MS);
    const stage = createNormalizeStage({ ...ports, slots, counterRefresh, random, lookups: NO_LOOKUPS });
    const messages = packPointers([key]).map((body) => ({ body, receiveCount: 1, sentAtMs: 0 }));
    stage(messages).catch(() => undefined);
    timeline.after(5_000, () => {
      const row = stores.events.rows().find(({ key: { channel } }) => channel === key.channel);
      if (row?.state !== 'normalized') normalizeUntilDone(key).catch(() => undefined);
    });
  };
  const sweep = () => {
    for (const { key, dueAtMs = Number.POSITIVE_INFINITY } of stores.counters.rows())
      if (key.grain === 'minute' && dueAtMs < timeline.now()) fold(key.startMs);
    timeline.after(MINUTE_MS, sweep);
  };
  timeline.after(random.below(MINUTE_MS), sweep);
  const announced = createBucketMarker(counters, timeline);
  /** As ingestion stores a row: its slot is announced first. */
  const claim = async (row: AcceptedRow): Promise<void> => {
    await announced.markDue([{ merchantId: row.key.merchantId, receivedAtMs: row.receivedAtMs }]);
    await stores.events.claim(row);
  };
  const storm = () => {
    stormEndsMs = timeline.now() + STORM_MS;
  };
  return { timeline, stores, config, platforms, processes, claim, fold, normalizeUntilDone, storm };
}

const NOWHERE = { accepted: nowhere, normalized: nowhere, counterRefresh: nowhere, shards: STEADY_SHARDS };

function acceptedRow(key: EventKey, receivedAtMs: number, random: SeededRandom): AcceptedRow {
  return {
    key,
    ingestId: random.uuidv7(receivedAtMs),
    receivedAtMs,
    expiresAtMs: receivedAtMs + 24 * SEAL_MS,
    payloadHash: 'hash',
    state: 'accepted',
    body: {
      event_id: key.eventId,
      event_name: 'Purchase',
      event_time: Math.floor(receivedAtMs / 1_000),
      order_id: key.channel,
      user_data: {},
      value: 0.1,
      currency: 'EUR',
    },
  };
}
