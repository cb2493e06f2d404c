// A sliding window that is exact: the last 30 grants of one caller in one item, moved by one conditional write.
// Never more than 30 in any 60 seconds, however many hosts decide at once; never fewer.
//   pk SHA-256 of merchant and address   r ring of grant times, ms, oldest first   v version   expires TTL, seconds
import { hash } from 'node:crypto';
import { type DynamoDBDocumentClient, GetCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import { addressBlock } from '../../../core/work/address-block.ts';
import { CONFLICT, retryConflicts } from '../../../core/work/retry-conflicts.ts';
import { slideWindow, type WindowLimit } from '../../../core/work/sliding-window.ts';
import { conditional } from './conditional.ts';

const TRIES_MAX = 40;

export function createRateLimiter(
  db: DynamoDBDocumentClient,
  table: string,
  limit: WindowLimit,
  pause: (ms: number) => Promise<void>,
) {
  const wait = (attempt: number): Promise<void> =>
    pause(Math.min(5 * 2 ** Math.min(attempt, 5), 100) * (attempt % 3) * 0.5);
  return {
    async take(
      caller: { readonly merchantId: string; readonly clientIp: string },
      wanted: number,
      nowMs: number,
    ): Promise<{ granted: number; remaining: number; retryAfterSec: number }> {
      // The address is personal data: it is kept as a digest, and only for the window.
      const pk = hash('sha256', `${caller.merchantId}|${addressBlock(caller.clientIp)}`, 'hex');
      const retries = { what: 'the rate limit of one caller', triesMax: TRIES_MAX, pause: wait };
      return await retryConflicts(retries, async () => {
        const { Item: item } = await db.send(
          new GetCommand({ TableName: table, Key: { pk }, ConsistentRead: true }),
        );
        const v = Number(item?.v ?? 0) + 1;
        const step = slideWindow((item?.r ?? []) as number[], wanted, nowMs, limit);
        if (step.granted === 0) return step;
        const expires = Math.ceil(nowMs / 1000) + 3_600;
        return (await write(db, table, { pk, r: step.ring, v, expires })) ? step : CONFLICT;
      });
    },
  };
}

async function write(
  db: DynamoDBDocumentClient,
  table: string,
  item: { pk: string; r: readonly number[]; v: number; expires: number },
): Promise<boolean> {
  const written = await conditional(
    db.send(
      new PutCommand({
        TableName: table,
        Item: item,
        ConditionExpression: item.v === 1 ? 'attribute_not_exists(pk)' : 'v = :seen',
        ...(item.v === 1 ? {} : { ExpressionAttributeValues: { ':seen': item.v - 1 } }),
      }),
    ),
  );
  return written !== null;
}
