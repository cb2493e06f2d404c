// The embedded host end to end, as `npm start` runs it: durable tables, real queues, the sandboxes of the platforms; and a
// merchant with three of them, for figures that go on meaning the same. First as many events as it takes, then a steady
// trickle for the latencies; and beside them what the emulated tables can write at all, through the same SDK.
import { setTimeout as pause } from 'node:timers/promises';
import { CreateTableCommand } from '@aws-sdk/client-dynamodb';
import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { Agent } from 'undici';
import { PLATFORMS } from '#lib/events/platforms/registry.ts';
import {
  arrivals,
  type EmbeddedHost,
  nowSec,
  type Sent,
  sendEvent,
  startEmbeddedHost,
  tablesOf,
} from '../embedded-host.ts';
import { addMerchants } from '../embedded-merchants.ts';
import { THREE_PLATFORMS } from '../measured-platforms.ts';
import { atLeast, figure, report, sized } from '../result.ts';
import { quantile } from '../rounds.ts';
import { standardEvent } from '../standard-event.ts';

const BURST = sized(1_500, 100);
const CONNECTIONS = 64;
const TRICKLE = sized(100, 20);
const TRICKLE_EVERY_MS = 50;
const RAW_WRITES = sized(3_000, 300);
const ROW_BYTES = 900;
const DELIVER_MAX_MS = 120_000;
const SETTLE_MS = 3_000;

const host = await startEmbeddedHost();
try {
  const { readySec, dataDir } = host;
  const agent = new Agent({ connections: CONNECTIONS });
  await arrived(dataDir, PLATFORMS.length);
  const rawPerSec = await rawWrites(host);
  const [apiKey = ''] = await addMerchants(host, 1, THREE_PLATFORMS);
  const burst = await sendBurst(host, apiKey, agent);
  const trickle = await sendTrickle(host, apiKey, agent);
  await agent.close();
  const possible = rawPerSec / burst.writesPerEvent;
  report({
    benchmark: 'embedded host',
    rows: [
      figure('from start to the sample delivered everywhere', readySec, 's'),
      figure('writes of the emulated table, through the SDK', rawPerSec, '/s'),
      figure(`accepted, ${CONNECTIONS} connections`, burst.acceptedPerSec, 'events/s'),
      figure(`delivered to ${THREE_PLATFORMS.length} platforms`, burst.deliveredPerSec, 'events/s'),
      figure('calls that write, of an event', burst.writesPerEvent, ''),
      atLeast('against what the table could write of so many', burst.deliveredPerSec / possible, 'x', 0.2),
      figure('202 in a burst, median', quantile(burst.answeredMs, 0.5), 'ms'),
      figure('202 in a burst, 99 %', quantile(burst.answeredMs, 0.99), 'ms'),
      figure('202 at 20 a second, median', quantile(trickle.answeredMs, 0.5), 'ms'),
      figure('202 at 20 a second, 99 %', quantile(trickle.answeredMs, 0.99), 'ms'),
      figure('from 202 to delivered everywhere, median', quantile(trickle.deliveredMs, 0.5), 'ms'),
      figure('from 202 to delivered everywhere, 99 %', quantile(trickle.deliveredMs, 0.99), 'ms'),
    ],
  });
} finally {
  await host.close();
}

async function sendBurst(host: EmbeddedHost, apiKey: string, agent: Agent) {
  const { session, dataDir } = host;
  const before = (await arrivals(dataDir)).size;
  const writesBefore = await host.writes();
  const beganMs = Date.now();
  let next = 0;
  const sent: Sent[] = [];
  const worker = async (): Promise<void> => {
    while (next < BURST)
      sent.push(await sendEvent(session.ingestion_url, apiKey, standardEvent(next++, nowSec()), agent));
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, worker));
  const acceptedMs = Date.now() - beganMs;
  const all = await arrived(dataDir, before + BURST * THREE_PLATFORMS.length);
  const lastMs = Math.max(...all.values());
  // Counters and outcomes are written a moment after the platforms have the events.
  await pause(SETTLE_MS);
  return {
    writesPerEvent: ((await host.writes()) - writesBefore) / BURST,
    acceptedPerSec: (BURST * 1_000) / acceptedMs,
    deliveredPerSec: (BURST * 1_000) / (lastMs - beganMs),
    answeredMs: sent.map(({ answeredMs }) => answeredMs),
  };
}

async function sendTrickle({ session, dataDir }: EmbeddedHost, apiKey: string, agent: Agent) {
  const before = (await arrivals(dataDir)).size;
  const sending: Promise<Sent>[] = [];
  for (let i = 0; i < TRICKLE; i++) {
    sending.push(sendEvent(session.ingestion_url, apiKey, standardEvent(BURST + i, nowSec()), agent));
    await pause(TRICKLE_EVERY_MS);
  }
  const sent = await Promise.all(sending);
  const all = await arrived(dataDir, before + TRICKLE * THREE_PLATFORMS.length);
  return {
    answeredMs: sent.map(({ answeredMs }) => answeredMs),
    deliveredMs: sent.map(({ eventId, acceptedAtMs }) => {
      const own = THREE_PLATFORMS.map((slug) => all.get(`${slug} ${eventId}`) ?? Number.NaN);
      return Math.max(0, Math.max(...own) - acceptedAtMs);
    }),
  };
}

async function arrived(dataDir: string, count: number): Promise<ReadonlyMap<string, number>> {
  const deadlineMs = performance.now() + DELIVER_MAX_MS;
  for (;;) {
    const all = await arrivals(dataDir);
    if (all.size >= count) return all;
    if (performance.now() > deadlineMs) throw new Error(`${all.size} of ${count} deliveries arrived`);
    await pause(100);
  }
}

async function rawWrites(host: EmbeddedHost): Promise<number> {
  const { db } = await tablesOf(host);
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
