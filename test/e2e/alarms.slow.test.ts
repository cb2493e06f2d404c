// Goal: whatever goes wrong, an operator is called, and finds from log lines alone which merchant and platform it is, since when
// and by which code. Method: the real host with two merchants, a clock that can be moved and a DynamoDB that can be cut off; its
// log goes through the template's own filters, metrics and alarms. Each trouble is made, its alarm awaited, and ended.
import { mkdirSync, readFileSync } from 'node:fs';
import { createServer as createHttpServer } from 'node:http';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { UpdateItemCommand } from '@aws-sdk/client-dynamodb';
import { GetQueueAttributesCommand, GetQueueUrlCommand, SendMessageCommand } from '@aws-sdk/client-sqs';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { systemRandom } from '../../lib/adapters/clock/system-clock.ts';
import { createDocumentClient } from '../../lib/adapters/dynamodb/core/client.ts';
import { createCounterStore } from '../../lib/adapters/dynamodb/events/counter-store.ts';
import { createConfigStores } from '../../lib/adapters/dynamodb/events/routing/config-stores.ts';
import { itemKey } from '../../lib/adapters/dynamodb/events/rows/event-item.ts';
import { createSqsClient } from '../../lib/adapters/sqs/client.ts';
import { apiKeyPrefix, formatApiKey, hashApiKey } from '../../lib/core/tenancy/api-key.ts';
import { floorTo, MINUTE_MS } from '../../lib/core/work/time-slot.ts';
import samples from '../../lib/events/platforms/sample-credentials.json' with { type: 'json' };
import { type Emulators, startEmulators } from '../../services/local/emulators/start.ts';
import { type Host, startHost } from '../../services/local/host.ts';
import { synthesized } from '../infrastructure/synthesized.ts';
import { createCloudwatch, type LogLine } from '../support/cloudwatch/cloudwatch.ts';
import { scratchFolder } from '../support/scratch-folder.ts';
import { deskAt, withKey } from './desk.ts';
import { fault, json, keepPlatforms, purchase, send } from './hosts.ts';

const HOUR_MS = 60 * MINUTE_MS;
/** As long as a timer goes. */
const NEVER_MS = 2 ** 31 - 1;
/** What waits for twenty minutes is an alarm. */
const PASS_MS = 5 * MINUTE_MS;
const STEP_MS = 5_000;
/** After an hour has begun it is recounted. */
const AUDIT_MS = 2 * HOUR_MS;
const OTHER = 'b0000000-0000-4000-8000-00000000000b';
const OTHER_KEY = formatApiKey('evk_test', new Uint8Array(32).fill(7));

const folder = scratchFolder('alarms');
const realNow = Date.now;
let aheadMs = 0;
const cloudwatch = createCloudwatch(synthesized({ ephemeral: false }));
const table: unknown[] = [];

let emulators: Emulators;
let dynamodb: Awaited<ReturnType<typeof openBarrier>>;
let host: Host;
const written: LogLine[] = [];
/** Alarms that stood at some moment of this file. */
const seen = new Set<string>();

beforeAll(async () => {
  // A mock would be taken back after the first test.
  Date.now = () => realNow() + aheadMs;
  mkdirSync(join(folder, 'tables'));
  emulators = await startEmulators({ tablesPath: join(folder, 'tables'), dynamodbPort: 0, sqsPort: 0 });
  dynamodb = await openBarrier(emulators.dynamodbUrl);
  host = await start({ sweepIntervalMs: 700, auditIntervalMs: 700 });
  await keepPlatforms(host.session, 'meta', 'tiktok');
  await makeOther();
});
afterAll(async () => {
  Date.now = realNow;
  await host?.close();
  dynamodb?.close();
  await emulators?.close();
  console.table(table);
});

const start = (intervals: { readonly sweepIntervalMs: number; readonly auditIntervalMs: number }) =>
  startHost({
    portBase: 0,
    dataDir: join(folder, '.local'),
    emulators: { dynamodbUrl: dynamodb.url, sqsUrl: emulators.sqsUrl },
    hasHelpdeskSample: false,
    ...intervals,
    onInvocation: (service, failed) => {
      const point = { atMs: Date.now(), value: 1 };
      cloudwatch.put(`AWS/Lambda Invocations ${service}`, point);
      if (failed) cloudwatch.put('AWS/Lambda Errors', point);
    },
  });

/** A way to DynamoDB that can be cut. */
async function openBarrier(to: string) {
  const { port } = new URL(to);
  const open = new Set<Socket>();
  let isCut = false;
  const server = createServer((client) => {
    if (isCut) return client.destroy();
    const upstream = connect(Number(port), '127.0.0.1');
    for (const [socket, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      open.add(socket);
      socket.on('error', () => other.destroy());
      socket.on('close', () => {
        open.delete(socket);
        other.destroy();
      });
      socket.pipe(other);
    }
    return undefined;
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    cut: (is: boolean): void => {
      isCut = is;
      if (is) for (const socket of open) socket.destroy();
    },
    close: () => {
      for (const socket of open) socket.destroy();
      server.close();
    },
  };
}

const tableName = (part: string): string =>
  host.topology.tables.find(({ name }) => name.toLowerCase().includes(part))?.name ?? '';

/** A second merchant, whose Meta refuses its token. */
async function makeOther(): Promise<void> {
  const config = createConfigStores(createDocumentClient(), tableName('config'), systemRandom);
  const createdAtMs = Date.now();
  await config.putMerchant({
    merchantId: OTHER,
    name: 'Other',
    email: 'owner@other.example',
    storeUrl: 'https://other.example',
    onboardingStep: 'done',
    onboardingCompleted: true,
    createdAtMs,
    browserIngestion: { enabled: true, origins: [] },
  });
  await config.putApiKey({
    sha256: hashApiKey(OTHER_KEY),
    keyId: 'other-key',
    merchantId: OTHER,
    name: 'Key',
    prefix: apiKeyPrefix(OTHER_KEY),
    scopes: ['events:write', 'admin'],
    createdAtMs,
  });
  for (const platform of ['meta', 'tiktok'])
    await asOther(`${host.session.api_url}/v1/platforms`, {
      platform,
      name: platform,
      credentials: { ...samples[platform as 'meta'], access_token: 'a-good-one-that-is-long-enough' },
    });
}

async function changeToken(access_token: string): Promise<void> {
  const url = `${host.session.api_url}/v1/platforms`;
  const { platforms } = await asOther(url, undefined, 'GET');
  const meta = platforms.find(({ platform }) => platform === 'meta');
  await asOther(`${url}/${meta?.id}`, { credentials: { ...samples.meta, access_token } }, 'PATCH');
}

async function asOther(
  url: string,
  body: unknown,
  method = 'POST',
): Promise<{ platforms: { id: string; platform: string }[] }> {
  return await json(
    await fetch(url, {
      method,
      headers: { 'content-type': 'application/json', authorization: `Bearer ${OTHER_KEY}` },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    }),
  );
}

/** Lines that were written since the last look. */
function newLines(): LogLine[] {
  const all = readFileSync(join(host.dataDir, 'millrace.log'), 'utf8').split('\n').slice(0, -1);
  const fresh = all.slice(written.length).map((line) => JSON.parse(line) as LogLine);
  written.push(...fresh);
  cloudwatch.read(fresh);
  return fresh;
}

const later = (ms: number): void => {
  aheadMs += ms;
};
const pause = (ms: number): Promise<void> => new Promise((done) => setTimeout(done, ms));
/** Own time, not the host's, which jumps. */
async function soon(what: string, holds: () => boolean | Promise<boolean>): Promise<void> {
  const endMs = performance.now() + 600_000;
  while (!(await holds())) {
    if (performance.now() > endMs) throw new Error(`not within ten minutes: ${what}`);
    await pause(200);
  }
}

/** What an operator reads off the lines: never anything the test knows. */
interface Found {
  readonly merchant?: unknown;
  readonly platform?: unknown;
  readonly what: unknown;
  readonly sinceMs: number;
}

const WHERE: Readonly<Record<string, (line: LogLine) => Omit<Found, 'sinceMs'> | null>> = {
  ConnectionPaused: (l) =>
    l.metric === 'webhook_disabled'
      ? { merchant: l.workspaceId, what: l.reason }
      : l.metric === 'refused_deliveries'
        ? { merchant: l.merchantId, platform: l.platform, what: l.code }
        : null,
  DeliverySlow: (l) =>
    l.kind === 'call' && Number(l.retried) > 0
      ? { merchant: l.merchant, platform: l.platform, what: Object.keys(l.codes as object)[0] }
      : null,
  CounterDrift: (l) => {
    const [first] = (l.differences ?? []) as readonly { merchantId: string; figure: string }[];
    return first === undefined ? null : { merchant: first.merchantId, what: first };
  },
  Answers5xx: (l) =>
    l.kind === 'request' && Number(l.status) >= 500
      ? { merchant: l.merchant, what: [l.route, l.status, l.code] }
      : null,
  Quarantine: (l) =>
    l.quarantine === undefined ? null : { merchant: l.merchantId, what: [l.quarantine, l.eventId] },
  Waiting: (l) => (l.metric === 'waiting' ? { what: l.stage ?? l.service } : null),
  LimitReached: (l) =>
    /_limit_reached$/.test(String(l.code)) ? { merchant: l.merchant, what: l.code } : null,
};

function foundIn(alarm: string, sinceMs: number): Found | undefined {
  for (const line of written) {
    const found = line.time < sinceMs ? null : WHERE[alarm]?.(line);
    if (found != null) return { ...found, sinceMs: line.time };
  }
  return undefined;
}

/** Makes the trouble and waits for its alarm. Returns what the lines say; nothing else may stand than `beside`. */
async function drill(
  trouble: string,
  alarm: string,
  make: () => Promise<void>,
  beside: readonly string[] = [],
) {
  newLines();
  expect(standing()).toEqual([]);
  const sinceMs = Date.now();
  await make();
  await soon(alarm, () => standing().includes(alarm));
  const others = standing().filter((name) => name !== alarm && !beside.includes(name));
  expect(others).toEqual([]);
  let atMs = sinceMs;
  while (!cloudwatch.alarmsAt(atMs).includes(alarm)) atMs += STEP_MS;
  const found = foundIn(alarm, sinceMs);
  // Since when it is wrong, by the lines: from its beginning on, to a turn of what is passed on.
  if (alarm in WHERE) expect((found?.sinceMs ?? Number.POSITIVE_INFINITY) - sinceMs).toBeLessThan(PASS_MS);
  table.push({ trouble, alarm, seconds: (atMs - sinceMs) / 1_000, found: JSON.stringify(found) });
  return { found, sinceMs, untilMs: Date.now() };
}

/** Time passes as it does for the pipeline: the sweep and the stages keep up with it. */
async function pass(ms: number): Promise<void> {
  for (let left = ms; left > 0; left -= PASS_MS) {
    later(Math.min(left, PASS_MS));
    const before = sweeps();
    await soon('three sweeps', () => sweeps().every((count, i) => count > (before[i] ?? 0) + 2));
  }
}

const sweeps = (): number[] =>
  ['sweep', 'helpdesk-sweep'].map((name) => cloudwatch.points(`AWS/Lambda Invocations ${name}`).length);

/** Until nothing of it is in a period that an alarm looks at, and what it left behind is done. */
async function over(): Promise<void> {
  await pass(16 * MINUTE_MS);
  for (let more = 0; more < 20 && standing().length > 0; more++) await pass(5 * MINUTE_MS);
}

function standing(): string[] {
  newLines();
  const now = cloudwatch.alarmsAt(Date.now());
  for (const name of now) seen.add(name);
  return now;
}

const take = async (id: string) => {
  expect((await send(host.session, '/v1/events', purchase(id))).status).toBe(202);
  expect((await asOther(`${host.session.ingestion_url}/v1/events`, purchase(id))).platforms).toBeUndefined();
};
const sandbox = (path: string, method: string) => fetch(`${host.session.sandbox_url}${path}`, { method });
/** Each merchant's delivery of an event to a platform, from the lines. */
const calls = (fresh: readonly LogLine[], platform: string) =>
  fresh.filter(({ kind, platform: of }) => kind === 'call' && of === platform);

it('nothing stands while nothing is wrong', async () => {
  await take('well');
  const fresh: LogLine[] = [];
  await soon('delivered', () => {
    fresh.push(...newLines());
    return calls(fresh, 'meta').length === 2 && calls(fresh, 'tiktok').length === 2;
  });
  await over();
  expect(standing()).toEqual([]);
});

it('Meta refuses the token of one merchant', async () => {
  const { found } = await drill('one token refused', 'ConnectionPaused', async () => {
    await changeToken('a-token-that-was-revoked');
    await take('refused');
  });
  expect(found).toMatchObject({ merchant: OTHER, platform: 'meta', what: 'meta.190' });
  await changeToken('a-good-one-that-is-long-enough');
  await over();
});

/** Accepted while TikTok is down, delivered ten minutes later or more. */
async function arriveLate(id: string): Promise<void> {
  await fault(host.session, { platform: 'tiktok', kind: '500' });
  await take(id);
  const fresh: LogLine[] = [];
  await soon('refused', () => {
    fresh.push(...newLines());
    return calls(fresh, 'tiktok').some(({ retried }) => Number(retried) > 0);
  });
  await pass(10 * MINUTE_MS);
  await sandbox('/faults', 'DELETE');
  const arrived = () => calls(fresh, 'tiktok').filter(({ delivered }) => Number(delivered) > 0);
  while (arrived().length < 2) {
    await pass(2 * MINUTE_MS);
    fresh.push(...newLines());
  }
}

it('events arrive ten minutes late', async () => {
  const { found } = await drill('p99 is ten minutes', 'DeliverySlow', async () => {
    // Two of three periods: when an event is tried again decides in which it arrives.
    for (let round = 1; round <= 12 && !standing().includes('DeliverySlow'); round++)
      await arriveLate(`late-${round}`);
  });
  expect(found).toMatchObject({ platform: 'tiktok', what: expect.any(String) });
  expect([host.session.merchant_id, OTHER]).toContain(found?.merchant);
  await over();
});

it('a figure was altered', async () => {
  const counters = createCounterStore(createDocumentClient(), tableName('analytics'));
  await take('counted');
  const fromMs = Date.now();
  // Late reports of the hour have come, and so has what moves by itself.
  await pass(floorTo(fromMs, HOUR_MS) + AUDIT_MS + 10 * MINUTE_MS - Date.now());
  const startMs = floorTo(fromMs, HOUR_MS);
  const slot = await counters.read({ merchantId: OTHER, grain: 'hour', startMs });
  if (slot === null) throw new Error('it was not counted');
  const { found } = await drill('a counter says one more', 'CounterDrift', async () => {
    const { events } = slot.counters;
    await counters.write({
      ...slot,
      version: slot.version + 1,
      counters: { ...slot.counters, events: events + 1 },
    });
  });
  expect(found).toMatchObject({ merchant: OTHER, what: expect.objectContaining({ startMs }) });
  await over();
});

it('the store cannot be reached', async () => {
  const { found } = await drill(
    '503 for all',
    'Answers5xx',
    async () => {
      // Accepted, and on its way when it happens.
      await take('on-its-way');
      dynamodb.cut(true);
      for (let period = 0; period < 2; period++) {
        for (let i = 0; i < 7; i++)
          expect((await send(host.session, '/v1/events', purchase(`lost-${period}-${i}`))).status).toBe(503);
        await pass(5 * MINUTE_MS);
      }
    },
    // What was on its way waits with it.
    ['Errors', 'Waiting', 'DeadLetters'],
  );
  expect(found).toMatchObject({ merchant: undefined, what: ['/v1/events', 503, 'unavailable'] });
  // What waits in a queue meanwhile is given up after five times, and is done from its row when the store is back.
  await soon('a message is given up', async () => {
    await pass(4 * MINUTE_MS);
    cloudwatch.put('AWS/SQS ApproximateNumberOfMessagesVisible', {
      atMs: Date.now(),
      value: await deadLetters(),
    });
    return standing().includes('DeadLetters');
  });
  dynamodb.cut(false);
  await soon('it was late', () => standing().includes('Waiting'));
  await over();
});

async function deadLetters(): Promise<number> {
  const sqs = createSqsClient({ endpoint: emulators.sqsUrl });
  const QueueName = host.topology.queues.find(
    ({ deadLetterQueue }) => deadLetterQueue !== undefined,
  )?.deadLetterQueue;
  const { QueueUrl } = await sqs.send(new GetQueueUrlCommand({ QueueName }));
  const AttributeNames = ['ApproximateNumberOfMessages' as const];
  const { Attributes } = await sqs.send(new GetQueueAttributesCommand({ QueueUrl, AttributeNames }));
  return Number(Attributes?.ApproximateNumberOfMessages);
}

it('a stored row is garbage', async () => {
  const sqs = createSqsClient({ endpoint: emulators.sqsUrl });
  const merchantId = host.session.merchant_id;
  const { found } = await drill('a poison row', 'Quarantine', async () => {
    const key = itemKey({ merchantId, channel: 'server', eventId: 'well' });
    await createDocumentClient().send(
      new UpdateItemCommand({
        TableName: tableName('events'),
        Key: Object.fromEntries(Object.entries(key).map(([name, S]) => [name, { S }])),
        UpdateExpression: 'SET b = :b',
        ExpressionAttributeValues: { ':b': { B: Uint8Array.of(250, 1, 2) } },
      }),
    );
    const QueueName = host.topology.eventSources
      .map(({ queue }) => queue)
      .find((queue) => /accepted/i.test(queue));
    const { QueueUrl } = await sqs.send(new GetQueueUrlCommand({ QueueName }));
    const MessageBody = JSON.stringify({ merchant: merchantId, rows: [['s', 'well']] });
    await sqs.send(new SendMessageCommand({ QueueUrl, MessageBody }));
  });
  expect(found).toMatchObject({ merchant: merchantId, what: ['row', 'well'] });
  await over();
});

it('a shop sends more than it may', async () => {
  const { found } = await drill('a loop in a shop', 'LimitReached', async () => {
    await asOther(`${host.session.api_url}/v1/account`, { settings: { events_per_minute_max: 20 } }, 'PATCH');
    for (let i = 0; i < 2; i++)
      await fetch(`${host.session.ingestion_url}/v1/browser/events`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({
          merchant_id: OTHER,
          events: Array.from({ length: 30 }, (_, n) => ({
            ...purchase(`loop-${i}-${n}`),
            event_name: 'Lead',
          })),
        }),
      });
  });
  expect(found).toMatchObject({ merchant: OTHER, what: 'browser_limit_reached' });
  await over();
});

it('a receiver of webhooks is gone for good', async () => {
  const gone = createHttpServer((_request, response) => response.writeHead(410).end());
  await new Promise<void>((done) => gone.listen(0, '127.0.0.1', done));
  const desk = deskAt(host.session.helpdesk_url, withKey(host.session.helpdesk_api_key));
  const { found } = await drill('a webhook answers 410', 'ConnectionPaused', async () => {
    const url = `http://127.0.0.1:${(gone.address() as AddressInfo).port}/`;
    expect((await desk('POST', '/api/v1/webhooks', { body: { url } })).status).toBe(201);
    const customer = { customer_email: 'jane@example.com', customer_name: 'Jane' };
    const body = { ...customer, subject: 'Parcel', body: 'Where is it?' };
    expect((await desk('POST', '/api/tickets', { body })).status).toBe(201);
    // Their queue is looked at every other minute.
    await pass(4 * MINUTE_MS);
  });
  gone.close();
  expect(found).toMatchObject({ merchant: host.session.merchant_id, what: 'gone' });
  await over();
});

it('Lambda refuses invocations', async () => {
  await drill('concurrency is used up', 'Throttled', async () => {
    // Lambda alone counts what it refuses: its figure is made up, what becomes of it is the template's.
    for (let period = 0; period < 2; period++) {
      cloudwatch.put('AWS/Lambda Throttles', { atMs: Date.now(), value: 6 });
      await pass(PASS_MS);
    }
  });
  await over();
});

it('the sweep stops', async () => {
  await host.close();
  host = await start({ sweepIntervalMs: NEVER_MS, auditIntervalMs: NEVER_MS });
  await pause(3_000);
  newLines();
  later(10 * MINUTE_MS);
  expect(standing()).toEqual(['HelpdeskSweepSilent', 'SweepSilent']);
  later(11 * HOUR_MS);
  expect(standing()).toEqual(['HelpdeskSweepSilent', 'ReconcileSilent', 'SweepSilent']);
});

it('every alarm was fired', () => {
  expect([...seen].sort()).toEqual(cloudwatch.names);
});
