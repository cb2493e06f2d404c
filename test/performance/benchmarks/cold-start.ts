// How long a function takes from nothing to its first answer, and how large it is: the bundle the CDK app deploys, in a
// fresh process, against an AWS endpoint that answers at once. The start of Node and of Lambda's runtime is left out.
// What else the machine does only ever makes a start longer: the fastest one is held against the budget, the median shown.
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import { MERCHANT_PRODUCTS } from '#cdk/products.ts';
import { synthesizeApp } from '#cdk/synthesize.ts';
import { HOUR_MS } from '#lib/core/work/time-slot.ts';
import { readTopology } from '#services/local/stack/template.ts';
import type { FunctionSpec } from '#services/local/stack/topology.ts';
import { startBytes } from '../../support/start-bytes.ts';
import { STUB_API_KEY, startAwsStub } from '../aws-stub.ts';
import { bundleOf } from '../bundle-of.ts';
import { queueEvent, SCHEDULED, urlEvent } from '../lambda-events.ts';
import { MERCHANT } from '../metered-stages.ts';
import { atMost, figure, type Row, report, sized } from '../result.ts';
import { median } from '../rounds.ts';
import { standardEvent } from '../standard-event.ts';

interface Times {
  readonly importMs: number;
  /** Until the first answer. */
  readonly totalMs: number;
  readonly cpuMs: number;
}

interface Start extends Times {
  /** Made until the first answer. */
  readonly awsCalls: number;
}

const STARTS = sized(11, 1);
const KB = 1_024;
const LIMITS_MS: Readonly<Record<string, number>> = { ingestion: 85, 'browser-ingestion': 85, api: 150 };
const STAGE_LIMIT_MS = 85;
const INGESTION_LIMIT_KB = 473;
/** An item that no table has. */
const GONE = '00000000-0000-4000-8000-000000000000';
const POINTER = { merchant: MERCHANT, rows: [['s', 'order-1']] };
const http = (path: string, body?: unknown) => urlEvent(path, STUB_API_KEY, body);
/** By service. A function without one fails the run. */
const FIRST_EVENTS: Readonly<Record<string, () => unknown>> = {
  ingestion: () => http('/v1/events', standardEvent(1, Math.floor(Date.now() / 1_000) - 60)),
  'browser-ingestion': () => http('/v1/pixel.js'),
  api: () => http('/v1/platforms'),
  normalize: () => queueEvent(POINTER),
  'fan-out': () => queueEvent(POINTER),
  deliver: () => queueEvent({ ...POINTER, platform: 'meta' }),
  aggregate: () => queueEvent({ merchant: MERCHANT, slots: [Math.floor(Date.now() / 60_000) * 60_000] }),
  drain: () => queueEvent({ task: 'due', table: 'events', merchant: MERCHANT, shard: 0 }),
  replay: () => queueEvent({ merchant: MERCHANT, plan: GONE }),
  tasks: () => queueEvent({ merchant: MERCHANT, erasure: GONE }),
  reconcile: () => queueEvent({ hour: Math.floor(Date.now() / HOUR_MS - 2) * HOUR_MS, list: 'merchants' }),
  sweep: () => SCHEDULED,
  'helpdesk-api': () => http('/healthz'),
  'helpdesk-runs': () => queueEvent({ workspaceId: MERCHANT, id: GONE }),
  'helpdesk-webhooks': () => queueEvent({ workspaceId: MERCHANT, id: GONE }),
  'helpdesk-tasks': () => queueEvent({ workspaceId: MERCHANT, kind: 'purge', id: MERCHANT }),
  'helpdesk-sweep': () => SCHEDULED,
};
const PROBE = fileURLToPath(new URL('../cold-start-probe.mjs', import.meta.url));

const outdir = mkdtempSync(join(tmpdir(), 'millrace-cold-'));
const stub = await startAwsStub();
try {
  // Nothing waits for an operator's function.
  const app = synthesizeApp({ ephemeral: true, bundle: true, outdir, products: MERCHANT_PRODUCTS });
  const { functions } = readTopology(app.template, { sqsOrigin: stub.url, endpointUrl: () => stub.url });
  const times = new Map<string, Start[]>(functions.map((fn) => [fn.service, []]));
  // The first start of each finds its file on the disk; it does not count.
  for (let round = 0; round <= STARTS; round++)
    for (const fn of functions) {
      const before = stub.calls.length;
      const time = await coldStart(fn, bundleOf(app, fn), stub.url);
      const awsCalls = stub.calls.length - before;
      if (round > 0) times.get(fn.service)?.push({ ...time, awsCalls });
    }
  report({ benchmark: 'cold start', rows: functions.flatMap((fn) => rowsOf(fn, bundleOf(app, fn), times)) });
} finally {
  await stub.close();
  rmSync(outdir, { recursive: true, force: true });
}

function rowsOf(
  { service }: FunctionSpec,
  file: string,
  times: ReadonlyMap<string, readonly Start[]>,
): Row[] {
  const own = times.get(service) ?? [];
  const of = (what: keyof Start): number => median(own.map((start) => start[what]));
  const fastestMs = Math.min(...own.map(({ totalMs }) => totalMs));
  const bundle = startBytes(file);
  const sizeKb = bundle.byteLength / KB;
  return [
    atMost(`${service}: first answer, fastest`, fastestMs, 'ms', LIMITS_MS[service] ?? STAGE_LIMIT_MS),
    figure(`${service}: first answer, median`, of('totalMs'), 'ms'),
    figure(`${service}: of which loading`, of('importMs'), 'ms'),
    figure(`${service}: CPU until then`, of('cpuMs'), 'ms'),
    figure(`${service}: AWS calls until then`, of('awsCalls'), ''),
    service === 'ingestion'
      ? atMost(`${service}: bundle`, sizeKb, 'KB', INGESTION_LIMIT_KB)
      : figure(`${service}: bundle`, sizeKb, 'KB'),
    figure(`${service}: bundle, gzip`, gzipSync(bundle).byteLength / KB, 'KB'),
  ];
}

async function coldStart(fn: FunctionSpec, file: string, awsUrl: string): Promise<Times> {
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [PROBE, pathToFileURL(file).href, JSON.stringify(firstEvent(fn))],
    {
      env: {
        ...fn.environment,
        LOG_LEVEL: 'silent',
        AWS_REGION: 'us-east-1',
        AWS_ACCESS_KEY_ID: 'test',
        AWS_SECRET_ACCESS_KEY: 'test',
        AWS_ENDPOINT_URL: awsUrl,
        NODE_TLS_REJECT_UNAUTHORIZED: '0',
        NODE_NO_WARNINGS: '1',
      },
    },
  );
  const { answer, times } = JSON.parse(stdout) as {
    times: Times;
    answer: { statusCode?: number; batchItemFailures?: readonly unknown[] } | null;
  };
  const good = (answer?.statusCode ?? 200) < 300 && (answer?.batchItemFailures ?? []).length === 0;
  if (!good) throw new Error(`${fn.service} answered ${JSON.stringify(answer)}`);
  return times;
}

/** What calls this function in AWS: a request that is answered with 2xx, a pointer to an item that is gone, a schedule. */
function firstEvent({ service }: FunctionSpec): unknown {
  const event = FIRST_EVENTS[service];
  if (event === undefined) throw new Error(`no first event for ${service}: give it one in FIRST_EVENTS`);
  return event();
}
