// Items by key, as many as are asked for, a hundred a request. Missing ones are left out; order is not kept.
import { BatchGetCommand, type DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { ItemKey } from './config-item.ts';

const BATCH_GET_MAX = 100;
const REQUESTS_AT_ONCE = 4;
const ROUNDS = 8;

export async function readItems(
  db: DynamoDBDocumentClient,
  table: string,
  keys: readonly ItemKey[],
  consistent: boolean,
): Promise<Record<string, unknown>[]> {
  // DynamoDB refuses a request that names a key twice.
  const unique = [...new Map(keys.map((key) => [`${key.sk} ${key.pk}`, key])).values()];
  const requests = Array.from({ length: Math.ceil(unique.length / BATCH_GET_MAX) }, (_, i) =>
    unique.slice(i * BATCH_GET_MAX, (i + 1) * BATCH_GET_MAX),
  );
  const items: Record<string, unknown>[] = [];
  for (let at = 0; at < requests.length; at += REQUESTS_AT_ONCE) {
    const some = requests.slice(at, at + REQUESTS_AT_ONCE);
    const read = await Promise.all(some.map((request) => readSome(db, table, request, consistent)));
    items.push(...read.flat());
  }
  return items;
}

/** What a throttled table leaves unprocessed is asked for again, ever later. */
async function readSome(
  db: DynamoDBDocumentClient,
  table: string,
  keys: readonly ItemKey[],
  consistent: boolean,
): Promise<Record<string, unknown>[]> {
  const items: Record<string, unknown>[] = [];
  let pending = [...keys];
  for (let round = 0; pending.length > 0; round++) {
    if (round === ROUNDS) throw new Error('DynamoDB left keys unprocessed eight times');
    const answer = await db.send(
      new BatchGetCommand({ RequestItems: { [table]: { Keys: pending, ConsistentRead: consistent } } }),
    );
    items.push(...(answer.Responses?.[table] ?? []));
    pending = (answer.UnprocessedKeys?.[table]?.Keys ?? []) as typeof pending;
    if (pending.length > 0) await new Promise((resolve) => setTimeout(resolve, 25 * 2 ** round));
  }
  return items;
}
