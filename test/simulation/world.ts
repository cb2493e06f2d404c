// One simulated installation: stores, queues, platforms, processes, schedules. It runs the real stage code.

import { type BatchOutcomes, batchId } from '../../lib/events/domain/deliveries/batch.ts';
import { deliveryAt } from '../../lib/events/domain/deliveries/batch-outcomes.ts';
import { mayFollow } from '../../lib/events/domain/deliveries/transition.ts';
import type { AcceptedRow } from '../../lib/events/domain/event/row.ts';
import type { Platform, Quota } from '../../lib/events/platforms/platform.ts';
import type { BatchStore } from '../../lib/events/ports/batch-store.ts';
import type { EventStore } from '../../lib/events/ports/event-store.ts';
import type { OrderStore } from '../../lib/events/ports/order-store.ts';
import type { ReplayPorts } from '../../services/events/replay/ports.ts';
import { createMemoryAttributionStore } from '../support/memory/attribution-store.ts';
import { createMemoryBatchStore } from '../support/memory/batch-store.ts';
import { createMemoryCounterStore } from '../support/memory/counter-store.ts';
import { createMemoryEventStore } from '../support/memory/event-store.ts';
import { createMemoryEventVault } from '../support/memory/event-vault.ts';
import { joinedMemoryEvents } from '../support/memory/joined-events.ts';
import type { KeyTableCall } from '../support/memory/key-table.ts';
import { createMemoryLeaseStore } from '../support/memory/lease-store.ts';
import { createMemoryOrderStore } from '../support/memory/order-store.ts';
import { createSeededRandom, type SeededRandom } from '../support/memory/random.ts';
import { createMemoryRunLeases } from '../support/memory/run-leases.ts';
import { CALM, isStormy, type Weather } from './faults.ts';
import { createLedger, type Ledger } from './ledger.ts';
import { createSimulatedConfig, MERCHANTS, SIMULATED_VAULT } from './merchants.ts';
import type { MemoryStores, Stores } from './ports.ts';
import { type CrashPlan, createCalls, type Process } from './process.ts';
import { createStageHost } from './stage-host.ts';
import type { StageVariants } from './stage-work.ts';
import { SYNTHETIC } from './synthetic-platforms.ts';
import { createTimeline, type Timeline } from './timeline.ts';
import { createVendor, type Spell } from './vendor.ts';

export const EPOCH_MS = Date.UTC(2026, 10, 20, 11, 57, 30);

/** How much eventually consistent reads are late at most: far more than DynamoDB's usually are. */
const REPLICA_LAG_MAX_MS = 3_000;

/** The test seam: how a mutant differs from the code as it is. */
export interface Mutation {
  readonly events?: (store: EventStore) => EventStore;
  readonly batches?: (store: MemoryStores['batches']) => Stores['batches'];
  readonly orders?: (store: OrderStore) => OrderStore;
  readonly counters?: (store: MemoryStores['counters']) => Stores['counters'];
  readonly platforms?: (platforms: readonly Platform[]) => readonly Platform[];
  readonly stages?: StageVariants;
  /** What the steps of replay plans work with. */
  readonly replay?: (ports: ReplayPorts) => ReplayPorts;
  /** A command to the table of API keys, as it is sent instead. */
  readonly keyTable?: (call: KeyTableCall) => KeyTableCall;
}

export interface WorldOptions {
  readonly seed: number;
  readonly weather: Weather;
  readonly spells: (slug: string) => readonly Spell[];
  readonly crashPlan?: CrashPlan | undefined;
  readonly mutation?: Mutation | undefined;
  readonly strays?: ((queue: string) => readonly unknown[]) | undefined;
  /** What one platform documents and its vendor keeps, for each connection. */
  readonly limited?: LimitedVendor | undefined;
}

export interface LimitedVendor {
  readonly slug: string;
  readonly quota: Quota;
  /** Events beyond the quota that are still taken. */
  readonly slack: number;
}

export type World = Awaited<ReturnType<typeof createWorld>>;

export async function createWorld(options: WorldOptions) {
  const { weather, limited, mutation = {} } = options;
  const random = createSeededRandom(options.seed);
  const timeline = createTimeline(EPOCH_MS, random.fork('order'));
  const stormy = () => isStormy(weather, timeline.now() - EPOCH_MS);
  const ledger = createLedger();
  const lag = indexLag(timeline, random.fork('index'), () => (stormy() ? weather : CALM).indexLagMaxMs);
  const replica = indexLag(timeline, random.fork('replica'), () => (stormy() ? REPLICA_LAG_MAX_MS : 20));
  const memory: MemoryStores = {
    events: createMemoryEventStore({ publishIndex: lag.publish, publishReplica: replica.publish }),
    attribution: createMemoryAttributionStore(),
    orders: createMemoryOrderStore(),
    batches: createMemoryBatchStore({ publishIndex: lag.publish, publishReplica: replica.publish }),
    counters: createMemoryCounterStore({ publishIndex: lag.publish }),
  };
  const stores: Stores = {
    events: witnessed(mutation.events?.(memory.events) ?? memory.events, ledger),
    batches: witnessedBatches(mutation.batches?.(memory.batches) ?? memory.batches, memory.batches, ledger),
    counters: mutation.counters?.(memory.counters) ?? memory.counters,
    attribution: memory.attribution,
    orders: mutation.orders?.(memory.orders) ?? memory.orders,
  };
  const config = await createSimulatedConfig(EPOCH_MS);
  const vendors = new Map(
    SYNTHETIC.map((traits) => {
      const { slug } = traits;
      const spells = options.spells(slug);
      const limit = limited?.slug === slug ? limited : undefined;
      return [slug, createVendor(traits, { timeline, random: random.fork(slug), spells, limit })];
    }),
  );
  const everybody = SYNTHETIC.map(({ slug, platform }) =>
    limited?.slug === slug ? { ...platform, quotas: [limited.quota] } : platform,
  );
  const platforms = mutation.platforms?.(everybody) ?? everybody;

  let crash: (process: Process) => void = () => undefined;
  const calls = createCalls({
    timeline,
    random: random.fork('calls'),
    weather,
    stormy,
    crashPlan: options.crashPlan,
    onCrash: (process) => crash(process),
  });
  const host = createStageHost({
    timeline,
    random: random.fork('host'),
    weather: () => (stormy() ? weather : CALM),
    oneProcess: weather.oneProcess,
    sharded: weather.shardsMax > 1,
    // In the other half of the runs all platforms get everything through their queues, as those do that do not look well.
    express: createSeededRandom(`express/${options.seed}`).chance(0.5),
    windowMs: weather.windowMs,
    strays: options.strays,
    calls,
    ledger,
    platforms,
    variants: mutation.stages ?? {},
    merchants: MERCHANTS,
    ports: {
      calls,
      timeline,
      random: random.fork('ports'),
      stores,
      config,
      vault: SIMULATED_VAULT,
      eventVault: createMemoryEventVault(),
      leases: createMemoryRunLeases(),
      quotas: createMemoryLeaseStore(),
      vendors,
    },
  });
  crash = host.crash;
  const atRest = () =>
    !stormy() &&
    host.idle() &&
    calls.inFlight() === 0 &&
    lag.pending() === 0 &&
    replica.pending() === 0 &&
    memory.events.rows().every((row) => row.state === 'normalized' && row.dueAtMs === undefined) &&
    memory.batches.outcomes().every((item) => item.dueAtMs === undefined) &&
    memory.counters.rows().every((row) => row.dueAtMs === undefined);
  return {
    random,
    timeline,
    weather,
    stores: { ...memory, events: joinedMemoryEvents(memory.events, memory.batches) },
    /** Events as they are stored, without what became of them in their batches. */
    bareRows: memory.events.rows,
    config,
    vendors,
    platforms,
    ledger,
    calls,
    host,
    stormy,
    /** Nothing is under way and nothing is due: only new events could change anything. */
    atRest,
  };
}

/** A secondary index: late by a random time, but each item's updates in order. */
export function indexLag(timeline: Timeline, random: SeededRandom, lagMaxMs: () => number) {
  const lastAtMs = new Map<string, number>();
  let pending = 0;
  return {
    pending: () => pending,
    publish: (item: string, update: () => void) => {
      const atMs = Math.max(timeline.now() + random.below(lagMaxMs()), (lastAtMs.get(item) ?? 0) + 1);
      lastAtMs.set(item, atMs);
      pending += 1;
      timeline.at(atMs, () => {
        pending -= 1;
        update();
      });
    },
  };
}

/** Writes down what the store agreed to, whoever asked and whether or not they heard of it. */
function witnessed(events: EventStore, ledger: Ledger): EventStore {
  const accepted = (row: AcceptedRow) =>
    ledger.acceptances.push({
      key: row.key,
      ingestId: row.ingestId,
      receivedAtMs: row.receivedAtMs,
      nonce: row.body.order_id ?? '',
    });
  return {
    ...events,
    claim: async (row) => {
      const answer = await events.claim(row);
      if (answer === 'claimed') accepted(row);
      return answer;
    },
    replace: async (row, expected) => {
      const replaced = await events.replace(row, expected);
      if (replaced) accepted(row);
      return replaced;
    },
    normalize: async (row) => {
      const done = await events.normalize(row);
      if (done) ledger.normalizations.set(row.ingestId, (ledger.normalizations.get(row.ingestId) ?? 0) + 1);
      return done;
    },
    putDelivery: async (seen, patch) => {
      const before = await events.read(seen.key);
      const after = await events.putDelivery(seen, patch);
      if (after === null) return null;
      for (const [slug, delivery] of Object.entries({ ...patch.also, [patch.platform]: patch.delivery })) {
        ledger.transitions += 1;
        const was = before?.state === 'normalized' ? before.deliveries[slug] : undefined;
        if (before !== null && !mayFollow(was, delivery))
          ledger.overwritten.push(`${before.ingestId} ${slug} ${delivery.state}`);
      }
      return after;
    },
  };
}

function witnessedBatches(batches: BatchStore, memory: MemoryStores['batches'], ledger: Ledger): BatchStore {
  return {
    ...batches,
    writeOutcomes: async (next, seenVersion) => {
      const isSame = ({ batch, platform }: BatchOutcomes) =>
        platform === next.platform && batchId(batch) === batchId(next.batch);
      const before = memory.outcomes().find(isSame);
      if (!(await batches.writeOutcomes(next, seenVersion))) return false;
      const after = memory.outcomes().find(isSame);
      ledger.transitions += 1;
      for (const { positions, delivery } of before?.groups ?? [])
        for (const position of positions) {
          const now = deliveryAt(after, position);
          if (delivery.state === 'DELIVERED' && now?.state !== 'DELIVERED')
            ledger.overwritten.push(`${next.batch.id}/${position} ${next.platform} ${now?.state}`);
        }
      return true;
    },
  };
}
