// The embedded host end to end, as `npm start` runs it: durable tables, real queues, the sandboxes of the platforms. First
// as many events as it takes, then a steady trickle for the latencies; and beside them what the emulated tables can write
// at all, through the same SDK.
import { spawn } from 'node:child_process';
import { mkdtemp, open, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { CreateTableCommand } from '@aws-sdk/client-dynamodb';
import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { Agent, request } from 'undici';
import { createDocumentClient } from '../../../lib/adapters/dynamodb/client.ts';
import { PLATFORMS } from '../../../lib/platforms/registry.ts';
import type { Session } from '../../../services/local/host.ts';
import { atLeast, figure, report } from '../result.ts';
import { quantile } from '../rounds.ts';
import { standardEvent } from '../standard-event.ts';

const BURST = 1_500;
const CONNECTIONS = 64;
const TRICKLE = 100;
const TRICKLE_EVERY_MS = 50;
const RAW_WRITES = 3_000;
const ROW_BYTES = 900;
const START_MAX_MS = 60_000;
const DELIVER_MAX_MS = 120_000;
const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
/** One write to accept, one to normalize, one for each delivery. */
const WRITES_PER_EVENT = 2 + PLATFORMS.length;

const seen = new Map<string, number>();
let readBytes = 0;
const folder = await mkdtemp(join(tmpdir(), 'millrace-bench-'));
const portBase = 20_000 + Math.floor(Math.random() * 20_000);
const startedMs = performance.now();
const child = spawn(process.execPath, ['services/local/main.ts'], {
  cwd: ROOT,
  stdio: ['ignore', 'ignore', 'inherit'],
  env: { ...process.env, MILLRACE_PORT_BASE: String(portBase), MILLRACE_DATA_DIR: folder },
});
const ended = new Promise<void>((done) => {
  child.once('exit', () => done());
});
try {
  const session = await startedSession();
  const readySec = (performance.now() - startedMs) / 1_000;
  const agent = new Agent({ connections: CONNECTIONS });
  await arrived(PLATFORMS.length);
  const rawPerSec = await rawWrites(session.dynamodb_url);
  const burst = await sendBurst(session, agent);
  const trickle = await sendTrickle(session, agent);
  await agent.close();
  const possible = rawPerSec / WRITES_PER_EVENT;
  report({
    benchmark: 'embedded host',
    rows: [
      figure('from start to the sample delivered everywhere', readySec, 's'),
      figure('writes of the emulated table, through the SDK', rawPerSec, '/s'),
      figure(`accepted, ${CONNECTIONS} connections`, burst.acceptedPerSec, 'events/s'),
      figure(`delivered to ${PLATFORMS.length} platforms`, burst.deliveredPerSec, 'events/s'),
      atLeast(
        `against what the table could write at ${WRITES_PER_EVENT} writes an event`,
        burst.deliveredPerSec / possible,
        'x',
        0.6,
      ),
      figure('202 in a burst, median', quantile(burst.answeredMs, 0.5), 'ms'),
      figure('202 in a burst, 99 %', quantile(burst.answeredMs, 0.99), 'ms'),
      figure('202 at 20 a second, median', quantile(trickle.answeredMs, 0.5), 'ms'),
      figure('202 at 20 a second, 99 %', quantile(trickle.answeredMs, 0.99), 'ms'),
      figure('from 202 to delivered everywhere, median', quantile(trickle.deliveredMs, 0.5), 'ms'),
      figure('from 202 to delivered everywhere, 99 %', quantile(trickle.deliveredMs, 0.99), 'ms'),
    ],
  });
} finally {
  child.kill('SIGINT');
  await ended;
  await rm(folder, { recursive: true, force: true });
}

async function startedSession(): Promise<Session> {
  for (;;) {
    if (child.exitCode !== null) throw new Error(`the host ended with ${child.exitCode}`);
    if (performance.now() - startedMs > START_MAX_MS) throw new Error('the host did not start in time');
    const text = await readFile(join(folder, 'session.json'), 'utf8').catch(() => '');
    if (text !== '') return JSON.parse(text) as Session;
    await pause(50);
  }
}

interface Sent {
  readonly eventId: string;
  readonly answeredMs: number;
  /** Wall time, milliseconds since the epoch. */
  readonly acceptedAtMs: number;
}

async function send(session: Session, agent: Agent, event: ReturnType<typeof standardEvent>): Promise<Sent> {
  const beforeMs = performance.now();
  const answer = await request(`${session.ingestion_url}/v1/events`, {
    dispatcher: agent,
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${session.api_key}` },
    body: JSON.stringify(event),
  });
  const text = await answer.body.text();
  if (answer.statusCode !== 202) throw new Error(`${answer.statusCode} ${text}`);
  return { eventId: event.event_id, answeredMs: performance.now() - beforeMs, acceptedAtMs: Date.now() };
}

async function sendBurst(session: Session, agent: Agent) {
  const before = (await arrivals()).size;
  const beganMs = Date.now();
  let next = 0;
  const sent: Sent[] = [];
  const worker = async (): Promise<void> => {
    while (next < BURST) sent.push(await send(session, agent, standardEvent(next++, nowSec())));
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, worker));
  const acceptedMs = Date.now() - beganMs;
  const all = await arrived(before + BURST * PLATFORMS.length);
  const lastMs = Math.max(...all.values());
  return {
    acceptedPerSec: (BURST * 1_000) / acceptedMs,
    deliveredPerSec: (BURST * 1_000) / (lastMs - beganMs),
    answeredMs: sent.map(({ answeredMs }) => answeredMs),
  };
}

async function sendTrickle(session: Session, agent: Agent) {
  const before = (await arrivals()).size;
  const sending: Promise<Sent>[] = [];
  for (let i = 0; i < TRICKLE; i++) {
    sending.push(send(session, agent, standardEvent(BURST + i, nowSec())));
    await pause(TRICKLE_EVERY_MS);
  }
  const sent = await Promise.all(sending);
  const all = await arrived(before + TRICKLE * PLATFORMS.length);
  return {
    answeredMs: sent.map(({ answeredMs }) => answeredMs),
    deliveredMs: sent.map(({ eventId, acceptedAtMs }) => {
      const own = PLATFORMS.map(({ slug }) => all.get(`${slug} ${eventId}`) ?? Number.NaN);
      return Math.max(0, Math.max(...own) - acceptedAtMs);
    }),
  };
}

function nowSec(): number {
  return Math.floor(Date.now() / 1_000) - 60;
}

/** When each event arrived at each platform: `<slug> <event id>` → milliseconds since the epoch. */
async function arrivals(): Promise<ReadonlyMap<string, number>> {
  // Only what is new: reading it all again and again would take the cores from what is measured.
  for (const line of await newLines()) {
    const { platform, event_id, at, accepted, reason } = JSON.parse(line) as {
      platform: string;
      event_id: string;
      at: string;
      accepted: boolean;
      reason?: string;
    };
    if (!accepted) throw new Error(`${platform} refused ${event_id}: ${reason}`);
    seen.set(`${platform} ${event_id}`, Date.parse(at));
  }
  return seen;
}

/** Whole lines the sandbox has written since the last call. */
async function newLines(): Promise<readonly string[]> {
  const file = await open(join(folder, 'sandbox.jsonl')).catch(() => null);
  if (file === null) return [];
  try {
    const { size } = await file.stat();
    const fresh = Buffer.alloc(Math.max(0, size - readBytes));
    const { bytesRead } = await file.read(fresh, 0, fresh.byteLength, readBytes);
    const end = fresh.subarray(0, bytesRead).lastIndexOf('\n') + 1;
    readBytes += end;
    return fresh.toString('utf8', 0, end).split('\n').slice(0, -1);
  } finally {
    await file.close();
  }
}

async function arrived(count: number): Promise<ReadonlyMap<string, number>> {
  const deadlineMs = performance.now() + DELIVER_MAX_MS;
  for (;;) {
    const all = await arrivals();
    if (all.size >= count) return all;
    if (performance.now() > deadlineMs) throw new Error(`${all.size} of ${count} deliveries arrived`);
    await pause(100);
  }
}

async function rawWrites(endpoint: string): Promise<number> {
  process.env.AWS_ACCESS_KEY_ID ??= 'local';
  process.env.AWS_SECRET_ACCESS_KEY ??= 'local';
  process.env.AWS_REGION ??= 'us-east-1';
  const db = createDocumentClient({ endpoint });
  await db.send(
    new CreateTableCommand({
      TableName: 'raw',
      BillingMode: 'PAY_PER_REQUEST',
      AttributeDefinitions: [{ AttributeName: 'pk', AttributeType: 'S' }],
      KeySchema: [{ AttributeName: 'pk', KeyType: 'HASH' }],
    }),
  );
  const row = { b: new Uint8Array(ROW_BYTES) };
  let next = 0;
  const worker = async (): Promise<void> => {
    while (next < RAW_WRITES) {
      const Item = { pk: `row-${next++}`, ...row };
      await db.send(
        new PutCommand({ TableName: 'raw', Item, ConditionExpression: 'attribute_not_exists(pk)' }),
      );
    }
  };
  const beganMs = performance.now();
  await Promise.all(Array.from({ length: 16 }, worker));
  return (RAW_WRITES * 1_000) / (performance.now() - beganMs);
}
