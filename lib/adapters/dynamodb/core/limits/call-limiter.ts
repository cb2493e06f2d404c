// Calls of one caller in a minute: one item for each, moved by conditional writes. Guarantees: never more than the
// limit in a window, with any number of processes. A call costs one write; the first of a window costs a second one,
// and so does a refused one if the table does not return the item with the refusal.
//   pk SHA-256 of the id   w start of the window, ms   n calls granted in it   expires TTL, seconds

import { type DynamoDBDocumentClient, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod';
import { decodeItem } from '#lib/core/record/stored-item.ts';
import {
  CALL_WINDOW_MS,
  type CallGrant,
  type CallLimiter,
  grantOf,
  isInWindow,
} from '#lib/core/work/call-limiter.ts';
import { CONFLICT, retryConflicts } from '#lib/core/work/retry-conflicts.ts';
import { getItem, isConditionFailure, type Table, updateItem } from '../items/commands.ts';
import { defineRate, rateKey } from './rate-kind.ts';

/** Other processes can begin or end a window between two writes of one call: at most once a minute each. */
const TRIES_MAX = 5;
/** Long after its window. TTL deletes late: an item of a past window is ignored. */
const KEPT_SEC = 3_600;

export const CALL_WINDOW = defineRate({
  what: 'calls of a minute',
  marks: ['w', 'n'],
  schema: z.looseObject({ w: z.number(), n: z.number(), expires: z.number() }),
  personal: [],
  whenUnreadable: 'unavailable',
  meaning: 'Its caller is answered 503 until the item ends.',
});

interface Window {
  readonly startMs: number;
  readonly calls: number;
}

export function createCallLimiter(db: DynamoDBDocumentClient, table: string): CallLimiter {
  return {
    async take(id, limit, nowMs) {
      const counting = { rates: { db, table }, key: rateKey('calls', id), limit, nowMs };
      return await retryConflicts({ what: 'a rate limit', triesMax: TRIES_MAX }, async () => {
        const counted = await count(counting);
        if (isGrant(counted)) return counted;
        // Only if it is known to be full: a table that does not return the item is asked once more.
        if (counted !== null && isFull(counted, limit, nowMs)) return grantOf(counted, false, limit, nowMs);
        const begun = await begin(counting);
        if (begun !== null) return begun;
        const seen = await read(counting);
        return seen !== null && isFull(seen, limit, nowMs) ? grantOf(seen, false, limit, nowMs) : CONFLICT;
      });
    },
  };
}

interface Counting {
  readonly rates: Table;
  readonly key: { readonly pk: string };
  readonly limit: number;
  readonly nowMs: number;
}

const isGrant = (outcome: CallGrant | Window | null): outcome is CallGrant =>
  outcome !== null && 'granted' in outcome;
const isFull = ({ startMs, calls }: Window, limit: number, nowMs: number): boolean =>
  isInWindow(startMs, nowMs) && calls >= limit;

/**
 * Counts one more in the current window. Else returns the window that refused it, null if the table did not return it.
 */
async function count({
  rates: { db, table },
  key,
  limit,
  nowMs,
}: Counting): Promise<CallGrant | Window | null> {
  try {
    const { Attributes } = await db.send(
      new UpdateCommand({
        TableName: table,
        Key: key,
        UpdateExpression: 'ADD n :one',
        ConditionExpression: 'w > :after AND w < :before AND n < :limit',
        ExpressionAttributeValues: {
          ':one': 1,
          ':after': nowMs - CALL_WINDOW_MS,
          ':before': nowMs + CALL_WINDOW_MS,
          ':limit': limit,
        },
        ReturnValues: 'ALL_NEW',
        ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
      }),
    );
    return grantOf({ startMs: Number(Attributes?.w), calls: Number(Attributes?.n) }, true, limit, nowMs);
  } catch (error) {
    if (!isConditionFailure(error)) throw error;
    const { w, n } = error.Item ?? {};
    return w?.N === undefined || n?.N === undefined ? null : { startMs: Number(w.N), calls: Number(n.N) };
  }
}

/** Begins a window with this call, unless one is running. */
async function begin({ rates, key, limit, nowMs }: Counting): Promise<CallGrant | null> {
  const isBegun = await updateItem(rates, key, {
    update: 'SET w = :now, n = :one, expires = :expires',
    condition: 'attribute_not_exists(w) OR w <= :after OR w >= :before',
    values: {
      ':now': nowMs,
      ':one': 1,
      ':expires': Math.ceil(nowMs / 1_000) + KEPT_SEC,
      ':after': nowMs - CALL_WINDOW_MS,
      ':before': nowMs + CALL_WINDOW_MS,
    },
  });
  return isBegun ? grantOf({ startMs: nowMs, calls: 1 }, true, limit, nowMs) : null;
}

async function read({ rates, key }: Counting): Promise<Window | null> {
  const item = await getItem(rates, key);
  if (item === undefined) return null;
  const { w: startMs, n: calls } = decodeItem(CALL_WINDOW, item);
  return { startMs, calls };
}
