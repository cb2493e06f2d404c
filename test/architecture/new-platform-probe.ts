// What the rest of the system makes of one platform, said as JSON: the queue and the function the CDK app gives it, and
// what became of one event in the pipeline. `node test/architecture/new-platform-probe.ts <slug>`; a process of its own,
// because the repository it looks at is a copy.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { synthesizeApp } from '../../cdk/synthesize.ts';
import type { HttpRequest, HttpResult } from '../../lib/events/platforms/platform.ts';
import { platformBySlug } from '../../lib/events/platforms/registry.ts';
import { loadPlatformModules } from '../conformance/platforms/platform-modules.ts';
import { createMemoryPipeline } from '../support/memory-pipeline.ts';

export interface Probe {
  /** Queues of this platform that a function works, by logical id. */
  readonly workedQueues: readonly string[];
  /** Of the one event: state at the platform, and its name there. */
  readonly delivery: string | undefined;
  readonly received: readonly string[];
}

function workedQueues(slug: string): readonly string[] {
  const outdir = mkdtempSync(join(tmpdir(), 'millrace-probe-'));
  try {
    const { template } = synthesizeApp({ ephemeral: false, bundle: false, outdir });
    const resources = Object.entries(template.Resources);
    const sources = JSON.stringify(
      resources.filter(([, { Type }]) => Type === 'AWS::Lambda::EventSourceMapping'),
    );
    const name = `Deliveries${slug.replaceAll('_', '')}Queue`;
    return resources.flatMap(([id, { Type }]) =>
      Type === 'AWS::SQS::Queue' && id.startsWith(name) && sources.includes(`"${id}"`) ? [id] : [],
    );
  } finally {
    rmSync(outdir, { recursive: true, force: true });
  }
}

async function deliverOne(slug: string): Promise<Pick<Probe, 'delivery' | 'received'>> {
  const found = (await loadPlatformModules()).find((module) => module.slug === slug);
  const platform = platformBySlug(slug);
  if (found === undefined || platform === undefined) throw new Error(`no platform ${slug}`);
  const received: string[] = [];
  const answer = (request: HttpRequest): HttpResult => {
    const { host, pathname, searchParams } = new URL(request.url);
    const query = Object.fromEntries(searchParams);
    const reply = found.sandbox.handle(
      { ...request, host, path: pathname, query },
      { nowMs: pipeline.clock.now(), check: () => 'ok' },
    );
    received.push(...reply.events.filter(({ accepted }) => accepted).map(({ eventName }) => eventName));
    return { kind: 'response', ...reply.answer };
  };
  const pipeline = createMemoryPipeline({
    platforms: [platform],
    credentials: { [slug]: found.examples[0].credentials },
    answer,
  });
  await pipeline.accept({
    event_id: 'order-1001',
    event_name: 'Purchase',
    event_time: Math.floor(pipeline.clock.now() / 1_000) - 60,
    value: 59.98,
    currency: 'USD',
    order_id: '1001',
    user_data: { email: 'jane@example.com' },
  });
  await pipeline.drain();
  const [row] = pipeline.events.rows();
  return { delivery: row?.state === 'normalized' ? row.deliveries[slug]?.state : undefined, received };
}

const [slug = ''] = process.argv.slice(2);
const probe: Probe = { workedQueues: workedQueues(slug), ...(await deliverOne(slug)) };
console.log(JSON.stringify(probe));
