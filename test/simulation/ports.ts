// The ports as one process of a simulated run sees them: every call passes through the weather, in an order the seed
// decides, and is a numbered point at which the process can die.

import type { Clock } from '../../lib/core/ports/clock.ts';
import type { MessageSender } from '../../lib/core/ports/queue.ts';
import type { Transport } from '../../lib/core/ports/transport.ts';
import type { Vault } from '../../lib/core/ports/vault.ts';
import type { RunLeases } from '../../lib/core/work/run-leases.ts';
import type { HttpResult } from '../../lib/events/platforms/platform.ts';
import type { AttributionStore } from '../../lib/events/ports/attribution-store.ts';
import type { BatchStore } from '../../lib/events/ports/batch-store.ts';
import type { CounterStore } from '../../lib/events/ports/counter-store.ts';
import { type EventStore, ThrottledWrite } from '../../lib/events/ports/event-store.ts';
import type { EventVault } from '../../lib/events/ports/event-vault.ts';
import type { MemoryAttributionStore } from '../support/memory/attribution-store.ts';
import type { MemoryBatchStore } from '../support/memory/batch-store.ts';
import type { PipelineConfig } from '../support/memory/config-stores.ts';
import type { MemoryCounterStore } from '../support/memory/counter-store.ts';
import type { MemoryEventStore } from '../support/memory/event-store.ts';
import type { SeededRandom } from '../support/memory/random.ts';
import type { CallKind } from './faults.ts';
import type { SimulatedQueue } from './message-queue.ts';
import { type Calls, type Process, THROTTLED } from './process.ts';
import type { Timeline } from './timeline.ts';
import type { Vendor } from './vendor.ts';

export type Stores = {
  readonly attribution: AttributionStore;
  readonly events: EventStore;
  readonly batches: BatchStore;
  readonly counters: CounterStore;
};
export type MemoryStores = {
  readonly attribution: MemoryAttributionStore;
  readonly events: MemoryEventStore;
  readonly batches: MemoryBatchStore;
  readonly counters: MemoryCounterStore;
};

export interface PortMaker {
  readonly attribution: AttributionStore;
  readonly events: EventStore;
  readonly batches: BatchStore;
  readonly counters: CounterStore;
  readonly config: PipelineConfig;
  readonly vault: Vault;
  readonly eventVault: EventVault;
  readonly clock: Clock;
  readonly transport: Transport;
  readonly leases: RunLeases;
  sender<Message>(queue: SimulatedQueue<Message>): MessageSender<Message>;
  pause(ms: number): Promise<void>;
}

export interface PortOptions {
  readonly calls: Calls;
  readonly timeline: Timeline;
  readonly random: SeededRandom;
  readonly stores: Stores;
  readonly config: PipelineConfig;
  readonly vault: Vault;
  readonly eventVault: EventVault;
  readonly leases: RunLeases;
  readonly vendors: ReadonlyMap<string, Vendor>;
  readonly onAnswer: (vendor: Vendor, request: { readonly body: string }, result: HttpResult) => void;
}

/** `stage` names the caller in crash points. */
export function portsFor(process: Process, stage: string, options: PortOptions): PortMaker {
  const { calls, timeline } = options;
  const on = <T>(label: string, kind: CallKind, perform: () => Promise<T>): Promise<T> =>
    calls.call(process, `${stage}.${label}`, kind, perform);
  return {
    events: eventPort(options, on),
    batches: batchPort(options.stores.batches, on),
    counters: counterPort(options.stores.counters, on),
    attribution: attributionPort(options.stores.attribution, on),
    config: configPort(options.config, on),
    vault: {
      seal: (...args) => on('vault.seal', 'read', () => options.vault.seal(...args)),
      open: (...args) => on('vault.open', 'read', () => options.vault.open(...args)),
    },
    eventVault: {
      seal: (...args) => on('eventVault.seal', 'read', () => options.eventVault.seal(...args)),
      open: (...args) => on('eventVault.open', 'read', () => options.eventVault.open(...args)),
    },
    clock: { now: () => timeline.now() + process.clockOffsetMs() },
    transport: transportPort(options, on),
    leases: { take: (...args) => on('leases.take', 'conditional', () => options.leases.take(...args)) },
    sender: (queue) => senderPort(queue, options.random, on),
    pause: (ms) =>
      new Promise((resolve) => timeline.after(ms, () => (process.alive ? resolve() : undefined))),
  };
}

type On = <T>(label: string, kind: CallKind, perform: () => Promise<T>) => Promise<T>;

function eventPort({ stores: { events }, random }: PortOptions, on: On): EventStore {
  return {
    claim: (row) => throttled(on('events.claim', 'conditional', () => events.claim(row))),
    read: (key) => on('events.read', 'read', () => events.read(key)),
    readMany: async (keys, consistency) => {
      // A batch read is no snapshot: its items are read one by one.
      const cut = keys.length > 1 && random.chance(0.3) ? 1 + random.below(keys.length - 1) : keys.length;
      const read = (part: typeof keys) =>
        on('events.readMany', 'read', () => events.readMany(part, consistency));
      const parts = [keys.slice(0, cut), keys.slice(cut)].filter((part) => part.length > 0);
      const found = await Promise.all(parts.map(read));
      return {
        rows: found.flatMap(({ rows }) => rows),
        unreadable: found.flatMap(({ unreadable }) => unreadable),
      };
    },
    archive: (row) => on('events.archive', 'write', () => events.archive(row)),
    replace: (...args) => throttled(on('events.replace', 'conditional', () => events.replace(...args))),
    normalize: (row) => on('events.normalize', 'conditional', () => events.normalize(row)),
    putDelivery: (...args) => on('events.putDelivery', 'conditional', () => events.putDelivery(...args)),
    reschedule: (...args) => on('events.reschedule', 'conditional', () => events.reschedule(...args)),
    deferUnreadable: (...args) =>
      on('events.deferUnreadable', 'conditional', () => events.deferUnreadable(...args)),
    release: (row) => on('events.release', 'conditional', () => events.release(row)),
    withdraw: (...args) => on('events.withdraw', 'conditional', () => events.withdraw(...args)),
    dueShards: events.dueShards,
    dueGroups: (...args) => on('events.dueGroups', 'read', () => events.dueGroups(...args)),
    dueOf: (query) => on('events.dueOf', 'read', () => events.dueOf(query)),
    received: (query) => on('events.received', 'read', () => events.received(query)),
  };
}

/** As the adapter says it of a row's shard. */
async function throttled<T>(write: Promise<T>): Promise<T> {
  try {
    return await write;
  } catch (error) {
    throw error instanceof Error && error.message === THROTTLED ? new ThrottledWrite(THROTTLED) : error;
  }
}

function batchPort(batches: BatchStore, on: On): BatchStore {
  return {
    putManifest: (manifest) => on('batches.putManifest', 'write', () => batches.putManifest(manifest)),
    readMany: (...args) => on('batches.readMany', 'read', () => batches.readMany(...args)),
    ofBatch: (key) => on('batches.ofBatch', 'read', () => batches.ofBatch(key)),
    ofMinute: (query) => on('batches.ofMinute', 'read', () => batches.ofMinute(query)),
    writeOutcomes: (...args) =>
      on('batches.writeOutcomes', 'conditional', () => batches.writeOutcomes(...args)),
    deferUnreadable: (...args) =>
      on('batches.deferUnreadable', 'conditional', () => batches.deferUnreadable(...args)),
    dueShards: batches.dueShards,
    dueGroups: (...args) => on('batches.dueGroups', 'read', () => batches.dueGroups(...args)),
    dueOf: (query) => on('batches.dueOf', 'read', () => batches.dueOf(query)),
  };
}

function counterPort(counters: CounterStore, on: On): CounterStore {
  return {
    read: (key) => on('counters.read', 'read', () => counters.read(key)),
    range: (...args) => on('counters.range', 'read', () => counters.range(...args)),
    write: (row) => on('counters.write', 'conditional', () => counters.write(row)),
    markDue: (...args) => on('counters.markDue', 'write', () => counters.markDue(...args)),
    openShard: (...args) => on('counters.openShard', 'write', () => counters.openShard(...args)),
    openedShards: (...args) => on('counters.openedShards', 'read', () => counters.openedShards(...args)),
    due: (...args) => on('counters.due', 'read', () => counters.due(...args)),
  };
}

function attributionPort(attribution: AttributionStore, on: On): AttributionStore {
  return {
    touches: (...args) => on('attribution.touches', 'read', () => attribution.touches(...args)),
    addTouch: (...args) => on('attribution.addTouch', 'conditional', () => attribution.addTouch(...args)),
    claimOrder: (...args) =>
      on('attribution.claimOrder', 'conditional', () => attribution.claimOrder(...args)),
    forgetTouches: attribution.forgetTouches,
  };
}

function configPort(config: PipelineConfig, on: On): PipelineConfig {
  return {
    apiKey: (sha256) => on('config.apiKey', 'read', () => config.apiKey(sha256)),
    merchant: (id) => on('config.merchant', 'read', () => config.merchant(id)),
    addServerEventName: (...args) =>
      on('config.addServerEventName', 'conditional', () => config.addServerEventName(...args)),
    currentRouting: (id) => on('config.currentRouting', 'read', () => config.currentRouting(id)),
    connection: (...args) => on('config.connection', 'read', () => config.connection(...args)),
    pauseConnection: (...args) =>
      on('config.pauseConnection', 'conditional', () => config.pauseConnection(...args)),
    setCircuit: (...args) => on('config.setCircuit', 'conditional', () => config.setCircuit(...args)),
  };
}

function transportPort({ vendors, timeline, onAnswer }: PortOptions, on: On): Transport {
  return {
    send: async (request, { timeoutMs }) => {
      const startMs = timeline.now();
      const vendor = vendors.get(new URL(request.url).hostname.split('.')[0] ?? '');
      if (!vendor) throw new Error(`no such vendor: ${request.url}`);
      const result = await on('transport.send', 'transport', () => vendor.handle(request, timeoutMs));
      onAnswer(vendor, request, result);
      return { ...result, latencyMs: timeline.now() - startMs };
    },
  };
}

function senderPort<Message>(
  queue: SimulatedQueue<Message>,
  random: SeededRandom,
  on: On,
): MessageSender<Message> {
  return {
    send: (messages, { delaySec = 0 } = {}) =>
      on(`${queue.name}.send`, 'send', async () => {
        const bodies = messages.map(({ body }) => body);
        // Ten fit into one request; a later request of the same call can fail.
        const failing = bodies.length > 10 && random.chance(0.1);
        queue.enqueue(failing ? bodies.slice(0, 10) : bodies, delaySec);
        if (failing) throw new Error('one of several requests failed');
      }),
  };
}
