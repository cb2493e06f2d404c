// Canaries through the whole pipeline, to every platform, and every place where something of them could rest.
import { expect } from 'vitest';
import { toItem } from '../../lib/adapters/dynamodb/events/rows/event-item.ts';
import { createLogger } from '../../lib/adapters/logger/logger.ts';
import type { HttpRequest, HttpResult } from '../../lib/events/platforms/platform.ts';
import { PLATFORMS } from '../../lib/events/platforms/registry.ts';
import type { EventVault } from '../../lib/events/ports/event-vault.ts';
import { loadPlatforms, type PlatformModule } from '../conformance/platforms/platform-modules.ts';
import { type CanaryEvent, canariesOf, canaryEvent, itemPlaces, type Place, textPlace } from './canaries.ts';
import { BROWSER, request, send, testIngestion } from './ingestion.ts';
import { createMemoryPipeline, PIPELINE_MERCHANT } from './memory-pipeline.ts';

const modules: readonly PlatformModule[] = await loadPlatforms();

export type Answer = (request: HttpRequest) => HttpResult;

/** Everything is connected; `eventVault` stands in for the real one in a mutant. */
export function openPipeline(answer: Answer, eventVault?: EventVault) {
  const pipeline = createMemoryPipeline({
    platforms: PLATFORMS,
    credentials: Object.fromEntries(modules.map(({ slug, examples }) => [slug, examples[0].credentials])),
    answer,
    ...(eventVault === undefined ? {} : { eventVault }),
  });
  const { clock, slots, random } = pipeline;
  const metrics: string[] = [];
  const ingestion = testIngestion({
    events: pipeline.storedRows,
    batches: pipeline.batches,
    clock,
    slots,
    random,
    queue: pipeline.queues.accepted,
    count: (metric) => void metrics.push(metric),
    report: (problem: string, error: unknown) => void pipeline.problems.push({ problem, error }),
  } as Parameters<typeof testIngestion>[0]);
  return { ...pipeline, app: ingestion.app, addKey: ingestion.addKey, metrics };
}

export type Pipeline = ReturnType<typeof openPipeline>;

/** Rows, counters and keys as DynamoDB would hold them, messages as SQS would, lines as the logger writes them. */
export function placesOf(pipeline: Pipeline): Place[] {
  const lines: string[] = [];
  const logger = createLogger({ level: 'trace', destination: { write: (line) => void lines.push(line) } });
  for (const problem of pipeline.problems) logger.error({ err: problem }, 'a problem');
  const stored = pipeline.storedRows;
  const rows = [...stored.rows(), ...stored.archived().values()];
  return [
    ...rows.flatMap((row) => itemPlaces(`events ${row.state}`, toItem(row))),
    ...pipeline.batches.manifests().map((manifest) => textPlace('batches', manifest)),
    ...pipeline.batches.outcomes().map((outcomes) => textPlace('batches', outcomes)),
    ...pipeline.counters.rows().map((row) => textPlace('analytics', row)),
    ...pipeline.attribution.items().map((item) => textPlace('people', item)),
    ...pipeline.sent.map((message) => textPlace('queues', message)),
    ...lines.map((line) => textPlace('logs', line)),
    textPlace('metrics', pipeline.metrics),
  ];
}

/** Alone, in a batch, from a browser. */
export async function ingest({ app }: Pipeline, nowMs: number): Promise<CanaryEvent[]> {
  const make = (mark: string): CanaryEvent => canaryEvent(mark, Math.floor(nowMs / 1_000) - 5);
  const [lone, browser] = [make('zq1xv'), make('zq2xv')];
  const batch = ['zq3xv', 'zq4xv', 'zq5xv', 'zq6xv'].map(make);
  expect((await send(app, request('/v1/events', lone))).status).toBe(202);
  const fromBrowser = { ...browser, merchant_id: PIPELINE_MERCHANT, source: 'browser' };
  const headers = { 'user-agent': BROWSER, authorization: '' };
  expect((await send(app, request('/v1/browser/events', fromBrowser, headers))).status).toBe(202);
  const events = [...batch, poisoned(make('zq7xv'))];
  expect((await send(app, request('/v1/ingest', { events }))).status).toBeLessThan(300);
  return [lone, browser, ...batch, make('zq7xv')];
}

/** Values nobody can use are no less personal. */
function poisoned(event: CanaryEvent): unknown {
  const { user_data: person } = event;
  const broken = {
    email: `${person.email} `,
    phone: `${person.phone}x`,
    date_of_birth: person.date_of_birth,
    country: 'Nowhere',
  };
  return { ...event, user_data: { ...person, ...broken, gender: '\u202e', madid: `{${person.madid}}` } };
}

const canaryMap = (events: readonly CanaryEvent[]): Map<string, string[]> => {
  const all = new Map<string, string[]>();
  for (const event of events)
    for (const [kind, values] of canariesOf(event)) all.set(kind, [...(all.get(kind) ?? []), ...values]);
  return all;
};

export const took: Answer = (request) => {
  const { host, pathname, searchParams } = new URL(request.url);
  const module = modules.find(({ sandbox }) => sandbox.hosts?.includes(host));
  if (module === undefined) return quoting(request);
  const query = Object.fromEntries(searchParams);
  const reply = module.sandbox.handle(
    { ...request, host, path: pathname, query },
    { nowMs: Date.UTC(2026, 10, 21, 12), check: () => 'ok' },
  );
  return { kind: 'response', ...reply.answer };
};

/** Refuses, and says everything it was told, in the fields platforms say things in. */
export const quoting: Answer = ({ body, url }) => {
  // A little of it each time: what is kept is short.
  const words = body.slice(0, 100_000).match(/"[^"]{4,80}"/g) ?? [];
  const message = `refused ${words
    .filter((word) => /zq\dxv|@|198\.18|19\d\d/i.test(word))
    .slice(0, 8)
    .join(' ')} ${url}`;
  const error = {
    code: 'bad_value',
    type: 'bad_value',
    message,
    error_user_msg: message,
    detail: message,
    title: message,
    debug_message: message,
  };
  const text = JSON.stringify({
    ...error,
    code: 40_001,
    error,
    errors: [error],
    results: [error],
    request_id: '1',
    reason: message,
    debug_msg: message,
  });
  return { kind: 'response', status: 400, headers: {}, body: text };
};

export const hanging: Answer = () => ({
  kind: 'failure',
  code: 'timeout',
  maybeDelivered: true,
  message: 'no answer',
});

export async function run(answer: Answer, eventVault?: EventVault) {
  const pipeline = openPipeline(answer, eventVault);
  const events = await ingest(pipeline, pipeline.clock.now());
  const accepted = placesOf(pipeline);
  await pipeline.drain();
  for (let minute = 0; minute < 10; minute++) {
    pipeline.clock.advance(60_000);
    await pipeline.sweep();
    await pipeline.drain();
  }
  return { pipeline, events, canaries: canaryMap(events), accepted };
}
