// A sliding window that is exact: the last 30 grants of one caller in one item, moved by one conditional write.
// Never more than 30 in any 60 seconds, however many hosts decide at once; never fewer.
//   pk SHA-256 of merchant and address   r ring of grant times, ms, oldest first   v version   expires TTL, seconds

import { hash } from 'node:crypto';
import { type DynamoDBDocumentClient, GetCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod';
import { defineKind } from '#lib/core/record/define-kind.ts';
import { decodeOrAbsent, formatAttribute } from '#lib/core/record/stored-item.ts';
import { addressBlock } from '#lib/core/work/address-block.ts';
import { CONFLICT, retryConflicts } from '#lib/core/work/retry-conflicts.ts';
import { slideWindow, type WindowLimit } from '#lib/core/work/sliding-window.ts';
import { conditional } from '../items/conditional.ts';

const TRIES_MAX = 40;

export const GRANT_RING = defineKind({
  what: 'last grants of a caller',
  table: 'rates',
  key: { pk: '{sha256}' },
  marks: ['r', 'v'],
  attribute: null,
  schema: z.looseObject({ r: z.array(z.number()), v: z.number(), expires: z.number() }),
  expires: 'expires',
  personal: ['pk'],
  whenUnreadable: 'absent',
  meaning: 'Its caller begins with an empty window.',
});

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
        const seen = decodeOrAbsent(GRANT_RING, item);
        const v = (seen?.v ?? 0) + 1;
        const step = slideWindow(seen?.r ?? [], wanted, nowMs, limit);
        if (step.granted === 0) return step;
        const expires = Math.ceil(nowMs / 1000) + 3_600;
        const next = { pk, ...formatAttribute(GRANT_RING), r: step.ring, v, expires };
        const isSpoiled = item !== undefined && seen === undefined;
        return (await write(db, table, next, isSpoiled)) ? step : CONFLICT;
      });
    },
  };
}

async function write(
  db: DynamoDBDocumentClient,
  table: string,
  item: { pk: string; r: readonly number[]; v: number; expires: number },
  isSpoiled: boolean,
): Promise<boolean> {
  const written = await conditional(
    db.send(
      new PutCommand({
        TableName: table,
        Item: item,
        ...conditionOf(item.v, isSpoiled),
      }),
    ),
  );
  return written !== null;
}

/** What cannot be read is written over: an empty window may grant its caller more, once. */
function conditionOf(version: number, isSpoiled: boolean) {
  if (isSpoiled) return { ConditionExpression: 'attribute_exists(pk)' };
  if (version === 1) return { ConditionExpression: 'attribute_not_exists(pk)' };
  return { ConditionExpression: 'v = :seen', ExpressionAttributeValues: { ':seen': version - 1 } };
}
