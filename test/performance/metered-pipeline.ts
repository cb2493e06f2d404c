// The whole pipeline on the metered emulators: real stages, real stores, real queues, the tables and batch sizes of the CDK app,
// and the platforms' sandboxes for an answer.

import { GetQueueAttributesCommand } from '@aws-sdk/client-sqs';
import type { ZodType } from 'zod';
import { NUMBER_SETTINGS } from '../../cdk/number-settings.ts';
import { inParallel } from '../../lib/adapters/concurrency/in-parallel.ts';
import { handleSqsBatch } from '../../lib/adapters/lambda/sqs-batch.ts';
import type { Reply } from '../../lib/core/http/http-message.ts';
import type { BatchResult, Received } from '../../lib/core/ports/queue.ts';
import { DAY_MS } from '../../lib/core/work/time-slot.ts';
import { counterRefreshMessageSchema } from '../../services/events/aggregate/message.ts';
import { deliveryMessageSchema } from '../../services/events/deliver/message.ts';
import { normalizedMessageSchema } from '../../services/events/fan-out/message.ts';
import type { EventLimits } from '../../services/events/ingestion/server-limit.ts';
import { acceptedMessageSchema } from '../../services/events/normalize/message.ts';
import { createTurns, type Turns } from '../support/metering/turns.ts';
import { drainQueue } from './drain-queue.ts';
import { openMeteredEmulators } from './metered-emulators.ts';
import { createMeteredStages, type MeteredStages, meteredMerchant } from './metered-stages.ts';
import { connectPlatforms, plantMerchant } from './planted-merchant.ts';
import type { mixedEvent } from './standard-event.ts';
import { storedBytes } from './stored-bytes.ts';

export type StageName = 'normalize' | 'fan-out' | 'deliver' | 'aggregate';

export type MeteredPipeline = Awaited<ReturnType<typeof openMeteredPipeline>>;

export interface MeteredOptions {
  /** Slugs that are connected, in the order in which they are delivered to. */
  readonly connected: readonly string[];
  /** Whether platforms that are asked side by side answer one after another; default: at once, and race for every row. */
  readonly inTurn?: boolean;
  /**
   * Pollers of each queue that gather batches side by side. Lambda begins with five: what came in lies in as many batches
   * (https://docs.aws.amazon.com/lambda/latest/dg/with-sqs.html). Default: one.
   */
  readonly gatherers?: number;
  /** So many merchants send the events in turn. Default one. */
  readonly merchants?: number;
  /** Whether the merchants take browser events. */
  readonly browsers?: boolean;
  /** Of servers. Default those of a deployment. */
  readonly limits?: EventLimits;
}

const REQUESTS_AT_ONCE = 16;
const LIMITS: EventLimits = {
  eventsPerMinute: NUMBER_SETTINGS.serverEventsPerMinuteMax.fallback,
  eventsPerDay: NUMBER_SETTINGS.serverEventsPerDayMax.fallback,
};

export async function openMeteredPipeline(options: MeteredOptions) {
  const emulators = await openMeteredEmulators();
  const { parts, topology, invoked } = emulators;
  const { clients, env, clock, wrapper } = parts;
  const config = { db: clients.db('seed'), table: env.CONFIG_TABLE ?? '', clock };
  const merchants = Array.from({ length: options.merchants ?? 1 }, (_, index) => meteredMerchant(index));
  const apiKeys: string[] = [];
  for (const [index, merchantId] of merchants.entries()) {
    const secret = Buffer.alloc(32, 7);
    secret.writeUInt32BE(index);
    const draft = { merchantId, keysOf: 'evk_live', scopes: ['events:write'], secrets: [secret] } as const;
    apiKeys.push(...(await plantMerchant(config, { ...draft, browsers: options.browsers ?? false })));
    await connectPlatforms(config, wrapper, merchantId, options.connected);
  }
  let sent = 0;
  /** Of the merchant whose turn it is. */
  const nextKey = (): string => apiKeys[sent++ % apiKeys.length] ?? '';
  const turns = createTurns();
  const stages = await createMeteredStages(parts, turns, merchants, options.limits ?? LIMITS);
  const once = <T>(name: string, stage: () => Promise<T>): Promise<T> => {
    invoked(name);
    return stage();
  };
  const poller = clients.sqs('poller');
  const uncounted = emulators.uncounted.sqs();
  const waiting = async (QueueUrl: string): Promise<number> => {
    const command = new GetQueueAttributesCommand({
      QueueUrl,
      AttributeNames: ['ApproximateNumberOfMessages'],
    });
    return Number((await uncounted.send(command)).Attributes?.ApproximateNumberOfMessages);
  };
  const consume: Consume = async (stage, queueUrl, schema, work) => {
    const source = topology.eventSources.find(({ queue }) => queueUrl?.endsWith(`/${queue}`));
    if (queueUrl === undefined || source === undefined) throw new Error(`${stage} has no event source`);
    const share = Math.max(1, Math.ceil((await waiting(queueUrl)) / (options.gatherers ?? 1)));
    const batchSize = Math.min(source.batchSize, share);
    await drainQueue(poller, { queueUrl, batchSize }, async (Records) => {
      invoked(stage);
      const dated = Records.map(({ attributes, ...record }) => {
        const SentTimestamp = String(clock.at(Number(attributes.SentTimestamp)));
        return { ...record, attributes: { ...attributes, SentTimestamp } };
      });
      return (await handleSqsBatch({ Records: dated }, schema, work)).batchItemFailures.length;
    });
  };
  const [accepted] = topology.eventSources.filter(({ functionId }) => functionId.startsWith('Normalize'));
  if (accepted === undefined) throw new Error('nothing normalizes');
  return {
    clock,
    /** For so long accepted events are gathered. */
    gatherSec: accepted.windowMs / 1_000,
    /** What the CDK app deploys. */
    template: emulators.template,
    dynamo: emulators.dynamo,
    sqs: emulators.sqs,
    /** Table names by the environment variable that carries them. */
    tables: {
      EVENTS_TABLE: env.EVENTS_TABLE ?? '',
      BATCHES_TABLE: env.BATCHES_TABLE ?? '',
      ANALYTICS_TABLE: env.ANALYTICS_TABLE ?? '',
      CONFIG_TABLE: env.CONFIG_TABLE ?? '',
      RATES_TABLE: env.RATES_TABLE ?? '',
    },
    /**
     * What the tables of events hold now, for as long as each item is kept, `maxMonths` at most: without the config table, which
     * grows with merchants.
     */
    stored: (maxMonths: number, lagDays: number) =>
      storedBytes(
        emulators.uncounted.db(),
        [env.EVENTS_TABLE, env.BATCHES_TABLE, env.ANALYTICS_TABLE].map(String),
        (table, { expires }) => {
          if (table === env.ANALYTICS_TABLE || expires === undefined) return maxMonths;
          const days = (Number(expires) * 1_000 - clock.now()) / DAY_MS + lagDays;
          return Math.min(maxMonths, days / 30);
        },
      ),
    /** Moves everything into pages, as soon as that is due. */
    archive: stages.archive,
    /** Invocations of each function so far, `ingestion` among them. */
    invocations: emulators.invocations,
    /** What a stage reported as a problem: empty after a good run. */
    problems: stages.problems,
    /** Sent to platforms so far. */
    platformTraffic: stages.platformTraffic,
    /** What the schedules run: every minute, every hour. */
    sweep: () => once('sweep', stages.sweep),
    reconcile: () => once('reconcile', stages.reconcile),
    /** POST /v1/events for each, or /v1/ingest with `perRequest` of them. Rejects when one is not a 202. */
    ingest: (events: readonly unknown[], perRequest: number) =>
      ingest(stages, nextKey, invoked, events, perRequest),
    /** With a key of the merchant's; the status of each answer. */
    attack: async (requests: readonly Pick<Posted, 'path' | 'value'>[]): Promise<readonly number[]> => {
      const headers = { authorization: `Bearer ${apiKeys[0]}` };
      const posted = requests.map((request) => ({ ...request, headers, clientIp: '203.0.113.7' }));
      return (await answers(stages, invoked, posted)).map(({ status }) => status);
    },
    /** POST /v1/browser/events for each, from the visitor's address. */
    browse: (events: readonly ReturnType<typeof mixedEvent>[]) =>
      post(
        stages,
        invoked,
        events.map((event) => ({
          path: '/v1/browser/events',
          headers: { 'user-agent': BROWSER },
          clientIp: event.user_data.client_ip,
          value: { ...event, merchant_id: merchants[0] },
        })),
      ),
    /** Works a stage's queues until they are empty; the platforms of `deliver` one after another, or side by side. */
    run: (stage: StageName, platforms: 'one by one' | 'side by side' = 'one by one') => {
      const sideBySide = platforms === 'side by side';
      if (sideBySide && options.inTurn === true) turns.begin(options.connected);
      return runStage(stage, stages, consume, options.connected, {
        turns,
        width: sideBySide ? options.connected.length : 1,
      });
    },
    close: emulators.close,
  };
}

const BROWSER =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/146.0.0.0 Safari/537.36';

interface Posted {
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly clientIp: string;
  readonly value: unknown;
}

async function ingest(
  stages: MeteredStages,
  nextKey: () => string,
  invoked: (name: string) => void,
  events: readonly unknown[],
  perRequest: number,
): Promise<void> {
  const requests: unknown[] = [];
  if (perRequest === 1) requests.push(...events);
  else
    for (let at = 0; at < events.length; at += perRequest)
      requests.push({ events: events.slice(at, at + perRequest) });
  const path = perRequest === 1 ? '/v1/events' : '/v1/ingest';
  const clientIp = '203.0.113.7';
  await post(
    stages,
    invoked,
    requests.map((value) => ({
      path,
      headers: { authorization: `Bearer ${nextKey()}` },
      clientIp,
      value,
    })),
  );
}

/** Rejects where one is not a 202. */
async function post(
  stages: MeteredStages,
  invoked: (name: string) => void,
  requests: readonly Posted[],
): Promise<void> {
  for (const { status, body } of await answers(stages, invoked, requests)) {
    const { success } = JSON.parse(body) as { success?: boolean };
    if (status !== 202 || success !== true) throw new Error(`${status} ${body}`);
  }
}

const answers = (
  { app }: MeteredStages,
  invoked: (name: string) => void,
  requests: readonly Posted[],
): Promise<readonly Reply[]> =>
  inParallel(requests, REQUESTS_AT_ONCE, async ({ path, headers, clientIp, value }, index) => {
    invoked('ingestion');
    return await app({
      method: 'POST',
      path,
      query: {},
      headers: { 'content-type': 'application/json', ...headers },
      body: Buffer.from(JSON.stringify(value)),
      clientIp,
      requestId: `request-${index}`,
    });
  });

type Consume = <M>(
  stage: StageName,
  queueUrl: string | undefined,
  schema: ZodType<M>,
  work: (messages: readonly Received<M>[]) => Promise<BatchResult>,
) => Promise<void>;

async function runStage(
  name: StageName,
  stages: MeteredStages,
  consume: Consume,
  connected: readonly string[],
  { turns, width }: { readonly turns: Turns; readonly width: number },
): Promise<void> {
  const { queues } = stages;
  switch (name) {
    case 'normalize':
      return await consume(name, queues.accepted, acceptedMessageSchema, stages.normalize);
    case 'fan-out':
      return await consume(name, queues.normalized, normalizedMessageSchema, stages.fanOut);
    case 'aggregate':
      await stages.sendDelayed();
      return await consume(name, queues.counterRefresh, counterRefreshMessageSchema, stages.aggregate);
    case 'deliver':
      await inParallel(connected, width, async (slug) => {
        await consume(name, queues.deliveries[slug], deliveryMessageSchema, stages.deliver);
        turns.end(slug);
      });
  }
}
