// Batches up to the platform's limit form under load: with as many messages an invocation as the CDK app allows, a thousand
// waiting events, or as many as the platform takes at once, go out in as few requests as it takes. A lone event waits for nobody: see main-job.e2e.test.ts.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { synthesizeApp } from '../../cdk/synthesize.ts';
import type { BatchResult, Received } from '../../lib/core/ports/queue.ts';
import { BATCH_ROWS_MAX } from '../../lib/events/domain/deliveries/batch.ts';
import type { NormalizedEvent } from '../../lib/events/domain/event/normalized-event.ts';
import type { NormalizedRow } from '../../lib/events/domain/event/row.ts';
import { openEvent } from '../../lib/events/pipeline/sealed-event.ts';
import {
  type HttpRequest,
  type HttpResult,
  needsToken,
  type Platform,
} from '../../lib/events/platforms/platform.ts';
import type { EventVault } from '../../lib/events/ports/event-vault.ts';
import { loadPlatformModules } from '../conformance/platforms/platform-modules.ts';
import { createMemoryPipeline } from '../support/memory-pipeline.ts';

const EVENTS_MIN = 1_000;
const modules = await loadPlatformModules();
const sizes = messagesPerInvocation();

/** Service → messages one invocation gets at most, from the synthesized template. */
function messagesPerInvocation(): Readonly<Record<string, number>> {
  const outdir = mkdtempSync(join(tmpdir(), 'millrace-batches-'));
  try {
    const { Resources } = synthesizeApp({ ephemeral: true, bundle: false, outdir }).template;
    return Object.fromEntries(
      Object.values(Resources)
        .filter(({ Type }) => Type === 'AWS::Lambda::EventSourceMapping')
        .map(({ Properties = {} }) => {
          const { Ref = '' } = Properties.FunctionName as { readonly Ref?: string };
          const entry = String(Resources[Ref]?.Metadata?.['millrace:entry']);
          return [entry.split('/').at(-2) ?? '', Number(Properties.BatchSize)];
        }),
    );
  } finally {
    rmSync(outdir, { recursive: true, force: true });
  }
}

interface Source<M> {
  receive(max: number): readonly (Received<M> & { readonly receipt: number })[];
  remove(receipt: number): void;
}

/** Works the queue until it is empty, as many messages at a time as the template says. */
async function work<M>(
  source: Source<M>,
  stage: (messages: readonly Received<M>[]) => Promise<BatchResult>,
  service: string,
): Promise<void> {
  const size = sizes[service] ?? 0;
  expect(size, service).toBeGreaterThan(0);
  for (;;) {
    const messages = source.receive(size);
    if (messages.length === 0) return;
    expect(await stage(messages)).toMatchObject({ failedIndexes: [] });
    for (const { receipt } of messages) source.remove(receipt);
  }
}

/** Requests to the platform for `count` events that wait together. */
async function requestsFor(
  count: number,
  platform: Platform,
  answer: (request: HttpRequest) => HttpResult,
  given: unknown,
) {
  const pipeline = createMemoryPipeline({
    platforms: [platform],
    credentials: { [platform.slug]: given },
    answer,
  });
  for (let i = 0; i < count; i++)
    await pipeline.accept({
      event_id: `order-${i}`,
      event_name: 'Lead',
      event_time: Math.floor(pipeline.clock.now() / 1_000) - 60,
      event_source_url: 'https://shop.example/',
      action_source: 'website',
      user_data: { email: `jane${i}@example.com`, country: 'US' },
      // Some want it stated.
      consent: { ad_user_data: 'granted', ad_personalization: 'granted', ad_storage: 'granted' },
    });
  const { queues, stages } = pipeline;
  await work(queues.accepted, stages.normalize, 'normalize');
  await work(queues.normalized, stages.fanOut, 'fan-out');
  for (const queue of queues.deliveries.values()) await work(queue, stages.deliver, 'deliver');
  expect(pipeline.problems).toEqual([]);
  const rows = pipeline.events.rows().filter((row) => row.state === 'normalized');
  return {
    requests: pipeline.requests,
    events: await Promise.all(rows.map((row) => opened(row, pipeline.eventVault))),
    delivered: rows.filter(({ deliveries }) => deliveries[platform.slug]?.state === 'DELIVERED').length,
  };
}

async function opened(row: NormalizedRow, vault: Pick<EventVault, 'open'>): Promise<NormalizedEvent> {
  const event = await openEvent(row, vault);
  if (event === null) throw new Error('nothing is erased yet');
  return event;
}

/** One conversion a request, and a thousand an hour. */
const ONE_BY_ONE = 'postback';

describe.each(modules.filter(({ slug }) => slug !== ONE_BY_ONE))(
  'events waiting for $slug',
  ({ platform, sandbox, examples }) => {
    const answer = (request: HttpRequest): HttpResult => {
      const { host, pathname, searchParams } = new URL(request.url);
      // A platform with OAuth asks for a token first.
      const reply = sandbox.handle(
        { ...request, host, path: pathname, query: Object.fromEntries(searchParams) },
        { nowMs: Date.UTC(2026, 10, 21, 12), check: () => 'ok' },
      );
      return { kind: 'response', ...reply.answer };
    };

    it('go out in batches of its limit', async () => {
      const [example] = examples;
      const count = Math.max(EVENTS_MIN, platform.limits.batchSizeMax);
      const { requests, events, delivered } = await requestsFor(count, platform, answer, example.credentials);
      expect(delivered).toBe(count);
      const credentials = platform.credentials.parse(example.credentials);
      const bodies = requests
        .slice(needsToken(platform, credentials, []) ? 1 : 0)
        .map(({ body }) => body.length);
      const { batchSizeMax, bodySizeMaxBytes } = platform.limits;
      const groups = Map.groupBy(events, (event) => platform.groupKey?.(event, credentials) ?? '');
      // An invocation of fan-out sends what its messages name.
      const requestMax = Math.min(batchSizeMax, (sizes['fan-out'] ?? 0) * BATCH_ROWS_MAX);
      const byCount = [...groups.values()].reduce(
        (sum, { length }) => sum + Math.ceil(length / requestMax),
        0,
      );
      const byBody = Math.ceil(bodies.reduce((sum, size) => sum + size, 0) / bodySizeMaxBytes);
      for (const size of bodies) expect(size).toBeLessThanOrEqual(bodySizeMaxBytes);
      // A batch that is too large is halved, which at worst leaves requests half empty.
      if (byBody > byCount) expect(bodies.length).toBeLessThanOrEqual(2 * byBody);
      else expect(bodies).toHaveLength(byCount);
    });
  },
);
