// The whole job of one event in one thread: read, accept, normalize, fan out, deliver, count. The stages are the product's;
// stores and queues are as thin as they can be, and the platform answers at once.

import { examples } from '#test/platforms/meta/examples.ts';
import { nationalPhone } from '../../lib/adapters/phone/national-phone.ts';
import { countryCode, regionCode } from '../../lib/adapters/regions/region-codes.ts';
import { parseStrictJson } from '../../lib/core/http/strict-json.ts';
import type { MessageSender, Received } from '../../lib/core/ports/queue.ts';
import type { Transport } from '../../lib/core/ports/transport.ts';
import type { Connection } from '../../lib/events/domain/connections/connection.ts';
import { createBucketMarker } from '../../lib/events/pipeline/counting/due-buckets.ts';
import { platformBySlug } from '../../lib/events/platforms/registry.ts';
import { createAggregateStage } from '../../services/events/aggregate/stage.ts';
import { createDeliverStage } from '../../services/events/deliver/stage.ts';
import { createFanOutStage } from '../../services/events/fan-out/stage.ts';
import { acceptEvent } from '../../services/events/ingestion/accept.ts';
import { readEvent } from '../../services/events/ingestion/read-event.ts';
import { ONE_SHARD } from '../../services/events/ingestion/shard-picker.ts';
import { createNormalizeStage } from '../../services/events/normalize/stage.ts';
import { createManualClock } from '../support/memory/clock.ts';
import { STEADY_SHARDS } from '../support/memory/config-stores.ts';
import { createSeededRandom } from '../support/memory/random.ts';
import { MERCHANT } from './metered-stages.ts';
import {
  createThinAttributionStore,
  createThinBatchStore,
  createThinCounterStore,
  createThinEventStore,
  createThinEventVault,
  createThinOrderStore,
} from './thin-stores.ts';

export const THIN_NOW_MS = Date.UTC(2026, 10, 21, 12);

/** `transport`: instead of one that answers at once that Meta took everything. */
export function createThinPipeline(transport: Transport = tookEverything) {
  const meta = platformBySlug('meta');
  if (meta === undefined) throw new Error('there is no platform meta');
  const connection: Connection = {
    id: 'connection-meta',
    merchantId: MERCHANT,
    platform: 'meta',
    name: 'meta',
    status: 'active',
    createdAtMs: THIN_NOW_MS,
    updatedAtMs: THIN_NOW_MS,
    revision: 1,
    sinceVersion: 1,
    sealedCredentials: JSON.stringify(examples[0]?.credentials),
  };
  const routing = {
    merchantId: MERCHANT,
    version: 1,
    connections: [{ id: connection.id, platform: 'meta' }],
    rules: [],
  };
  const clock = createManualClock(THIN_NOW_MS);
  const random = createSeededRandom('thin');
  const events = createThinEventStore();
  const counters = createThinCounterStore();
  const accepted = thinQueue<never>();
  const normalized = thinQueue<never>();
  const deliveries = thinQueue<never>();
  const counterRefresh = thinQueue<never>();
  const shared = {
    orders: createThinOrderStore(),
    events,
    counters,
    config: {
      currentRouting: async () => routing,
      merchant: async () => null,
      addServerEventName: async () => {},
      connection: async () => connection,
      connectionsOf: async () => () => connection,
      pauseConnection: async () => true,
      setCircuit: async () => true,
      moveProbe: async () => false,
      changeConnection: async () => null,
      noteDeprecation: async () => true,
    },
    vault: {
      seal: async (_m: string, _c: string, text: string) => text,
      open: async (_m: string, _c: string, text: string) => text,
    },
    eventVault: createThinEventVault(),
    batches: createThinBatchStore(),
    pause: () => new Promise<void>(() => {}),
    wait: () => new Promise<void>(() => {}),
    counterRefresh,
    quotas: { lease: async (_id: string, _startMs: number, wanted: number) => wanted },
    platforms: [meta],
    clock,
    random,
    report: (problem: string, error: unknown): never => {
      throw new Error(problem, { cause: error });
    },
  };
  const slots = createBucketMarker(counters, clock);
  const batches = { readMany: async () => ({ manifests: [], outcomes: [], unreadable: [] }) };
  const acceptPorts = {
    events,
    batches,
    slots,
    shards: ONE_SHARD,
    queue: accepted,
    clock,
    random,
    count: () => {},
    pause: () => new Promise<void>(() => {}),
  };
  const stages = {
    normalize: createNormalizeStage({
      ...shared,
      slots,
      attribution: createThinAttributionStore(),
      accepted,
      normalized,
      lookups: { nationalPhone, countryCode, regionCode },
    }),
    fanOut: createFanOutStage({ ...shared, deliveries: () => deliveries }),
    deliver: createDeliverStage({ ...shared, transport }),
    aggregate: createAggregateStage({ ...shared, accepted, normalized, shards: STEADY_SHARDS }),
  };
  return {
    async accept(bytes: Uint8Array): Promise<void> {
      const parsed = parseStrictJson(bytes);
      const read = parsed.ok ? readEvent(parsed.value, clock.now()) : null;
      if (read?.ok !== true) throw new Error('the event is refused');
      const key = { merchantId: MERCHANT, channel: 'server' as const, eventId: read.body.event_id };
      const result = await acceptEvent({ key, body: read.body, payloadHash: read.payloadHash }, acceptPorts);
      if (result.kind !== 'accepted') throw new Error(`the event is ${result.kind}`);
    },
    normalize: async () => await stages.normalize(accepted.take()),
    fanOut: async () => await stages.fanOut(normalized.take()),
    deliver: async () => await stages.deliver(deliveries.take()),
    aggregate: async () => await stages.aggregate(counterRefresh.take()),
  };
}

const tookEverything: Transport = {
  send: async ({ body }) => ({
    kind: 'response',
    status: 200,
    headers: {},
    // Counted, not parsed: what a platform does with a request is no part of what is timed.
    body: `{"events_received":${body.split('"event_name":').length - 1},"messages":[]}`,
    latencyMs: 1,
  }),
};

/** Messages leave as JSON and come back parsed, as through SQS; all that wait are taken at once. */
function thinQueue<Message>(): MessageSender<Message> & { take(): Received<Message>[] } {
  let waiting: string[] = [];
  return {
    async send(messages) {
      for (const { body } of messages) waiting.push(JSON.stringify(body));
    },
    take() {
      const taken = waiting.map((text) => ({
        body: JSON.parse(text) as Message,
        receiveCount: 1,
        sentAtMs: THIN_NOW_MS,
      }));
      waiting = [];
      return taken;
    },
  };
}
