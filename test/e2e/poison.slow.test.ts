// Nothing poisons anything, on whatever emulators there are: an id no queue likes, a row nobody can read and a message nobody
// understands stop no event but their own.
import { setTimeout as pause } from 'node:timers/promises';
import { DynamoDBClient, paginateScan, UpdateItemCommand } from '@aws-sdk/client-dynamodb';
import { GetQueueUrlCommand, SendMessageBatchCommand } from '@aws-sdk/client-sqs';
import { beforeAll, describe, expect, it } from 'vitest';
import { dueEntry } from '../../lib/adapters/dynamodb/core/items/due-index.ts';
import { createSqsClient } from '../../lib/adapters/sqs/client.ts';
import { DUE_SHARDS } from '../../lib/events/ports/event-store.ts';
import {
  AGENT,
  allEvents,
  api,
  connectedPlatforms,
  fault,
  keepThatTakeAll,
  purchase,
  send,
  useHost,
} from './hosts.ts';

/** Against hanging only; counters of a busy slot are two minutes late as it is. */
const WITHIN_MS = 600_000;
/** How long one platform asks to be left alone: all others are done by then; more than a minute would open its circuit. */
const PAUSE_SEC = 55;

const { host, session, errors } = useHost(() => ({ sweepIntervalMs: 2_000 }));
let platforms = 0;
beforeAll(async () => {
  await keepThatTakeAll(session());
  platforms = (await connectedPlatforms(session())).length;
  expect(platforms).toBeGreaterThan(0);
});

async function acceptAll(ids: readonly string[], event_name = 'Purchase'): Promise<void> {
  const answer = await send(session(), '/v1/ingest', {
    events: ids.map((id) => purchase(id, { event_name })),
  });
  expect(answer.status).toBe(202);
  const { results } = (await answer.json()) as { results: readonly { readonly status: number }[] };
  expect(results.map(({ status }) => status)).toEqual(ids.map(() => 202));
}

type Statuses = Readonly<Record<string, string>>;

/** Platform → status. */
async function deliveries(id: string): Promise<Statuses> {
  const { deliveries: rows } = await api<{ deliveries: { platform: string; status: string }[] }>(
    session(),
    `/v1/events/${encodeURIComponent(id)}`,
  );
  return Object.fromEntries(rows.map(({ platform, status }) => [platform, status]));
}

/** The ids that do not fulfil the condition, once all do or the time is over. */
async function without(ids: readonly string[], holds: (statuses: Statuses) => boolean): Promise<string[]> {
  const endMs = performance.now() + WITHIN_MS;
  for (let open = [...ids]; ; await pause(1_000)) {
    const isOver = performance.now() > endMs;
    // They wait together: while one does not fulfil it, the others are not asked for.
    const [first] = open;
    if (first !== undefined && !isOver && !holds(await deliveries(first))) continue;
    const done = await Promise.all(open.map(async (id) => holds(await deliveries(id))));
    open = open.filter((_id, i) => done[i] !== true);
    if (open.length === 0 || isOver) return open;
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
    for (const id of ids) expect((await send(session(), '/v1/events', purchase(id))).status).toBe(202);
    expect(await undelivered(ids)).toEqual([]);
  });

  it('are delivered from browsers', async () => {
    const ids = HOSTILE.map((id) => `${id} browser`);
    for (const id of ids) {
      const body = { ...purchase(id), event_name: 'Lead', merchant_id: session().merchant_id };
      const answer = await fetch(`${session().ingestion_url}/v1/browser/events`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'user-agent': AGENT },
        body: JSON.stringify(body),
      });
      expect(answer.status).toBe(202);
    }
    expect(await undelivered(ids)).toEqual([]);
  });
});

describe('messages nobody understands, in every queue', { timeout: 2 * WITHIN_MS }, () => {
  it('stop no event', async () => {
    const sqs = createSqsClient({ endpoint: session().sqs_url });
    const poison = ['no JSON', 'null', '{}', '[]', '"text"', '{"merchant":"nobody","rows":[["s","x"]]}'];
    for (const { queue } of host().topology.eventSources) {
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
    // One refusal only: more of them would open the circuit for minutes.
    await fault(session(), { platform: 'meta', kind: '429', retry_after: PAUSE_SEC, count: 1 });
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
    const listed = await allEvents<{ event_id: string }>(session());
    expect(listed.map(({ event_id }) => event_id)).toEqual(expect.arrayContaining(good));
  });

  it('take no other row out of the counters', async () => {
    // None of the bad ones ever got there.
    await expect
      .poll(countedAtMeta, { timeout: WITHIN_MS, interval: 2_000 })
      .toBe(good.length + later.length);
  });

  async function countedAtMeta(): Promise<number> {
    const { cells } = await api<Coverage>(session(), '/v1/analytics/coverage?range=24h');
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

/** Stored in a format no version ever wrote, and due in one shard each. */
async function spoil(ids: readonly string[]): Promise<void> {
  const table = host().topology.functions.find(({ service }) => service === 'sweep')?.environment
    .EVENTS_TABLE;
  const db = new DynamoDBClient({ endpoint: session().dynamodb_url });
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
