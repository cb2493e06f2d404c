// Nothing personal lies in the clear: canaries of 16 kinds go through the whole pipeline, alone and in batches, to platforms
// that take, refuse, quote and hang; then every item, message, line and metric is searched for them.
import { beforeAll, describe, expect, it } from 'vitest';
import { toItem } from '../../lib/adapters/dynamodb/events/event-item.ts';
import { createLogger } from '../../lib/adapters/logger/logger.ts';
import { packPersonal, unpackPersonal } from '../../lib/adapters/vault/personal-codec.ts';
import { openEvent } from '../../lib/events/pipeline/sealed-event.ts';
import type { HttpRequest, HttpResult } from '../../lib/events/platforms/platform.ts';
import { PLATFORMS } from '../../lib/events/platforms/registry.ts';
import type { EventVault } from '../../lib/events/ports/event-vault.ts';
import { runErasure } from '../../services/events/reconcile/erasure.ts';
import { loadPlatformModules, type PlatformModule } from '../conformance/platforms/platform-modules.ts';
import {
  type CanaryEvent,
  canariesOf,
  canaryEvent,
  findCanaries,
  itemPlaces,
  type Place,
  textPlace,
} from '../support/canaries.ts';
import { BROWSER, request, send, testIngestion } from '../support/ingestion.ts';
import { createMemoryPipeline, PIPELINE_MERCHANT } from '../support/memory-pipeline.ts';

const DAY_MS = 86_400_000;
const KINDS_MIN = 12;
let modules: readonly PlatformModule[] = [];
beforeAll(async () => {
  modules = await loadPlatformModules();
});

type Answer = (request: HttpRequest) => HttpResult;

/** Everything is connected; `eventVault` stands in for the real one in a mutant. */
function openPipeline(answer: Answer, eventVault?: EventVault) {
  const pipeline = createMemoryPipeline({
    platforms: PLATFORMS,
    credentials: Object.fromEntries(modules.map(({ slug, examples }) => [slug, examples[0].credentials])),
    answer,
    ...(eventVault === undefined ? {} : { eventVault }),
  });
  const { events, clock, slots, random } = pipeline;
  const metrics: string[] = [];
  const ingestion = testIngestion({
    events,
    clock,
    slots,
    random,
    queue: pipeline.queues.accepted,
    count: (metric) => void metrics.push(metric),
    report: (problem: string, error: unknown) => void pipeline.problems.push({ problem, error }),
  } as Parameters<typeof testIngestion>[0]);
  return { ...pipeline, app: ingestion.app, metrics };
}

type Pipeline = ReturnType<typeof openPipeline>;

/** Rows, counters and keys as DynamoDB would hold them, messages as SQS would, lines as the logger writes them. */
function placesOf(pipeline: Pipeline): Place[] {
  const lines: string[] = [];
  const logger = createLogger({ level: 'trace', destination: { write: (line) => void lines.push(line) } });
  for (const problem of pipeline.problems) logger.error({ err: problem }, 'a problem');
  const rows = [...pipeline.events.rows(), ...pipeline.events.archived().values()];
  return [
    ...rows.flatMap((row) => itemPlaces(`events ${row.state}`, toItem(row))),
    ...pipeline.counters.rows().map((row) => textPlace('analytics', row)),
    ...pipeline.sent.map((message) => textPlace('queues', message)),
    ...lines.map((line) => textPlace('logs', line)),
    textPlace('metrics', pipeline.metrics),
  ];
}

/** Alone, in a batch, from a browser. */
async function ingest({ app }: Pipeline, nowMs: number): Promise<CanaryEvent[]> {
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

const took: Answer = (request) => {
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
const quoting: Answer = ({ body, url }) => {
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

const hanging: Answer = () => ({
  kind: 'failure',
  code: 'timeout',
  maybeDelivered: true,
  message: 'no answer',
});

async function run(answer: Answer, eventVault?: EventVault) {
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

describe('personal data', () => {
  it.each<readonly [string, () => Answer, RegExp]>([
    ['take everything', () => took, /"DELIVERED"/],
    // What they quote is kept, but for the values.
    ['refuse and quote', () => quoting, /"FAILED".*refused \\"order-.*\[value\]/],
    ['hang', () => hanging, /"RETRY".*no answer/],
  ])('lies nowhere in the clear once normalized, where platforms %s', async (_what, answer, kept) => {
    const { pipeline, canaries, events } = await run(answer());
    expect(canaries.size).toBeGreaterThanOrEqual(KINDS_MIN);
    expect(pipeline.events.rows().map((row) => row.state)).toEqual(events.map(() => 'normalized'));
    expect(pipeline.requests.length).toBeGreaterThan(PLATFORMS.length / 2);
    // Platforms do get them: the search would find them where they are.
    expect(
      findCanaries(
        canaries,
        pipeline.requests.map((r) => textPlace('requests', r.body)),
      ),
    ).not.toEqual([]);
    expect(JSON.stringify(pipeline.events.rows())).toMatch(kept);
    expect(findCanaries(canaries, placesOf(pipeline))).toEqual([]);
  });

  it('lies in the accepted row until then, all of it, and in no queue, line or metric', async () => {
    const { canaries, accepted } = await run(took);
    const found = findCanaries(canaries, accepted);
    expect(found).toEqual([...canaries.keys()].map((kind) => `${kind} in events accepted.b`).sort());
  });

  it('is found when sealing does not encrypt: the search can fail', async () => {
    const unsealed: EventVault = {
      seal: async (_row, personal) =>
        Buffer.concat([Buffer.alloc(12, 9), packPersonal(personal)]).toString('base64'),
      open: async (_row, sealed) => unpackPersonal(Buffer.from(sealed, 'base64').subarray(12)),
    };
    const { pipeline, canaries } = await run(took, unsealed);
    const found = findCanaries(canaries, placesOf(pipeline));
    expect(found).toEqual([...canaries.keys()].map((kind) => `${kind} in events normalized.se`).sort());
  });

  it('is found in a message, a line and a metric when it stands there', async () => {
    const { events, canaries } = await run(took);
    const [event] = events;
    if (event === undefined) throw new Error('nothing was sent');
    const { email, zip, first_name } = event.user_data;
    const dressed = [
      textPlace('case', email.toUpperCase()),
      textPlace('percent', encodeURIComponent(email)),
      textPlace('base64', Buffer.from(`x${first_name} and more`).toString('base64')),
      textPlace('hex', Buffer.from(zip).toString('hex')),
    ];
    expect(findCanaries(canaries, dressed)).toEqual([
      'email in case',
      'email in percent',
      'first name in base64',
      'postal code in hex',
    ]);
  });
});

describe('the end of personal data', () => {
  it('comes with the retention of the merchant, for live and archived rows alike, and no row is written for it', async () => {
    const { pipeline, events } = await run(took);
    // The same ids again, a day later: the first rows go to the archive.
    pipeline.clock.advance(DAY_MS + 1);
    await ingest(pipeline, pipeline.clock.now());
    await pipeline.drain();
    const rows = () => [...pipeline.events.rows(), ...pipeline.events.archived().values()];
    expect(pipeline.events.archived().size).toBe(events.length);
    const opened = async () =>
      (
        await Promise.all(
          rows().map(
            async (row) => row.state === 'normalized' && (await openEvent(row, pipeline.eventVault)) !== null,
          ),
        )
      ).filter(Boolean).length;
    const before = rows();
    expect(await opened()).toBe(2 * events.length);

    const report = () => {
      throw new Error('nothing is to be reported');
    };
    const erase = async () => await runErasure([{ merchantId: PIPELINE_MERCHANT }], { ...pipeline, report });
    pipeline.clock.advance(89 * DAY_MS);
    expect(await erase()).toEqual({ erasedDays: 0, failedMerchants: 0 });
    expect(await opened()).toBe(2 * events.length);
    pipeline.clock.advance(DAY_MS);
    expect(await erase()).toEqual({ erasedDays: 1, failedMerchants: 0 });
    expect(await opened()).toBe(events.length);
    pipeline.clock.advance(DAY_MS);
    await erase();
    expect(await opened()).toBe(0);
    expect(rows()).toEqual(before);
  });

  it('leaves counters as they were, and ends a delivery that was still waiting', async () => {
    const { pipeline } = await run(hanging);
    const quality = () => pipeline.counters.rows().map(({ counters }) => counters.completeness);
    const before = quality();
    pipeline.clock.advance(2 * DAY_MS);
    await runErasure([{ merchantId: PIPELINE_MERCHANT, retentionDays: 1 }], {
      ...pipeline,
      report: () => {},
    });
    const requests = pipeline.requests.length;
    for (let round = 0; round < 3 && openRows(pipeline) > 0; round++) {
      pipeline.clock.advance(43_200_000);
      await pipeline.sweep();
      await pipeline.drain();
    }
    expect(pipeline.requests).toHaveLength(requests);
    const endings = pipeline.events
      .rows()
      .flatMap((row) => (row.state === 'normalized' ? Object.values(row.deliveries) : []));
    expect(endings.length).toBeGreaterThan(0);
    for (const { state, reason } of endings)
      expect([state, reason]).toEqual(['ERROR', 'personal_data_erased']);
    expect(quality()).toEqual(before);
  });

  it('is no end for the others: a damaged part is left alone and reported, its neighbours are delivered', async () => {
    const damaged: EventVault = {
      seal: async () => '',
      open: async () => ({ hashed: {}, raw: {}, plaintext: {} }),
    };
    const pipeline = openPipeline(took);
    const real = pipeline.eventVault;
    const broken = openPipeline(took, {
      seal: async (row, personal) => {
        const sealed = await real.seal(row, personal);
        return row.key.eventId === 'order-zq4xv' ? await damaged.seal(row, personal) : sealed;
      },
      open: real.open,
    });
    await ingest(broken, broken.clock.now());
    await broken.drain();
    const delivered = broken.events
      .rows()
      .filter((row) => row.state === 'normalized' && row.deliveries.meta?.state === 'DELIVERED');
    const ids = delivered.map(({ key }) => key.eventId);
    expect(ids).not.toContain('order-zq4xv');
    expect(ids).toContain('order-zq3xv');
    expect(ids.length).toBe(6);
    expect(broken.problems.map(String)).toContainEqual(expect.stringContaining('cannot be read'));
  });
});

function openRows(pipeline: Pipeline): number {
  return pipeline.events.rows().filter((row) => row.state === 'normalized' && row.dueAtMs !== undefined)
    .length;
}
