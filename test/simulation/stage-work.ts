// What one container does with what it is given: the real code of one stage, on ports that can fail. Messages come to it as
// text, through the code that decodes them in the functions.
import type { ZodType } from 'zod';
import { rememberMerchants } from '../../lib/adapters/dynamodb/events/remembered-merchants.ts';
import { stageHandler } from '../../lib/adapters/lambda/stage-host.ts';
import type { BatchResult, Received } from '../../lib/core/ports/queue.ts';
import type { IdentityLookups } from '../../lib/events/domain/identity/lookups.ts';
import { createBucketMarker } from '../../lib/events/pipeline/counting/due-buckets.ts';
import type { HttpResult, Platform } from '../../lib/events/platforms/platform.ts';
import {
  type CounterRefreshMessage,
  counterRefreshMessageSchema,
} from '../../services/events/aggregate/message.ts';
import { createAggregateStage } from '../../services/events/aggregate/stage.ts';
import { type Breaker, createBreaker } from '../../services/events/deliver/circuit/breaker.ts';
import { type DeliveryMessage, deliveryMessageSchema } from '../../services/events/deliver/message.ts';
import { createDeliverStage } from '../../services/events/deliver/stage.ts';
import { type DueWork, dueWorkSchema } from '../../services/events/drain/message.ts';
import { createDrainStage } from '../../services/events/drain/stage.ts';
import { type NormalizedMessage, normalizedMessageSchema } from '../../services/events/fan-out/message.ts';
import { createFanOutStage } from '../../services/events/fan-out/stage.ts';
import { acceptEvent } from '../../services/events/ingestion/accept.ts';
import { createShardPicker } from '../../services/events/ingestion/shard-picker.ts';
import { type AcceptedMessage, acceptedMessageSchema } from '../../services/events/normalize/message.ts';
import { createNormalizeStage } from '../../services/events/normalize/stage.ts';
import { beginRecount } from '../../services/events/reconcile/list-merchants.ts';
import { type RecountMessage, recountMessageSchema } from '../../services/events/reconcile/message.ts';
import { createReconcileStage } from '../../services/events/reconcile/stage.ts';
import { runSweep } from '../../services/events/sweep/stage.ts';
import { STEADY_SHARDS } from '../support/memory/config-stores.ts';
import { createMemoryErasureStore } from '../support/memory/erasure-store.ts';
import { createMemoryIncidentStore } from '../support/memory/incident-store.ts';
import type { SeededRandom } from '../support/memory/random.ts';
import { createMemoryReconciliationStore } from '../support/memory/reconciliation-store.ts';
import type { Ledger } from './ledger.ts';
import type { SimulatedQueue } from './message-queue.ts';
import { type PortMaker, type PortOptions, portsFor } from './ports.ts';
import type { Process } from './process.ts';
import type { WireEvent } from './synthetic-platforms.ts';
import type { Vendor } from './vendor.ts';

/** Stand-ins for parts of the code, for mutants. */
export interface StageVariants {
  readonly accept?: typeof acceptEvent;
  readonly createDeliver?: typeof createDeliverStage;
  readonly createAggregate?: typeof createAggregateStage;
  readonly createNormalize?: typeof createNormalizeStage;
  readonly createFanOut?: typeof createFanOutStage;
  readonly sweep?: typeof runSweep;
  readonly createDrain?: typeof createDrainStage;
  readonly createReconcile?: typeof createReconcileStage;
  readonly handler?: typeof stageHandler;
}

export type Work = (input: never) => Promise<unknown>;
export interface Container {
  readonly process: Process;
  readonly work: Work;
  invocation: number;
}

export type StageName =
  | 'accept'
  | 'normalize'
  | 'fan-out'
  | 'deliver'
  | 'aggregate'
  | 'sweep'
  | 'drain'
  | 'reconcile';

export interface Queues {
  readonly accepted: SimulatedQueue<AcceptedMessage>;
  readonly normalized: SimulatedQueue<NormalizedMessage>;
  readonly counterRefresh: SimulatedQueue<CounterRefreshMessage>;
  readonly recounts: SimulatedQueue<RecountMessage>;
  readonly deliveries: ReadonlyMap<string, SimulatedQueue<DeliveryMessage>>;
  readonly drain: SimulatedQueue<DueWork>;
}

export interface WorkOptions {
  readonly random: SeededRandom;
  readonly ledger: Ledger;
  readonly platforms: readonly Platform[];
  readonly variants: StageVariants;
  readonly merchants: readonly string[];
  /** Merchants' rows are spread over several shards. */
  readonly sharded: boolean;
  /** Fan-out sends what is new itself. */
  readonly express: boolean;
  readonly ports: Omit<PortOptions, 'onAnswer'>;
}

const LOOKUPS: IdentityLookups = {
  nationalPhone: (phone) => (phone.startsWith('+') ? phone : null),
  countryCode: (name) => (name.length === 2 ? name.toUpperCase() : null),
  regionCode: (name) => name.toUpperCase().slice(0, 3),
};

export function workOf(stage: StageName, container: Container, options: WorkOptions, queues: Queues): Work {
  const { ledger, platforms, variants, random } = options;
  const onAnswer = (vendor: Vendor, request: { readonly body: string }, result: HttpResult) => {
    for (const nonce of saidYes(vendor, platforms, request, result))
      ledger.successes.push({ platform: vendor.traits.slug, nonce, invocation: container.invocation });
  };
  const ports = portsFor(container.process, stage, { ...options.ports, onAnswer });
  const { events, batches, counters, vault, eventVault, clock, transport } = ports;
  const config = rememberMerchants(ports.config, clock);
  const report = (problem: string) => note(ledger, problem);
  const counterRefresh = ports.sender(queues.counterRefresh);
  const fromQueue = <Message>(schema: ZodType<Message>, stage: Stage<Message>): Work => {
    const handle = (variants.handler ?? stageHandler)(schema, stage, NO_LOG, clock.now, report);
    return async (messages: readonly Received<unknown>[]): Promise<BatchResult> => {
      const { batchItemFailures } = await handle({ Records: messages.map(toRecord) });
      return { failedIndexes: batchItemFailures.map(({ itemIdentifier }) => Number(itemIdentifier)) };
    };
  };
  const own = random.fork(`${stage}/${container.process.name}/${random.next()}`);
  const deliver = () =>
    (variants.createDeliver ?? createDeliverStage)(
      {
        events,
        batches,
        pause: ports.pause,
        wait: ports.pause,
        config,
        vault,
        eventVault,
        transport,
        counterRefresh,
        quotas: ports.quotas,
        orders: ports.orders,
        platforms,
        clock,
        report,
        random: own,
      },
      breakerOf(container.process),
    );
  switch (stage) {
    case 'accept': {
      const accept = variants.accept ?? acceptEvent;
      const { pause } = ports;
      const queue = ports.sender(queues.accepted);
      const slots = createBucketMarker(counters, clock);
      const count = (metric: string) => note(ledger, metric);
      // Every row looks at the profile, as the rows of a busy merchant do.
      const busyRows = options.sharded ? 1 : undefined;
      const shards = createShardPicker({ config, clock, random: own.fork('shards') }, busyRows);
      return (input: Parameters<typeof acceptEvent>[0]) =>
        accept(input, { events, batches, slots, shards, queue, clock, random: own, count, pause });
    }
    case 'normalize': {
      const normalized = ports.sender(queues.normalized);
      const slots = createBucketMarker(counters, clock, 60_000);
      const normalize = (variants.createNormalize ?? createNormalizeStage)({
        events,
        batches,
        random: own,
        config,
        slots,
        counters,
        attribution: ports.attribution,
        orders: ports.orders,
        eventVault,
        accepted: ports.sender(queues.accepted),
        normalized,
        counterRefresh,
        lookups: LOOKUPS,
        platforms,
        clock,
        report,
      });
      return fromQueue(acceptedMessageSchema, normalize);
    }
    case 'fan-out': {
      const fanOut = (variants.createFanOut ?? createFanOutStage)({
        events,
        batches,
        orders: ports.orders,
        platforms,
        clock,
        report,
        deliveries: (slug) => deliverySender(ports, queues, slug),
        ...(options.express ? { express: deliver() } : {}),
      });
      return fromQueue(normalizedMessageSchema, fanOut);
    }
    case 'deliver':
      return fromQueue(deliveryMessageSchema, deliver());
    case 'aggregate': {
      const aggregate = (variants.createAggregate ?? createAggregateStage)({
        events,
        batches,
        orders: ports.orders,
        config,
        counters,
        accepted: ports.sender(queues.accepted),
        normalized: ports.sender(queues.normalized),
        counterRefresh,
        platforms,
        clock,
        report,
        shards: STEADY_SHARDS,
      });
      return fromQueue(counterRefreshMessageSchema, aggregate);
    }
    case 'sweep':
    case 'drain': {
      const recovery = {
        events,
        batches,
        config,
        normalized: ports.sender(queues.normalized),
        deliveries: (slug: string) =>
          queues.deliveries.has(slug) ? deliverySender(ports, queues, slug) : null,
        work: ports.sender(queues.drain),
        platforms,
        clock,
        report,
      };
      if (stage === 'sweep')
        return () => (variants.sweep ?? runSweep)({ ...recovery, counters, counterRefresh });
      const { leases } = ports;
      const drain = (variants.createDrain ?? createDrainStage)({ ...recovery, leases, random: own });
      return fromQueue(dueWorkSchema, drain);
    }
    case 'reconcile': {
      const recounts = ports.sender(queues.recounts);
      const audit = (variants.createReconcile ?? createReconcileStage)(
        {
          events,
          batches,
          orders: ports.orders,
          people: ports.attribution,
          eventVault,
          counters,
          platforms,
          clock,
          counterRefresh,
          recounts,
          merchantIds: async function* (after) {
            yield* options.merchants.slice(options.merchants.indexOf(after ?? '') + 1);
          },
          merchant: async () => null,
          dayKeys: { eraseBefore: async () => 0 },
          erasures: createMemoryErasureStore(),
          reconciliations: createMemoryReconciliationStore(),
          incidents: createMemoryIncidentStore(),
          taskWork: { send: async () => {} },
          report,
        },
        ({ drift }) => {
          ledger.auditDrift += drift;
        },
      );
      const work = fromQueue(recountMessageSchema, audit);
      // Two sources, as deployed: the schedule and the queue.
      return async (messages: readonly Received<unknown>[] | null) =>
        messages === null ? beginRecount({ recounts, clock }) : work(messages as never);
    }
  }
}

type Stage<Message> = (messages: readonly Received<Message>[]) => Promise<BatchResult>;

const NO_LOG = { record: () => undefined };

const toRecord = ({ body, receiveCount, sentAtMs }: Received<unknown>, index: number) => ({
  messageId: String(index),
  body: typeof body === 'string' ? body : JSON.stringify(body),
  attributes: { ApproximateReceiveCount: String(receiveCount), SentTimestamp: String(sentAtMs) },
});

const breakers = new WeakMap<Process, Breaker>();
/** One per process, whichever container it runs: what one call learned, the next one knows. */
function breakerOf(process: Process): Breaker {
  const breaker = breakers.get(process) ?? createBreaker();
  breakers.set(process, breaker);
  return breaker;
}

function deliverySender(ports: PortMaker, queues: Queues, slug: string) {
  const queue = queues.deliveries.get(slug);
  if (!queue) throw new Error(`no queue for ${slug}`);
  return ports.sender(queue);
}

/** Nonces a readable answer said yes to, by the vendor's own reading of it. */
function saidYes(
  { traits }: Vendor,
  platforms: readonly Platform[],
  request: { readonly body: string },
  result: HttpResult,
): readonly string[] {
  if (result.kind === 'failure') return [];
  const sent = JSON.parse(request.body) as WireEvent[];
  const events = sent.map(({ id, nonce }) => ({ dedupId: id, orderId: nonce })) as never;
  try {
    platforms.find(({ slug }) => slug === traits.slug)?.readResponse(result, events);
  } catch {
    // The worker's own code cannot read the answer: nobody saw what it says.
    return [];
  }
  const outcomes = traits.platform.readResponse(result, events);
  return sent.flatMap(({ nonce }, index) => {
    const kind = outcomes[index]?.kind;
    return kind === 'delivered' || kind === 'duplicate' ? [nonce] : [];
  });
}

export function note(ledger: Ledger, problem: string): void {
  ledger.problems.set(problem, (ledger.problems.get(problem) ?? 0) + 1);
}
