// The stages as their handlers wire them, with one counted client each.

import { setTimeout as sleep } from 'node:timers/promises';
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { asReceived } from '#test/platforms/as-received.ts';
import { createDataKeyStore } from '../../lib/adapters/dynamodb/core/keys/data-keys.ts';
import { createDayKeyStore } from '../../lib/adapters/dynamodb/core/keys/day-keys.ts';
import { createLeaseStore } from '../../lib/adapters/dynamodb/core/lease-store.ts';
import { createLimitRecord } from '../../lib/adapters/dynamodb/core/limits/limit-record.ts';
import { createRateLimiter } from '../../lib/adapters/dynamodb/core/limits/rate-limiter.ts';
import { createAttributionStore } from '../../lib/adapters/dynamodb/events/attribution-store.ts';
import { createBatchStore } from '../../lib/adapters/dynamodb/events/batches/store.ts';
import { createCounterStore } from '../../lib/adapters/dynamodb/events/counter-store.ts';
import { createMerchantStore } from '../../lib/adapters/dynamodb/events/merchants.ts';
import { createOrderStore } from '../../lib/adapters/dynamodb/events/order-store.ts';
import { createHorizonStore } from '../../lib/adapters/dynamodb/events/pages/horizons.ts';
import { createKeptBatches, createKeptRows } from '../../lib/adapters/dynamodb/events/pages/kept-items.ts';
import { pageCodec } from '../../lib/adapters/dynamodb/events/pages/page-codec.ts';
import { createRefusalStore } from '../../lib/adapters/dynamodb/events/refusal-store.ts';
import { rememberMerchants } from '../../lib/adapters/dynamodb/events/remembered-merchants.ts';
import { createConfigStores } from '../../lib/adapters/dynamodb/events/routing/config-stores.ts';
import { createEventStore } from '../../lib/adapters/dynamodb/events/rows/event-store.ts';
import { createShardStore } from '../../lib/adapters/dynamodb/events/shard-store.ts';
import { createErasureStore } from '../../lib/adapters/dynamodb/events/tasks/erasure-store.ts';
import { createIncidentStore } from '../../lib/adapters/dynamodb/events/tasks/incident-store.ts';
import { createReconciliationStore } from '../../lib/adapters/dynamodb/events/tasks/reconciliation-store.ts';
import { nationalPhone } from '../../lib/adapters/phone/national-phone.ts';
import { countryCode, regionCode } from '../../lib/adapters/regions/region-codes.ts';
import { createMessageSender } from '../../lib/adapters/sqs/message-sender.ts';
import { createPlatformSenders } from '../../lib/adapters/sqs/platform-senders.ts';
import { createEventVault } from '../../lib/adapters/vault/event-vault.ts';
import { createVault } from '../../lib/adapters/vault/vault.ts';
import type { Clock } from '../../lib/core/ports/clock.ts';
import type { MessageSender } from '../../lib/core/ports/queue.ts';
import type { Transport } from '../../lib/core/ports/transport.ts';
import { DAY_MS, floorTo, HOUR_MS } from '../../lib/core/work/time-slot.ts';
import { environment } from '../../lib/events/domain/environment.ts';
import { createBucketMarker } from '../../lib/events/pipeline/counting/due-buckets.ts';
import { ARCHIVED_AFTER_MS } from '../../lib/events/pipeline/pages/archive-day.ts';
import { archiveMerchant } from '../../lib/events/pipeline/pages/archive-merchant.ts';
import { PLATFORMS } from '../../lib/events/platforms/registry.ts';
import type { PageObjects } from '../../lib/events/ports/page-store.ts';
import { createAggregateStage } from '../../services/events/aggregate/stage.ts';
import { createDeliverStage, type DeliverStage } from '../../services/events/deliver/stage.ts';
import { createFanOutStage } from '../../services/events/fan-out/stage.ts';
import { createBrowserWindows, RATE_LIMIT } from '../../services/events/ingestion/browser-limits.ts';
import { createServerLimit, type EventLimits } from '../../services/events/ingestion/server-limit.ts';
import { createShardPicker } from '../../services/events/ingestion/shard-picker.ts';
import { createNormalizeStage } from '../../services/events/normalize/stage.ts';
import { runSweep } from '../../services/events/sweep/stage.ts';
import { loadSandboxes } from '../../services/local/sandbox/platform-sandboxes.ts';
import { createIngestionApp } from '../support/ingestion-app.ts';
import { createMemoryPageObjects } from '../support/memory/page-objects.ts';
import { createSeededRandom } from '../support/memory/random.ts';
import type { Turns } from '../support/metering/turns.ts';
import { recountAll } from '../support/recount-run.ts';
import type { Archived } from './cost-model.ts';
import type { MeteredParts } from './metered-emulators.ts';

/** What a platform takes to answer; it stands in every row. */
const PLATFORM_LATENCY_MS = 123;
/** Real time in which what an invocation sends at once is on its way together. */
const ANSWER_MS = 10;

export const MERCHANT = meteredMerchant(0);

/** What left for the platforms. */
export interface PlatformTraffic {
  readonly requests: number;
  /** URLs, headers and bodies; TLS not counted. */
  readonly sizeBytes: number;
  /** Answers that were waited for one after another: of each invocation the longest chain of requests, each begun after the one before was answered. */
  readonly rounds: Readonly<Record<SendingStage, number>>;
}

export type SendingStage = 'fan-out' | 'deliver';

/** Method, host, content type and length, user agent. */
const REQUEST_HEADERS_BYTES = 150;

export type MeteredStages = Awaited<ReturnType<typeof createMeteredStages>>;

export async function createMeteredStages(
  parts: MeteredParts,
  turns: Turns,
  merchants: readonly string[],
  limits: EventLimits,
) {
  const { clients, env, clock } = parts;
  const problems: unknown[] = [];
  const report = (_problem: string, error: unknown): void => void problems.push(error);
  const deliveries = environment.shape.DELIVERY_QUEUE_URLS.parse(env.DELIVERY_QUEUE_URLS ?? '{}');
  const url = (name: string): string => env[name] ?? '';
  const pause = () => new Promise<void>(() => {});
  const platforms = {
    ...(await sandboxTransport(parts, turns)),
    random: createSeededRandom('metered'),
    pause,
    wait: pause,
  };

  const delayed = holdDelayed(clock);
  /** What a handler makes first, with clients of its own. */
  const stores = (label: string) => {
    const db = clients.db(label);
    const keys = createDataKeyStore(db, url('CONFIG_TABLE'));
    const vault = createVault({ wrapper: parts.wrapper, keys, clock });
    return {
      events: createEventStore(db, url('EVENTS_TABLE'), undefined, { now: clock.now }),
      batches: createBatchStore(db, url('BATCHES_TABLE'), undefined, { now: clock.now }),
      counters: createCounterStore(db, url('ANALYTICS_TABLE')),
      orders: createOrderStore(db, url('ANALYTICS_TABLE')),
      config: configStores(db, url('CONFIG_TABLE'), clock),
      vault,
      eventVault: createEventVault({ vault, dayKeys: createDayKeyStore(db, url('CONFIG_TABLE')), clock }),
      counterRefresh: delayed.sender(
        createMessageSender<never>(clients.sqs(label), url('COUNTER_REFRESH_QUEUE_URL')),
      ),
      quotas: createLeaseStore(db, url('RATES_TABLE')),
      platforms: PLATFORMS,
      clock,
      report,
    };
  };
  // With groups or without them as the handlers do.
  const sender = (label: string, queue: 'ACCEPTED' | 'NORMALIZED' | 'DUE_WORK') =>
    createMessageSender<never>(clients.sqs(label), url(`${queue}_QUEUE_URL`), {
      fair: queue !== 'NORMALIZED',
    });
  const normalize = stores('normalize');
  const sweep = stores('sweep');
  const reconcile = stores('reconcile');
  return {
    app: ingestionApp(parts, limits, report),
    normalize: createNormalizeStage({
      ...normalize,
      random: platforms.random,
      slots: createBucketMarker(normalize.counters, clock, 60_000),
      attribution: createAttributionStore(clients.db('normalize'), url('ANALYTICS_TABLE')),
      accepted: sender('normalize', 'ACCEPTED'),
      normalized: sender('normalize', 'NORMALIZED'),
      lookups: { nationalPhone, countryCode, regionCode },
    }),
    fanOut: createFanOutStage({
      ...stores('fan-out'),
      deliveries: (slug) => createMessageSender(clients.sqs('fan-out'), deliveries[slug] ?? ''),
      express: platforms.inRounds('fan-out', createDeliverStage({ ...stores('fan-out'), ...platforms })),
    }),
    deliver: platforms.inRounds('deliver', createDeliverStage({ ...stores('deliver'), ...platforms })),
    aggregate: createAggregateStage({
      ...stores('aggregate'),
      shards: createShardStore(clients.db('aggregate'), url('CONFIG_TABLE')),
      accepted: sender('aggregate', 'ACCEPTED'),
      normalized: sender('aggregate', 'NORMALIZED'),
    }),
    sweep: () =>
      runSweep({
        ...sweep,
        normalized: sender('sweep', 'NORMALIZED'),
        deliveries: createPlatformSenders(clients.sqs('sweep'), deliveries),
        work: sender('sweep', 'DUE_WORK'),
      }),
    // Its queue is in memory: a few messages an hour and merchant.
    reconcile: () =>
      recountAll({
        ...reconcile,
        people: createAttributionStore(clients.db('reconcile'), url('ANALYTICS_TABLE')),
        merchantIds: async function* () {
          yield* merchants;
        },
        merchant: reconcile.config.merchantNow,
        dayKeys: createDayKeyStore(clients.db('reconcile'), url('CONFIG_TABLE')),
        erasures: createErasureStore(clients.db('reconcile'), url('CONFIG_TABLE')),
        reconciliations: createReconciliationStore(clients.db('reconcile'), url('CONFIG_TABLE')),
        incidents: createIncidentStore(clients.db('reconcile'), url('CONFIG_TABLE')),
        taskWork: { send: async () => {} },
      }),
    archive: async (): Promise<Omit<Archived, 'cost'>> => {
      const db = clients.db('reconcile');
      const objects = createMemoryPageObjects();
      const counted = countedObjects(objects);
      const horizons = createHorizonStore(db, url('CONFIG_TABLE'));
      const kept = {
        ...createKeptRows(db, url('EVENTS_TABLE')),
        ...createKeptBatches(db, url('BATCHES_TABLE')),
      };
      const ports = { ...reconcile, objects: counted.objects, codec: pageCodec, kept, horizons };
      const dayMs = floorTo(clock.now(), DAY_MS);
      for (const merchantId of merchants) await horizons.moveHorizon(null, { merchantId, dayMs });
      clock.advanceTo(dayMs + ARCHIVED_AFTER_MS);
      for (const merchantId of merchants) await archiveMerchant(merchantId, () => false, ports);
      clock.advance(HOUR_MS);
      for (const merchantId of merchants) while (await archiveMerchant(merchantId, () => false, ports));
      const bytes = [...objects.objects.values()].reduce((sum, { byteLength }) => sum + byteLength, 0);
      return { bytes, days: merchants.length, ...counted.requests };
    },
    queues: {
      accepted: env.ACCEPTED_QUEUE_URL,
      normalized: env.NORMALIZED_QUEUE_URL,
      counterRefresh: env.COUNTER_REFRESH_QUEUE_URL,
      deliveries,
    },
    /** Sends what was to wait in a queue until now. */
    sendDelayed: delayed.sendDue,
    problems,
    platformTraffic: platforms.sent,
  };
}

const configStores = (db: DynamoDBDocumentClient, table: string, clock: Clock) =>
  rememberMerchants(
    {
      ...createConfigStores(db, table, createSeededRandom('keys')),
      ...createMerchantStore(db, table, 'eventual'),
    },
    clock,
  );

/** Messages with a delay wait here, by the pipeline's clock: a queue would count real seconds. */
function holdDelayed(clock: Clock): {
  readonly sender: (sender: MessageSender<never>) => MessageSender<never>;
  readonly sendDue: () => Promise<void>;
} {
  let held: { readonly dueMs: number; readonly send: () => Promise<void> }[] = [];
  return {
    sender: (sender) => ({
      send: async (messages, { delaySec = 0 } = {}) => {
        if (delaySec === 0) return await sender.send(messages);
        held.push({ dueMs: clock.now() + delaySec * 1_000, send: () => sender.send(messages) });
      },
    }),
    sendDue: async () => {
      const due = held.filter(({ dueMs }) => dueMs <= clock.now());
      held = held.filter((message) => !due.includes(message));
      for (const { send } of due) await send();
    },
  };
}

/** Pages and lists grow with the events of a day, indexes do not. */
function countedObjects(inner: PageObjects) {
  const requests = { pages: 0, writes: 0, reads: 0 };
  const objects: PageObjects = {
    ...inner,
    read: (...named) => {
      requests.reads += 1;
      return inner.read(...named);
    },
    write: (name, bytes, seen) => {
      if (name.endsWith('/index')) requests.writes += 1;
      else requests.pages += 1;
      return inner.write(name, bytes, seen);
    },
    names: (prefix) => {
      requests.writes += 1;
      return inner.names(prefix);
    },
  };
  return { objects, requests };
}

export function meteredMerchant(index: number): string {
  return `8f14e45f-ceea-467f-a111-${String(index + 1).padStart(12, '0')}`;
}

function ingestionApp(
  { clients, env, clock }: MeteredParts,
  limits: EventLimits,
  report: (problem: string, error: unknown) => void,
) {
  const db = clients.db('ingestion');
  const sqs = clients.sqs('ingestion');
  const config = configStores(db, env.CONFIG_TABLE ?? '', clock);
  return createIngestionApp({
    shards: createShardPicker({ config, clock, random: createSeededRandom('shards') }),
    events: createEventStore(db, env.EVENTS_TABLE ?? '', undefined, { now: clock.now }),
    batches: createBatchStore(db, env.BATCHES_TABLE ?? '', undefined, { now: clock.now }),
    slots: createBucketMarker(createCounterStore(db, env.ANALYTICS_TABLE ?? ''), clock),
    config,
    limit: createServerLimit(createLeaseStore(db, env.RATES_TABLE ?? ''), limits),
    rates: createRateLimiter(db, env.RATES_TABLE ?? '', RATE_LIMIT, () => new Promise(() => {})),
    windows: createBrowserWindows(
      createLeaseStore(db, env.RATES_TABLE ?? ''),
      createLimitRecord(db, env.RATES_TABLE ?? ''),
    ),
    refusals: createRefusalStore(db, env.ANALYTICS_TABLE ?? ''),
    // A function instance has one request at a time: what several send at once does not travel together.
    queue: {
      send: (messages, options) =>
        createMessageSender(sqs, env.ACCEPTED_QUEUE_URL ?? '').send(messages, options),
    },
    clock,
    random: createSeededRandom('ingestion'),
    isBot: () => false,
    pixel: { javascript: '', etag: '""' },
    count: (metric) => report(metric, new Error(metric)),
    // Waited for when something failed, which is reported, or was late, which must not depend on this machine.
    pause: () => new Promise(() => {}),
    report,
  });
}

/** The platforms' stand-ins, without a network between. */
async function sandboxTransport(
  { clock }: MeteredParts,
  turns: Turns,
): Promise<{
  transport: Transport;
  sent: () => PlatformTraffic;
  /** With what it waits for counted; an invocation has messages of one merchant here. */
  inRounds: (stage: SendingStage, deliver: DeliverStage) => DeliverStage;
}> {
  const sandboxes = [...(await loadSandboxes()).values()];
  let requests = 0;
  let sizeBytes = 0;
  const rounds = { 'fan-out': 0, deliver: 0 };
  /** By platform: the longest chain of answers of the invocation under way. */
  const chains = new Map<string, number>();
  const transport: Transport = {
    send: async (request) => {
      const { url, body, packed = body } = request;
      requests += 1;
      sizeBytes += Buffer.byteLength(url) + Buffer.byteLength(packed) + REQUEST_HEADERS_BYTES;
      const received = asReceived(request);
      const sandbox = sandboxes.find(({ hosts }) => hosts.includes(received.host));
      if (sandbox === undefined) throw new Error(`no sandbox answers for ${received.host}`);
      const nth = (chains.get(sandbox.slug) ?? 0) + 1;
      await turns.answer(sandbox.slug);
      await sleep(ANSWER_MS);
      chains.set(sandbox.slug, Math.max(nth, chains.get(sandbox.slug) ?? 0));
      const { answer } = sandbox.handle(received, { nowMs: clock.now(), check: () => 'ok' });
      return { kind: 'response', ...answer, latencyMs: PLATFORM_LATENCY_MS };
    },
  };
  return {
    transport,
    sent: () => ({ requests, sizeBytes, rounds: { ...rounds } }),
    inRounds: (stage, deliver) => async (messages, express) => {
      const slugs = new Set(messages.map(({ body }) => body.platform));
      for (const slug of slugs) chains.delete(slug);
      const result = await deliver(messages, express);
      rounds[stage] += Math.max(...[...slugs].map((slug) => chains.get(slug) ?? 0));
      return result;
    },
  };
}
