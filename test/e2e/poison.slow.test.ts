// Nothing poisons anything, on whatever emulators there are: an id no queue likes, a row nobody can read and a message nobody
// understands stop no event but their own.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { DynamoDBClient, paginateScan, UpdateItemCommand } from '@aws-sdk/client-dynamodb';
import { GetQueueUrlCommand, SendMessageBatchCommand } from '@aws-sdk/client-sqs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { dueEntry } from '../../lib/adapters/dynamodb/core/items/due-index.ts';
import { createSqsClient } from '../../lib/adapters/sqs/client.ts';
import { DUE_SHARDS } from '../../lib/events/ports/event-store.ts';
import { type Host, startHost } from '../../services/local/host.ts';
import { clearRunningEmulators, runningEmulators } from '../support/emulators.ts';

const AGENT =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36';
/** Against hanging only; counters of a busy slot are two minutes late as it is. */
const WITHIN_MS = 600_000;
/** How long one platform asks to be left alone: all others are done by then; more than a minute would open its circuit. */
const PAUSE_SEC = 55;

let host: Host;
let folder: string;
let platforms = 0;
const errors: string[] = [];
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'poison-'));
  await clearRunningEmulators();
  host = await startHost({
    portBase: 0,
    dataDir: folder,
    emulators: runningEmulators(),
    sweepIntervalMs: 1_000,
    onError: (text) => errors.push(text),
  });
  platforms = (await get<{ platforms: unknown[] }>('/v1/platforms')).platforms.length;
  expect(platforms).toBeGreaterThan(0);
});
afterAll(async () => {
  await host.close();
  rmSync(folder, { recursive: true, force: true });
});

const event = (id: string, name = 'Purchase') => ({
  event_id: id,
  event_name: name,
  event_time: Math.floor(Date.now() / 1_000),
  event_source_url: 'https://shop.example/thanks',
  value: 10,
  currency: 'USD',
  user_data: { email: 'jane@example.com', client_ip: '203.0.113.7', user_agent: AGENT },
});

interface Answer {
  readonly status: number;
  readonly results?: readonly { readonly status: number }[];
}

async function post(path: string, body: unknown, headers: Record<string, string> = {}): Promise<Answer> {
  const answer = await fetch(host.session.ingestion_url + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });
  return { ...((await answer.json()) as object), status: answer.status };
}

const asServer = () => ({ authorization: `Bearer ${host.session.api_key}` });

async function acceptAll(ids: readonly string[], name?: string): Promise<void> {
  const answer = await post('/v1/ingest', { events: ids.map((id) => event(id, name)) }, asServer());
  expect(answer.status).toBe(202);
  expect(answer.results?.map(({ status }) => status)).toEqual(ids.map(() => 202));
}

async function get<T>(path: string): Promise<T> {
  const answer = await fetch(host.session.api_url + path, {
    headers: { authorization: `Bearer ${host.session.session_jwt}` },
  });
  if (!answer.ok) throw new Error(`${path} answered ${answer.status}: ${await answer.text()}`);
  return (await answer.json()) as T;
}

type Statuses = Readonly<Record<string, string>>;

/** Platform → status. */
async function deliveries(id: string): Promise<Statuses> {
  const { deliveries: rows } = await get<{ deliveries: { platform: string; status: string }[] }>(
    `/v1/events/${encodeURIComponent(id)}`,
  );
  return Object.fromEntries(rows.map(({ platform, status }) => [platform, status]));
}

/** The ids that do not fulfil the condition, once all do or the time is over. */
async function without(ids: readonly string[], holds: (statuses: Statuses) => boolean): Promise<string[]> {
  const endMs = performance.now() + WITHIN_MS;
  for (let open = [...ids]; ; await pause(250)) {
    const done = await Promise.all(open.map(async (id) => holds(await deliveries(id))));
    open = open.filter((_id, i) => done[i] !== true);
    if (open.length === 0 || performance.now() > endMs) return open;
  }
}

const undelivered = (ids: readonly string[]): Promise<string[]> =>
  without(ids, (statuses) => {
    const all = Object.values(statuses);
    return all.length === platforms && all.every((status) => status === 'DELIVERED');
  });

/** Whatever JSON can spell and no queue likes. */
const HOSTILE = [
  'emoji \u{1f6d2}',
  'far plane \u{20bb7}',
  'U+FFFE \ufffe!',
  'U+FFFF \uffff!',
  'U+1FFFF \u{1ffff}!',
];

describe('event ids with characters queues refuse', { timeout: 2 * WITHIN_MS }, () => {
  it('are delivered, and those beside them in the batch', async () => {
    const before = errors.length;
    const ids = HOSTILE.flatMap((id) => [`${id} batch`, `beside ${HOSTILE.indexOf(id)}`]);
    await acceptAll(ids);
    expect(await undelivered(ids)).toEqual([]);
    expect(errors.slice(before)).toEqual([]);
  });

  it('are delivered alone', async () => {
    const ids = HOSTILE.map((id) => `${id} alone`);
    for (const id of ids)
      expect(await post('/v1/events', event(id), asServer())).toMatchObject({ status: 202 });
    expect(await undelivered(ids)).toEqual([]);
  });

  it('are delivered from browsers', async () => {
    const ids = HOSTILE.map((id) => `${id} browser`);
    for (const id of ids) {
      const body = { ...event(id, 'Lead'), merchant_id: host.session.merchant_id };
      expect(await post('/v1/browser/events', body, { 'user-agent': AGENT })).toMatchObject({ status: 202 });
    }
    expect(await undelivered(ids)).toEqual([]);
  });
});

describe('messages nobody understands, in every queue', { timeout: 2 * WITHIN_MS }, () => {
  it('stop no event', async () => {
    const sqs = createSqsClient({ endpoint: host.session.sqs_url });
    const poison = ['no JSON', 'null', '{}', '[]', '"text"', '{"merchant":"nobody","rows":[["s","x"]]}'];
    for (const { queue } of host.topology.eventSources) {
      const { QueueUrl } = await sqs.send(new GetQueueUrlCommand({ QueueName: queue }));
      const Entries = poison.map((text, i) => ({ Id: String(i), MessageBody: text, MessageGroupId: 'm' }));
      expect((await sqs.send(new SendMessageBatchCommand({ QueueUrl, Entries }))).Failed ?? []).toEqual([]);
    }
    const ids = Array.from({ length: 20 }, (_, i) => `beside-messages-${i}`);
    await acceptAll(ids);
    expect(await undelivered(ids)).toEqual([]);
  });
});

describe('rows nobody can read, in every shard', { timeout: 2 * WITHIN_MS }, () => {
  /** Of these alone, and taken by every platform. */
  const NAME = 'AddToCart';
  const bad = Array.from({ length: DUE_SHARDS }, (_, i) => `bad-${i}`);
  const good = Array.from({ length: DUE_SHARDS * 2 }, (_, i) => `good-${i}`);
  const later = Array.from({ length: 10 }, (_, i) => `later-${i}`);

  beforeAll(async () => {
    await fetch(`${host.session.sandbox_url}/faults`, {
      method: 'POST',
      // One refusal only: more of them would open the circuit for minutes.
      body: JSON.stringify({ platform: 'meta', kind: '429', retry_after: PAUSE_SEC, count: 1 }),
    });
    await acceptAll([...good, ...bad], NAME);
    // Everything waits for one platform: all of them are due there at about the same time.
    const early = await without(
      [...good, ...bad],
      ({ meta, ...others }) =>
        meta !== 'DELIVERED' &&
        Object.values(others).filter((status) => status === 'DELIVERED').length === platforms - 1,
    );
    expect(early).toEqual([]);
    await spoil(bad);
  }, 2 * WITHIN_MS);

  it('stop no retry', async () => {
    expect(await undelivered(good)).toEqual([]);
  });

  it('stop no new event', async () => {
    await acceptAll(later, NAME);
    expect(await undelivered(later)).toEqual([]);
  });

  it('take no other row out of the list', async () => {
    expect(await listed()).toEqual(expect.arrayContaining(good));
  });

  it('take no other row out of the counters', async () => {
    // None of the bad ones ever got there.
    await expect.poll(countedAtMeta, { timeout: WITHIN_MS, interval: 500 }).toBe(good.length + later.length);
  });

  async function countedAtMeta(): Promise<number> {
    const { cells } = await get<Coverage>('/v1/analytics/coverage?range=24h');
    return cells.find((cell) => cell.event_name === NAME && cell.platform === 'meta')?.delivered ?? 0;
  }
});

interface Coverage {
  readonly cells: readonly {
    readonly event_name: string;
    readonly platform: string;
    readonly delivered: number;
  }[];
}

async function listed(): Promise<readonly string[]> {
  const ids: string[] = [];
  for (let cursor: string | null = ''; cursor !== null; ) {
    const query: string = cursor === '' ? '' : `&cursor=${encodeURIComponent(cursor)}`;
    const page: { events: { event_id: string }[]; next_cursor: string | null } = await get(
      `/v1/events?limit=50${query}`,
    );
    ids.push(...page.events.map(({ event_id }) => event_id));
    cursor = page.next_cursor;
  }
  return ids;
}

/** Stored in a format no version ever wrote, and due in one shard each. */
async function spoil(ids: readonly string[]): Promise<void> {
  const table = host.topology.functions.find(({ service }) => service === 'sweep')?.environment.EVENTS_TABLE;
  const db = new DynamoDBClient({ endpoint: host.session.dynamodb_url });
  let spoiled = 0;
  for await (const page of paginateScan({ client: db }, { TableName: table })) {
    for (const { pk, sk } of page.Items ?? []) {
      const index = ids.findIndex((id) => pk?.S?.endsWith(`#${id}`));
      if (index < 0 || pk === undefined || sk === undefined) continue;
      const [merchantId = ''] = (pk.S ?? '').split('#');
      await db.send(
        new UpdateItemCommand({
          TableName: table,
          Key: { pk, sk },
          UpdateExpression: 'SET b = :b, dp = :dp, da = :da',
          ExpressionAttributeValues: {
            ':b': { B: Uint8Array.of(255, 0, 1, 2) },
            ':dp': { S: String(index % DUE_SHARDS) },
            ':da': { S: dueEntry({ merchantId }, pk.S ?? '', Date.now() - 60_000, DUE_SHARDS).da },
          },
        }),
      );
      spoiled += 1;
    }
  }
  db.destroy();
  expect(spoiled).toBe(ids.length);
}
