// The ports as one process of a simulated run sees them: every call passes through the weather, in an order the seed
// decides, and is a numbered point at which the process can die.

import type { Clock } from '../../lib/core/ports/clock.ts';
import type { MessageSender } from '../../lib/core/ports/queue.ts';
import type { Transport } from '../../lib/core/ports/transport.ts';
import type { Vault } from '../../lib/core/ports/vault.ts';
import type { LeaseStore } from '../../lib/core/work/leased-window.ts';
import type { RunLeases } from '../../lib/core/work/run-leases.ts';
import type { HttpResult } from '../../lib/events/platforms/platform.ts';
import type { AttributionStore } from '../../lib/events/ports/attribution-store.ts';
import type { BatchStore } from '../../lib/events/ports/batch-store.ts';
import type { CounterStore } from '../../lib/events/ports/counter-store.ts';
import { type EventStore, ThrottledWrite } from '../../lib/events/ports/event-store.ts';
import type { EventVault } from '../../lib/events/ports/event-vault.ts';
import type { OrderStore } from '../../lib/events/ports/order-store.ts';
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
  readonly orders: OrderStore;
  readonly events: EventStore;
  readonly batches: BatchStore;
  readonly counters: CounterStore;
};
export type MemoryStores = {
  readonly attribution: MemoryAttributionStore;
  readonly orders: OrderStore;
  readonly events: MemoryEventStore;
  readonly batches: MemoryBatchStore;
  readonly counters: MemoryCounterStore;
};

export interface PortMaker {
  readonly attribution: AttributionStore;
  readonly orders: OrderStore;
  readonly events: EventStore;
  readonly batches: BatchStore;
  readonly counters: CounterStore;
  readonly config: PipelineConfig;
  readonly vault: Vault;
  readonly eventVault: EventVault;
  readonly clock: Clock;
  readonly transport: Transport;
  readonly leases: RunLeases;
  readonly quotas: LeaseStore;
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
  readonly quotas: LeaseStore;
  readonly vendors: ReadonlyMap<string, Vendor>;
  readonly onAnswer: (vendor: Vendor, request: { readonly body: string }, result: HttpResult) => void;
}

/** `stage` names the caller in crash points. */
export function portsFor(process: Process, stage: string, options: PortOptions): PortMaker {
  const { calls, timeline, stores } = options;
  const on = <T>(label: string, kind: CallKind, perform: () => Promise<T>): Promise<T> =>
    calls.call(process, `${stage}.${label}`, kind, perform);
  return {
    events: eventPort(options, on),
    batches: {
      ...through(on, 'batches', stores.batches, {
        ...{ putManifest: 'write', readMany: 'read', ofBatch: 'read', ofMinute: 'read' },
        ...{ writeOutcomes: 'conditional', deferUnreadable: 'conditional', dueGroups: 'read', dueOf: 'read' },
      }),
      dueShards: stores.batches.dueShards,
    },
    counters: through(on, 'counters', stores.counters, {
      ...{ read: 'read', range: 'read', write: 'conditional', markDue: 'write' },
      settle: 'conditional',
      ...{ openShard: 'write', openedShards: 'read', due: 'read', partsOfDays: 'read' },
    }),
    attribution: {
      ...stores.attribution,
      ...through(on, 'attribution', stores.attribution, {
        ...{ people: 'read', suppressed: 'read', addTouch: 'conditional', writeOrders: 'conditional' },
        writeClicks: 'conditional',
      }),
    },
    orders: through(on, 'orders', stores.orders, {
      ...{ read: 'read', readMany: 'read', create: 'conditional', write: 'conditional' },
      writeWaiting: 'conditional',
    }),
    config: through(on, 'config', options.config, {
      ...{ apiKey: 'read', merchant: 'read', currentRouting: 'read', connection: 'read' },
      ...{ connectionsOf: 'read' },
      ...{ addServerEventName: 'conditional', pauseConnection: 'conditional', setCircuit: 'conditional' },
      ...{ moveProbe: 'conditional', changeConnection: 'conditional', noteDeprecation: 'conditional' },
    }),
    vault: through(on, 'vault', options.vault, { seal: 'read', open: 'read' }),
    eventVault: through(on, 'eventVault', options.eventVault, {
      ...{ seal: 'read', open: 'read', sealText: 'read', openText: 'read' },
    }),
    clock: { now: () => timeline.now() + process.clockOffsetMs() },
    transport: transportPort(options, on),
    leases: through(on, 'leases', options.leases, { take: 'conditional' }),
    quotas: through(on, 'quotas', options.quotas, { lease: 'conditional' }),
    sender: (queue) => senderPort(queue, options.random, on),
    pause: (ms) =>
      new Promise((resolve) => timeline.after(ms, () => (process.alive ? resolve() : undefined))),
  };
}

type On = <T>(label: string, kind: CallKind, perform: () => Promise<T>) => Promise<T>;

/** These methods of a port, each a call of this kind. */
function through<Port extends object, Name extends keyof Port & string>(
  on: On,
  name: string,
  port: Port,
  kinds: Readonly<Record<Name, CallKind>>,
): Pick<Port, Name> {
  const methods = port as Record<Name, (...args: readonly unknown[]) => Promise<unknown>>;
  const calls = (Object.keys(kinds) as Name[]).map((method) => [
    method,
    (...args: readonly unknown[]) => on(`${name}.${method}`, kinds[method], () => methods[method](...args)),
  ]);
  return Object.fromEntries(calls) as Pick<Port, Name>;
}

function eventPort({ stores: { events }, random }: PortOptions, on: On): EventStore {
  return {
    ...through(on, 'events', events, {
      ...{ read: 'read', archive: 'write', normalize: 'conditional', putDelivery: 'conditional' },
      ...{ reschedule: 'conditional', deferUnreadable: 'conditional', release: 'conditional' },
      ...{ withdraw: 'conditional', dueGroups: 'read', dueOf: 'read', received: 'read' },
    }),
    claim: (row) => throttled(on('events.claim', 'conditional', () => events.claim(row))),
    replace: (...args) => throttled(on('events.replace', 'conditional', () => events.replace(...args))),
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
    dueShards: events.dueShards,
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
