// Credit settled while everything happens at once: an hour is over and counted when clicks of before its orders are normalized, one
// after another, audits of the hour die on the way and come again, a refund comes in, and slots are folded; then pages report both
// orders at once, and no audit comes after them. Most hints get lost. At rest orders, refunds and counters are credited as the clicks
// say. A run is one such hour.

import type { EventBody } from '#lib/events/domain/event/event.ts';
import type { Channel } from '#lib/events/domain/event/normalized-event.ts';
import type { AcceptedRow, EventKey } from '#lib/events/domain/event/row.ts';
import { packPointers } from '#lib/events/domain/pointer.ts';
import { createBucketMarker } from '#lib/events/pipeline/counting/due-buckets.ts';
import { orderDigest } from '#lib/events/pipeline/orders/order-reports.ts';
import { PLATFORMS } from '#lib/events/platforms/registry.ts';
import type { CounterRefresh } from '#services/events/aggregate/message.ts';
import { createAggregateStage } from '#services/events/aggregate/stage.ts';
import { createNormalizeStage } from '#services/events/normalize/stage.ts';
import type { RecountMessage } from '#services/events/reconcile/message.ts';
import { createReconcileStage } from '#services/events/reconcile/stage.ts';
import { createMemoryAttributionStore } from '../../support/memory/attribution-store.ts';
import { createMemoryBatchStore } from '../../support/memory/batch-store.ts';
import { STEADY_SHARDS } from '../../support/memory/config-stores.ts';
import { createMemoryCounterStore } from '../../support/memory/counter-store.ts';
import { createMemoryErasureStore } from '../../support/memory/erasure-store.ts';
import { createMemoryEventStore } from '../../support/memory/event-store.ts';
import { createMemoryIncidentStore } from '../../support/memory/incident-store.ts';
import { createMemoryOrderStore } from '../../support/memory/order-store.ts';
import { createSeededRandom, type SeededRandom } from '../../support/memory/random.ts';
import { createMemoryReconciliationStore } from '../../support/memory/reconciliation-store.ts';
import { exactCounters, type Violation } from '../checks.ts';
import { CALM, type Weather } from '../faults.ts';
import { createSimulatedConfig, MERCHANTS } from '../merchants.ts';
import { type PortOptions, portsFor } from '../ports.ts';
import { createCalls, type Process } from '../process.ts';
import { createTimeline } from '../timeline.ts';
import { EPOCH_MS, indexLag, type Mutation } from '../world.ts';
import { NO_LOOKUPS, newProcess, nowhere, ownPorts } from './one-part.ts';
import { everySeed, figure, type Proof } from './proof.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const START_MS = Math.floor(EPOCH_MS / HOUR_MS) * HOUR_MS;
/** No merchant is connected to it: its rows change by counting alone. */
const MERCHANT = MERCHANTS[2];
const STORM_MS = 20_000;
/** Seen before the orders, the first and a later one; with the pages of both orders comes the last. */
const CLICKS = ['ttclid', 'gclid'] as const;
const [FIRST, LAST] = ['tiktok', 'microsoft'] as const;
const PERSON = { email: 'jane@example.com' };

export const settles: Proof = {
  name: 'settles',
  properties: ['G11'],
  run: async (options) => {
    const { findings, sum } = await everySeed(options, (seed) =>
      settledUnderway(createSeededRandom(`settle/${seed}`), options.mutation),
    );
    const sentence = `${figure(findings.length)} of ${figure(2 * options.runs)} orders credited wrongly where clicks come late, ${figure(sum.crashes)} crashes`;
    return { findings, figures: { G11: sentence } };
  },
};

async function settledUnderway(random: SeededRandom, mutation: Mutation | undefined) {
  const stage = await createStage(random, mutation);
  const { timeline, processes } = stage;
  const at = (ms: number, name: string, body: Partial<EventBody>, channel: Channel = 'server') =>
    timeline.at(START_MS + ms, () => stage.arrive(accepted(channel, name, START_MS + ms, body, random)));
  const order = { event_name: 'Purchase', user_data: PERSON, currency: 'EUR' };
  at(10 * MINUTE_MS, 'A', { ...order, order_id: 'A', value: 10 });
  at(10 * MINUTE_MS + 5, 'B', { ...order, order_id: 'B', value: 5 });
  at(12 * MINUTE_MS, 'R', { ...refund('A'), value: 4 });
  const stormMs = 2 * HOUR_MS + 5 * MINUTE_MS;
  timeline.at(START_MS + stormMs, () => stage.storm());
  const underway = () => stormMs + random.below(STORM_MS);
  at(underway(), 'S', { ...refund('B'), value: 1 });
  for (const [minute, id] of CLICKS.entries()) {
    const event_time = START_MS / 1_000 + 60 * (1 + minute);
    const browser_ids = { [id]: id };
    // Click ids of one identifier are written once a minute.
    const ms = stormMs + (minute === 0 ? 0 : minute * 2 * MINUTE_MS) + random.below(5_000);
    at(ms, id, { event_name: 'PageView', event_time, user_data: { ...PERSON, browser_ids } });
    for (let i = 0; i < 2; i++) timeline.at(START_MS + ms + random.below(10_000), () => stage.audit());
    timeline.at(START_MS + ms - 500, () => stage.storm());
  }
  // The last of them begins when the clicks are known, and dies with them.
  const last = () => {
    if (stage.isNormalized()) stage.audit();
    else timeline.after(1_000, last);
  };
  timeline.at(START_MS + stormMs + 3 * MINUTE_MS, last);
  const pagesMs = stormMs + 10 * MINUTE_MS;
  timeline.at(START_MS + pagesMs - 500, () => stage.storm());
  for (const [id, value] of [
    ['A', 10],
    ['B', 5],
  ] as const) {
    const page = { ...order, order_id: id, value, user_data: { browser_ids: { msclkid: id } } };
    at(pagesMs + random.below(400), id, page, 'browser');
  }
  let ended = false;
  timeline.at(START_MS + 4 * HOUR_MS, () => {
    ended = true;
  });
  const endless = await timeline
    .run(() => ended, 400_000)
    .then(() => [])
    .catch((error: unknown): Violation[] => [{ property: 'G11', what: String(error) }]);
  const crashes = processes.filter(({ alive }) => !alive).length;
  return {
    violations: [...endless, ...exactCounters(stage), ...(await miscredited(stage))],
    figures: { crashes },
  };
}

const refund = (order_id: string) => ({ event_name: 'Refund', order_id, currency: 'EUR', user_data: {} });

/** What both orders and their refunds come to, credited to the first click and to the last; of nothing else anything is left. */
async function miscredited({ stores }: Awaited<ReturnType<typeof createStage>>): Promise<Violation[]> {
  const wrong: string[] = [];
  for (const id of ['A', 'B']) {
    const found = await stores.orders.read(MERCHANT, orderDigest(id), START_MS);
    const order = found === 'unreadable' ? undefined : found.order;
    if (order?.touch !== FIRST || order.last !== LAST)
      wrong.push(`order ${id} is credited to ${order?.touch} and ${order?.last}`);
  }
  for (const grain of ['minute', 'hour', 'day'] as const) {
    const sums: Record<'credits' | 'moves', Map<string, number>> = { credits: new Map(), moves: new Map() };
    for (const { key, counters } of stores.counters.rows()) {
      if (key.grain !== grain || key.merchantId !== MERCHANT) continue;
      for (const kind of ['credits', 'moves'] as const)
        for (const [slug, { revenue, refunds }] of Object.entries(counters[kind] ?? {})) {
          const net = Number(revenue.EUR?.minor ?? 0) - Number(refunds?.EUR?.minor ?? 0);
          sums[kind].set(slug, (sums[kind].get(slug) ?? 0) + net);
        }
    }
    const said = JSON.stringify(
      (['credits', 'moves'] as const).map((kind) => [...sums[kind]].filter(([, net]) => net !== 0).sort()),
    );
    const right = JSON.stringify([
      [[FIRST, 1_000]],
      [
        [FIRST, -1_000],
        [LAST, 1_000],
      ].sort(),
    ]);
    if (said !== right) wrong.push(`${grain}: ${said}`);
  }
  return wrong.map((what) => ({ property: 'G11', what }));
}

async function createStage(random: SeededRandom, mutation: Mutation | undefined) {
  const timeline = createTimeline(START_MS, random.fork('order'));
  let stormEndsMs = 0;
  const stormy = () => timeline.now() < stormEndsMs;
  const weather: Weather = { ...CALM, faultRate: 0.03, crashRate: 0.02, slowRate: 0.3, slowMaxMs: 1_500 };
  const lag = indexLag(timeline, random.fork('index'), () => (stormy() ? 300 : 20));
  const stores = {
    events: createMemoryEventStore({ publishIndex: lag.publish }),
    attribution: createMemoryAttributionStore(),
    orders: createMemoryOrderStore(),
    batches: createMemoryBatchStore({ publishIndex: lag.publish }),
    counters: createMemoryCounterStore({ publishIndex: lag.publish }),
  };
  const counters = mutation?.counters?.(stores.counters) ?? stores.counters;
  const orders = mutation?.orders?.(stores.orders) ?? stores.orders;
  const config = await createSimulatedConfig(START_MS);
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
  const own = { stores: { ...stores, counters, orders }, config, ...ownPorts() };
  const options: PortOptions = { calls, timeline, random, ...own };
  const platforms = PLATFORMS;
  const worker = (name: string) => {
    const process = newProcess(name);
    processes.push(process);
    return { ...portsFor(process, name, options), ...NOWHERE, platforms, report: () => undefined };
  };
  /** As a queue does: a message that was not finished comes again, and now and then one that was. */
  const deliver = (work: () => Promise<{ readonly failedIndexes: readonly number[] }>): void => {
    let isDone = false;
    work().then(
      ({ failedIndexes }) => {
        isDone = failedIndexes.length === 0;
      },
      () => undefined,
    );
    timeline.after(15_000 + random.below(5_000), () => {
      if (!isDone) deliver(work);
    });
  };
  const fold = (slot: CounterRefresh['slots'][number]): void => {
    const body = { merchant: MERCHANT, slots: [slot] };
    createAggregateStage(worker('aggregate'))([{ body, receiveCount: 1, sentAtMs: timeline.now() }]).catch(
      () => undefined,
    );
  };
  const counterRefresh = {
    send: async (messages: readonly { readonly body: CounterRefresh }[]) => {
      // Most hints get lost: the slot's own due time has to bring it up.
      for (const { body } of messages)
        for (const slot of body.slots)
          if (random.chance(0.2)) timeline.after(random.below(50), () => fold(slot));
    },
  };
  const recount = (body: RecountMessage): void =>
    deliver(() => {
      const ports = worker('reconcile');
      const stage = (mutation?.stages?.createReconcile ?? createReconcileStage)(
        {
          ...{ ...ports, counterRefresh, people: ports.attribution, merchantIds: async function* () {} },
          recounts: {
            send: async (messages) => {
              for (const message of messages) recount(message.body);
            },
          },
          ...{ merchant: async () => null, dayKeys: { eraseBefore: async () => 0 }, taskWork: nowhere },
          erasures: createMemoryErasureStore(),
          reconciliations: createMemoryReconciliationStore(),
          incidents: createMemoryIncidentStore(),
        },
        () => undefined,
      );
      return stage([{ body, receiveCount: 1, sentAtMs: timeline.now() }]);
    });
  const normalize = (key: EventKey): void =>
    deliver(() => {
      const ports = worker('normalize');
      const slots = createBucketMarker(ports.counters, ports.clock, MINUTE_MS);
      const stage = createNormalizeStage({ ...ports, slots, counterRefresh, random, lookups: NO_LOOKUPS });
      return stage(packPointers([key]).map((body) => ({ body, receiveCount: 1, sentAtMs: 0 })));
    });
  const sweep = () => {
    for (const { key, dueAtMs = Number.POSITIVE_INFINITY } of stores.counters.rows())
      if (key.grain === 'minute' && dueAtMs < timeline.now()) fold(key.startMs);
    timeline.after(MINUTE_MS, sweep);
  };
  timeline.after(random.below(MINUTE_MS), sweep);
  const announced = createBucketMarker(counters, timeline);
  return {
    ...{ timeline, stores, config, platforms, processes },
    arrive: (row: AcceptedRow): void => {
      announced
        .markDue([{ merchantId: row.key.merchantId, receivedAtMs: row.receivedAtMs }])
        .then(() => stores.events.claim(row))
        .then(() => normalize(row.key))
        .catch(() => undefined);
    },
    audit: (): void => recount({ hour: START_MS, merchants: [MERCHANT] }),
    isNormalized: (): boolean => stores.events.rows().every(({ state }) => state === 'normalized'),
    storm: (): void => {
      stormEndsMs = timeline.now() + STORM_MS;
    },
  };
}

const NOWHERE = { accepted: nowhere, normalized: nowhere, counterRefresh: nowhere, shards: STEADY_SHARDS };

function accepted(
  channel: Channel,
  eventId: string,
  receivedAtMs: number,
  body: Partial<EventBody>,
  random: SeededRandom,
): AcceptedRow {
  return {
    key: { merchantId: MERCHANT, channel, eventId },
    ingestId: random.uuidv7(receivedAtMs),
    receivedAtMs,
    expiresAtMs: receivedAtMs + 24 * HOUR_MS,
    payloadHash: 'hash',
    state: 'accepted',
    body: {
      event_id: eventId,
      event_name: 'PageView',
      event_time: Math.floor(receivedAtMs / 1_000),
      user_data: {},
      ...body,
    },
  };
}
