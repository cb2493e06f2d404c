// A merchant whose rows are spread over shards that grow and shrink while they arrive, with an index that is late by half an
// hour and folds that take as long: nothing may be counted by a number of shards somebody believes in, and nothing may be
// called sealed by a clock that was read after the rows. A run is one such minute or two.
import { DAY_MS, HOUR_MS, MINUTE_MS, minuteOf } from '#lib/core/work/time-slot.ts';
import type { EventKey } from '#lib/events/domain/event/row.ts';
import { keysOf, type Pointers, packPointers } from '#lib/events/domain/pointer.ts';
import { createBucketMarker } from '#lib/events/pipeline/counting/due-buckets.ts';
import { receivedEntries } from '#lib/events/pipeline/received-entries.ts';
import { bucketRefreshes, type CounterRefresh } from '#services/events/aggregate/message.ts';
import { createAggregateStage } from '#services/events/aggregate/stage.ts';
import { acceptEvent } from '#services/events/ingestion/accept.ts';
import { createShardPicker } from '#services/events/ingestion/shard-picker.ts';
import { createNormalizeStage } from '#services/events/normalize/stage.ts';
import { createMemoryAttributionStore } from '../../support/memory/attribution-store.ts';
import { createMemoryBatchStore } from '../../support/memory/batch-store.ts';
import { STEADY_SHARDS } from '../../support/memory/config-stores.ts';
import { createMemoryCounterStore } from '../../support/memory/counter-store.ts';
import { createMemoryEventStore } from '../../support/memory/event-store.ts';
import { createMemoryOrderStore } from '../../support/memory/order-store.ts';
import { createSeededRandom, type SeededRandom } from '../../support/memory/random.ts';
import { exactCounters, type Violation } from '../checks.ts';
import { CALM, type Weather } from '../faults.ts';
import { createSimulatedConfig, MERCHANTS } from '../merchants.ts';
import { type MemoryStores, type PortOptions, portsFor } from '../ports.ts';
import { createCalls, type Process } from '../process.ts';
import { SYNTHETIC_PLATFORMS } from '../synthetic-platforms.ts';
import { createTimeline } from '../timeline.ts';
import { EPOCH_MS, indexLag, type Mutation } from '../world.ts';
import { NO_LOOKUPS, newProcess, nowhere, ownPorts } from './one-part.ts';
import { everySeed, figure, type Proof } from './proof.ts';

const START_MS = minuteOf(EPOCH_MS);
/** The merchant nobody is connected to: its rows are over once they are normalized. */
const MERCHANT = MERCHANTS[2];
const EVENTS = 6;
const SHARDS_MAX = 8;
/** Rows arrive within two minutes and are stored within seconds: all of them are in the index well before the hour is over. */
const INDEX_LAG_MAX_MS = 45 * MINUTE_MS;
const STORM_MS = 90 * MINUTE_MS;
const FOLDERS_MAX = 3;
const END_MS = 6 * HOUR_MS;
const RARE_FAULTS: Weather = { ...CALM, faultRate: 0.1, crashRate: 0.02 };
const SLOW: Weather = { ...RARE_FAULTS, slowRate: 0.3, slowMaxMs: 40 * MINUTE_MS };

export const shards: Proof = {
  name: 'shards',
  properties: ['G1', 'G11'],
  run: async (options) => {
    const { findings, sum } = await everySeed(options, (seed) =>
      oneLife(createSeededRandom(`shards/${seed}`), options.mutation),
    );
    const bad = (property: string) => figure(findings.filter((f) => f.property === property).length);
    const where = `${figure(sum.rows)} rows in ${figure(sum.slots)} slots of a minute and shard, ${figure(sum.crashes)} crashes`;
    return {
      findings,
      figures: { G1: `${bad('G1')} lost of ${where}`, G11: `drift ${bad('G11')} over ${where}` },
    };
  },
};

async function oneLife(random: SeededRandom, mutation: Mutation | undefined) {
  const timeline = createTimeline(START_MS + 1_000, random.fork('order'));
  const stormy = () => timeline.now() < START_MS + STORM_MS;
  const lag = indexLag(timeline, random.fork('index'), () => (stormy() ? INDEX_LAG_MAX_MS : 20));
  const memory = {
    events: createMemoryEventStore({ publishIndex: lag.publish }),
    attribution: createMemoryAttributionStore(),
    orders: createMemoryOrderStore(),
    batches: createMemoryBatchStore({ publishIndex: lag.publish }),
    counters: createMemoryCounterStore(),
  };
  const config = await createSimulatedConfig(START_MS);
  let crashes = 0;
  const onCrash = (process: Process): void => {
    process.alive = false;
    crashes += 1;
  };
  const optionsIn = (weather: Weather, label: string): PortOptions => ({
    calls: createCalls({ timeline, random: random.fork(label), weather, stormy, onCrash }),
    timeline,
    random,
    stores: { ...memory, counters: mutation?.counters?.(memory.counters) ?? memory.counters },
    config,
    ...ownPorts(),
  });
  const quick = optionsIn(RARE_FAULTS, 'quick');
  const slow = optionsIn(SLOW, 'slow');
  const worker = (name: string, options: PortOptions, process = newProcess(name)) => ({
    ...portsFor(process, name, options),
    process,
    platforms: SYNTHETIC_PLATFORMS,
    report: () => undefined,
  });

  const normalize = (keys: readonly EventKey[]): void => {
    const ports = worker('normalize', quick);
    const slots = createBucketMarker(ports.counters, ports.clock, MINUTE_MS);
    const stage = createNormalizeStage({
      ...ports,
      slots,
      accepted: nowhere,
      normalized: nowhere,
      counterRefresh: nowhere,
      random,
      lookups: NO_LOOKUPS,
    });
    const messages = packPointers(keys).map((body) => ({ body, receiveCount: 1, sentAtMs: 0 }));
    stage(messages).catch(() => undefined);
  };
  // Half of the pointers get lost: then a fold has to find the row.
  const accepted = {
    send: async (messages: readonly { readonly body: Pointers }[]) => {
      for (const { body } of messages)
        if (!stormy() || random.chance(0.5))
          timeline.after(random.below(2_000), () => normalize(keysOf(body)));
    },
  };
  const told: { readonly key: EventKey; readonly ingestId: string }[] = [];
  const accept = (eventId: string): void => {
    const ports = worker('accept', quick);
    const shardsOf = createShardPicker({ config: ports.config, clock: ports.clock, random }, 1);
    const key: EventKey = { merchantId: MERCHANT, channel: 'server', eventId };
    const body = {
      event_id: eventId,
      event_name: 'Purchase',
      event_time: Math.floor(timeline.now() / 1_000),
      user_data: {},
      order_id: eventId,
      value: 0.1,
      currency: 'EUR',
    };
    (mutation?.stages?.accept ?? acceptEvent)(
      { key, body, payloadHash: eventId },
      {
        ...ports,
        random,
        // Half of them are as ingestion has them: young, so that they look before they announce.
        slots: createBucketMarker(ports.counters, ports.clock, 0, random.chance(0.5) ? random : undefined),
        shards: shardsOf,
        queue: accepted,
        count: () => undefined,
      },
    ).then(
      (result) => {
        if (result.kind === 'accepted') told.push({ key, ingestId: result.row.ingestId });
      },
      () => undefined,
    );
  };
  for (let i = 0; i < EVENTS; i++)
    timeline.at(START_MS + 1_000 + random.below(100_000), () => accept(`event-${i}`));
  const reshard = (): void => {
    config.reshard(MERCHANT, 1 + random.below(SHARDS_MAX));
    if (timeline.now() < START_MS + 2 * MINUTE_MS) timeline.after(random.below(20_000), reshard);
  };
  reshard();

  let folders = 0;
  const fold = (body: CounterRefresh): void => {
    if (folders >= FOLDERS_MAX) return;
    folders += 1;
    const ports = worker('aggregate', slow);
    const stage = (mutation?.stages?.createAggregate ?? createAggregateStage)({
      ...ports,
      accepted,
      normalized: nowhere,
      counterRefresh: nowhere,
      shards: STEADY_SHARDS,
    });
    let isOver = false;
    const over = (): void => {
      if (!isOver) folders -= 1;
      isOver = true;
    };
    const hint = { body, receiveCount: 1, sentAtMs: timeline.now() };
    stage([hint]).then(over, over);
    const look = (): void => {
      if (!ports.process.alive) over();
      if (!isOver) timeline.after(MINUTE_MS, look);
    };
    look();
  };
  const sweep = (): void => {
    const due = memory.counters.rows().filter(({ dueAtMs = END_OF_TIME }) => dueAtMs < timeline.now());
    // One slot each: a slow fold of one must not keep the others from being folded.
    for (const { key } of due) for (const body of bucketRefreshes([key])) fold(body);
    timeline.after(MINUTE_MS, sweep);
  };
  timeline.after(random.below(MINUTE_MS), sweep);

  let ended = false;
  timeline.at(START_MS + END_MS, () => {
    ended = true;
  });
  await timeline.run(() => ended, 400_000);
  const counted = { stores: memory, config, platforms: SYNTHETIC_PLATFORMS };
  return {
    figures: {
      rows: memory.events.rows().length,
      slots: memory.counters.rows().filter(({ key }) => key.grain === 'minute').length,
      crashes,
    },
    violations: [...exactCounters(counted), ...(await nothingLost(memory, told))],
  };
}

/** What was promised is stored, listed once, in order, and done. */
async function nothingLost(
  memory: MemoryStores,
  told: readonly { readonly ingestId: string }[],
): Promise<Violation[]> {
  const found: Violation[] = [];
  const rows = memory.events.rows();
  const range = {
    merchantId: MERCHANT,
    fromMs: START_MS - DAY_MS,
    toMs: START_MS + DAY_MS,
    order: 'asc',
  } as const;
  const listed: string[] = [];
  for await (const page of receivedEntries(range, 2, memory))
    listed.push(...page.map(({ ingestId }) => ingestId));
  const stored = rows.map(({ ingestId }) => ingestId).sort();
  if (listed.join() !== stored.join())
    found.push({ property: 'G1', what: `listed ${listed}, stored ${stored}` });
  for (const { ingestId } of told)
    if (!stored.includes(ingestId)) found.push({ property: 'G1', what: `202, but no row ${ingestId}` });
  for (const { key, state } of rows)
    if (state !== 'normalized') found.push({ property: 'G1', what: `${key.eventId} was never normalized` });
  return found;
}

const END_OF_TIME = Number.POSITIVE_INFINITY;
