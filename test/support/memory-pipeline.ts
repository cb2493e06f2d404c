// The whole pipeline in one process on memory ports, with a platform that answers as the test says. What a test or a
// benchmark drives is the code that runs in AWS; only the ports are others.
import type { ZodType } from 'zod';

import { nationalPhone } from '../../lib/adapters/phone/national-phone.ts';
import { countryCode, regionCode } from '../../lib/adapters/regions/region-codes.ts';
import type { Clock } from '../../lib/core/ports/clock.ts';
import type { NoticeSender } from '../../lib/core/ports/notice-sender.ts';
import type { BatchResult, MessageSender, Received } from '../../lib/core/ports/queue.ts';
import type { Transport } from '../../lib/core/ports/transport.ts';
import type { Vault } from '../../lib/core/ports/vault.ts';
import {
  type Connection,
  type RoutingSnapshot,
  routedConnection,
} from '../../lib/events/domain/connections/connection.ts';
import { connectionTarget, platformOf } from '../../lib/events/domain/connections/target.ts';
import { type DueWork, dueWorkSchema } from '../../lib/events/domain/deliveries/due-work.ts';
import type { TaskWork } from '../../lib/events/domain/deliveries/task-work.ts';
import type { Merchant } from '../../lib/events/domain/merchant.ts';
import { type Pointers, pointersSchema } from '../../lib/events/domain/pointer.ts';
import { createBucketMarker } from '../../lib/events/pipeline/counting/due-buckets.ts';
import type { HttpRequest, HttpResult, Platform } from '../../lib/events/platforms/platform.ts';
import type { EventVault } from '../../lib/events/ports/event-vault.ts';
import type { OrderStore } from '../../lib/events/ports/order-store.ts';
import {
  type CounterRefreshMessage,
  counterRefreshMessageSchema,
} from '../../services/events/aggregate/message.ts';
import { createAggregateStage } from '../../services/events/aggregate/stage.ts';
import { type DeliveryMessage, deliveryMessageSchema } from '../../services/events/deliver/message.ts';
import { createDeliverStage } from '../../services/events/deliver/stage.ts';
import { createDrainStage } from '../../services/events/drain/stage.ts';
import { type NormalizedMessage, normalizedMessageSchema } from '../../services/events/fan-out/message.ts';
import { createFanOutStage } from '../../services/events/fan-out/stage.ts';
import { acceptEvent } from '../../services/events/ingestion/accept.ts';
import { readEvent } from '../../services/events/ingestion/read-event.ts';
import { ONE_SHARD, type ShardPicker } from '../../services/events/ingestion/shard-picker.ts';
import { createNormalizeStage } from '../../services/events/normalize/stage.ts';
import { createClosingWindows } from '../../services/events/sweep/closing-windows.ts';
import { runSweep } from '../../services/events/sweep/stage.ts';
import { createTaskStage } from '../../services/events/tasks/stage.ts';
import { createMemoryAttributionStore } from './memory/attribution-store.ts';
import { createMemoryBatchStore } from './memory/batch-store.ts';
import { createManualClock, type ManualClock, waitBy } from './memory/clock.ts';
import {
  type PipelineConfig,
  resumed,
  STEADY_SHARDS,
  withCircuit,
  withProbe,
} from './memory/config-stores.ts';
import { createMemoryCounterStore } from './memory/counter-store.ts';
import { createMemoryErasureStore } from './memory/erasure-store.ts';
import { createMemoryEventStore } from './memory/event-store.ts';
import { createMemoryDayKeys, createTestEventVault } from './memory/event-vault.ts';
import { createMemoryIncidentStore } from './memory/incident-store.ts';
import { joinedMemoryEvents } from './memory/joined-events.ts';
import { createMemoryLeaseStore } from './memory/lease-store.ts';
import { createMemoryOrderStore } from './memory/order-store.ts';
import { createMemoryQueue, type MemoryQueue } from './memory/queue.ts';
import { createSeededRandom } from './memory/random.ts';
import { createMemoryReconciliationStore } from './memory/reconciliation-store.ts';
import { createMemoryRunLeases } from './memory/run-leases.ts';
import { type RecountRunPorts, recountAll } from './recount-run.ts';

export const PIPELINE_MERCHANT = '8f14e45f-ceea-467f-a111-000000000001';
const START_MS = Date.UTC(2026, 10, 21, 12, 0, 0);

export interface PipelineOptions {
  readonly platforms: readonly Platform[];
  /** Credentials by place (target.ts): each place that is named is connected. */
  readonly credentials: Readonly<Record<string, unknown>>;
  readonly answer: (request: HttpRequest) => HttpResult | Promise<HttpResult>;
  readonly clock?: Clock;
  /** How messages get into the queues; the default hands them over as they are. */
  readonly sendThrough?: SendThrough;
  /** For credentials. The default hides nothing. */
  readonly vault?: Vault;
  /** Absent: nobody knows the merchant, so nothing of its browser events waits. */
  readonly merchant?: Merchant;
  /** As they are stored now. */
  readonly rules?: () => readonly unknown[];
  /** Instead of what is configured in memory. */
  readonly config?: Partial<PipelineConfig>;
  /** Absent: no time passes, so nothing is cut off, and answers are written when all have come. */
  readonly pause?: (ms: number) => Promise<void>;
  /** False: all platforms get everything through their queues, as those do that do not look well. */
  readonly express?: boolean;
  /** Where rows are written; the default is shard 0, whose buckets are minutes. */
  readonly shards?: ShardPicker;
  /** Instead of one in memory. */
  readonly orders?: OrderStore;
  /** Given: stages say what they take for an incident, and mails go here. `isPolled`: the source of the task queue does not rest. */
  readonly mails?: { readonly sender: NoticeSender; readonly isPolled?: () => boolean };
  /** Instead of the real one over keys in memory. */
  readonly eventVault?: EventVault;
}

/** The way into a queue whose messages have this shape. */
export type SendThrough = <M>(queue: MemoryQueue<M>, schema: ZodType<M>) => MessageSender<M>;

export function createMemoryPipeline(options: PipelineOptions) {
  const manual: ManualClock = createManualClock(START_MS);
  const clock = options.clock ?? manual;
  const random = createSeededRandom('pipeline');
  const events = createMemoryEventStore();
  const batches = createMemoryBatchStore();
  const counters = createMemoryCounterStore();
  const attribution = createMemoryAttributionStore();
  const connections = new Map<string, Connection>(
    Object.entries(options.credentials).map(([slot, credentials]) => [
      slot,
      connectionOf(slot, credentials, clock),
    ]),
  );
  const config = {
    ...memoryConfig(connections, options.merchant ?? null, options.rules),
    ...options.config,
  };
  const sent: unknown[] = [];
  const queue = <M>(): MemoryQueue<M> => {
    const made = createMemoryQueue<M>({ clock });
    const send: MemoryQueue<M>['send'] = async (messages, delay) => {
      sent.push(...messages);
      await made.send(messages, delay);
    };
    return { ...made, send };
  };
  const accepted = queue<Pointers>();
  const normalized = queue<NormalizedMessage>();
  const counterRefresh = queue<CounterRefreshMessage>();
  const work = queue<DueWork>();
  const tasks = queue<TaskWork>();
  const erasures = createMemoryErasureStore();
  const reconciliations = createMemoryReconciliationStore();
  const incidents = createMemoryIncidentStore();
  const deliveries = new Map<string, MemoryQueue<DeliveryMessage>>(
    options.platforms.map((p) => [p.slug, queue<DeliveryMessage>()]),
  );
  const through: SendThrough = options.sendThrough ?? ((queue) => queue);
  const senders = {
    accepted: through(accepted, pointersSchema),
    normalized: through(normalized, normalizedMessageSchema),
    counterRefresh: through(counterRefresh, counterRefreshMessageSchema),
    work: through(work, dueWorkSchema),
  };
  const problems: unknown[] = [];
  const requests: HttpRequest[] = [];
  const report = (_problem: string, error: unknown): void => void problems.push(error);
  const vault: Vault = options.vault ?? {
    seal: async (_m: string, _c: string, text: string) => text,
    open: async (_m: string, _c: string, text: string) => text,
  };
  const dayKeys = createMemoryDayKeys();
  const shared = {
    events,
    batches,
    orders: options.orders ?? createMemoryOrderStore(),
    random,
    config,
    counters,
    vault,
    eventVault: options.eventVault ?? createTestEventVault(clock, dayKeys),
    counterRefresh: senders.counterRefresh,
    ...(options.mails === undefined ? {} : { taskWork: tasks }),
    quotas: createMemoryLeaseStore(),
    clock,
    platforms: options.platforms,
    report,
  };

  const slots = createBucketMarker(counters, clock);
  const joined = joinedMemoryEvents(events, batches);
  const normalize = createNormalizeStage({
    ...shared,
    slots,
    attribution,
    accepted: senders.accepted,
    normalized: senders.normalized,
    lookups: { nationalPhone, countryCode, regionCode },
  });
  const deliveryQueue = (slug: string): MemoryQueue<DeliveryMessage> => {
    const found = deliveries.get(slug);
    if (found === undefined) throw new Error(`no queue for ${slug}`);
    return found;
  };
  const transport: Transport = {
    send: async (request) => {
      requests.push(request);
      return { ...(await options.answer(request)), latencyMs: 1 };
    },
  };
  const deliver = createDeliverStage({
    ...shared,
    slots,
    pause: options.pause ?? (() => new Promise<void>(() => {})),
    wait: waitBy(manual),
    transport,
  });
  const fanOut = createFanOutStage({
    ...shared,
    deliveries: (slug) => through(deliveryQueue(slug), deliveryMessageSchema),
    ...(options.express === false ? {} : { express: deliver }),
  });
  const aggregate = createAggregateStage({ ...shared, ...senders, shards: STEADY_SHARDS });
  const recovery = {
    ...shared,
    ...senders,
    deliveries: (slug: string) =>
      deliveries.has(slug) ? through(deliveryQueue(slug), deliveryMessageSchema) : null,
  };
  const windows = options.mails && createClosingWindows({ taskWork: tasks, clock, report });
  const drainStage = createDrainStage({ ...recovery, leases: createMemoryRunLeases(), random });
  const taskStage = createTaskStage({
    ...shared,
    people: attribution,
    erasures,
    reconciliations,
    transport: async () => transport,
    incidents,
    lookups: { nationalPhone, countryCode, regionCode },
    notices: async () => options.mails?.sender ?? null,
    work: tasks,
  });
  const acceptPorts = {
    events,
    batches,
    slots,
    shards: options.shards ?? ONE_SHARD,
    queue: senders.accepted,
    clock,
    random,
    count: () => {},
    pause: async () => {},
  };

  /** Receives and runs until every queue is empty, as the event sources of Lambda do. Returns messages handled. */
  const drain = async (batchSize = 100): Promise<number> => {
    let handled = 0;
    for (;;) {
      const before = handled;
      handled += await pump(accepted, normalize, batchSize);
      handled += await pump(normalized, fanOut, batchSize);
      for (const source of deliveries.values()) handled += await pump(source, deliver, batchSize);
      handled += await pump(counterRefresh, aggregate, batchSize);
      handled += await pump(work, drainStage, batchSize);
      if (options.mails?.isPolled?.() ?? true) handled += await pump(tasks, taskStage, 1);
      if (handled === before) return handled;
    }
  };

  return {
    clock: manual,
    random,
    slots,
    erasures,
    reconciliations,
    incidents,
    /** Rows with what became of them, wherever that is written. */
    events: joined,
    /** Rows as they are stored, as the stages have them. */
    storedRows: events,
    batches,
    counters,
    orders: shared.orders,
    attribution,
    connections,
    config,
    dayKeys,
    vault,
    platforms: options.platforms,
    transport: async () => transport,
    eventVault: shared.eventVault,
    requests,
    /** Every message ever sent to any queue. */
    sent,
    problems,
    queues: { accepted, normalized, counterRefresh, deliveries, work, tasks },
    stages: { normalize, fanOut, deliver, aggregate, drain: drainStage, tasks: taskStage },
    drain,
    sweep: () => runSweep({ ...recovery, ...(windows === undefined ? {} : { windows }) }),
    reconcile: (over: Partial<RecountRunPorts> = {}) =>
      recountAll({
        ...shared,
        people: attribution,
        dayKeys,
        merchant: config.merchant,
        erasures,
        reconciliations,
        incidents,
        taskWork: tasks,
        merchantIds: async function* () {
          yield PIPELINE_MERCHANT;
        },
        ...over,
      }),
    accept: async (body: unknown, channel: 'server' | 'browser' = 'server') => {
      const read = readEvent(body, clock.now());
      if (!read.ok) throw new Error(JSON.stringify(read.details));
      const key = { merchantId: PIPELINE_MERCHANT, channel, eventId: read.body.event_id };
      return await acceptEvent({ key, body: read.body, payloadHash: read.payloadHash }, acceptPorts);
    },
  };
}

async function pump<M>(
  source: MemoryQueue<M>,
  stage: (messages: readonly Received<M>[]) => Promise<BatchResult>,
  batchSize: number,
): Promise<number> {
  const leases = source.receive(batchSize);
  if (leases.length === 0) return 0;
  const { failedIndexes } = await stage(leases);
  leases.forEach((lease, index) => {
    if (!failedIndexes.includes(index)) source.remove(lease.receipt);
  });
  return leases.length;
}

function connectionOf(slot: string, credentials: unknown, clock: Clock): Connection {
  return {
    id: `connection-${slot}`,
    merchantId: PIPELINE_MERCHANT,
    platform: platformOf(slot),
    ...(slot === platformOf(slot) ? {} : { slot }),
    name: slot,
    status: 'active',
    createdAtMs: clock.now(),
    updatedAtMs: clock.now(),
    revision: 1,
    sinceVersion: 1,
    sealedCredentials: JSON.stringify(credentials),
  };
}

function memoryConfig(
  connections: Map<string, Connection>,
  configured: Merchant | null,
  rules: PipelineOptions['rules'] = () => [],
): PipelineConfig {
  let merchant = configured;
  const snapshot = (): RoutingSnapshot => ({
    merchantId: PIPELINE_MERCHANT,
    version: 1,
    connections: [...connections.values()].map(routedConnection),
    rules: [],
  });
  const first = snapshot();
  return {
    apiKey: async () => null,
    merchant: async () => merchant,
    addServerEventName: async (_merchantId, name, nowMs) => {
      if (merchant !== null)
        merchant = { ...merchant, serverEventNames: { [name]: nowMs, ...merchant.serverEventNames } };
    },
    currentRouting: async () => ({ ...first, rules: rules() }),
    connection: async (_merchant, slot) => connections.get(slot) ?? null,
    connectionsOf: async () => {
      const stored = new Map(connections);
      return (slot) => stored.get(slot) ?? null;
    },
    pauseConnection: async (seen, reason, nowMs, failedCall) => {
      connections.set(connectionTarget(seen), {
        ...seen,
        status: 'paused',
        pausedReason: reason,
        pausedAtMs: nowMs,
        ...(failedCall === undefined ? {} : { failedCall }),
      });
      return true;
    },
    moveProbe: async (seen, atMs) => {
      const moved = withProbe(connections.get(connectionTarget(seen)), seen, atMs);
      if (moved !== null) connections.set(connectionTarget(seen), moved);
      return moved !== null;
    },
    noteDeprecation: async (seen, said, atMs) => {
      const stored = connections.get(connectionTarget(seen));
      if (stored !== undefined)
        connections.set(connectionTarget(seen), { ...stored, deprecation: { said, atMs } });
      return stored !== undefined;
    },
    changeConnection: async (seen) => {
      const changed = resumed(connections.get(connectionTarget(seen)), seen);
      if (changed !== null) connections.set(connectionTarget(seen), changed);
      return changed;
    },
    setCircuit: async (seen, circuit, nowMs) => {
      const stored = connections.get(connectionTarget(seen));
      if (stored?.circuit?.nextProbeAtMs !== seen.circuit?.nextProbeAtMs || stored === undefined)
        return false;
      connections.set(connectionTarget(seen), withCircuit(stored, circuit, nowMs));
      return true;
    },
  };
}
