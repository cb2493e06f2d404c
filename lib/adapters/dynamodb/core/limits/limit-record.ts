// When a merchant last reached its ceiling of browser events: one item of the rates table, written at most once a minute by
// whichever process finds out first.
//   pk SHA-256 of merchant   at minute in which it was reached, ms   expires TTL, seconds

import { hash } from 'node:crypto';
import { type DynamoDBDocumentClient, GetCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod';
import { defineKind } from '#lib/core/record/define-kind.ts';
import { decodeOrAbsent } from '#lib/core/record/stored-item.ts';
import type { LimitRecord } from '#lib/core/work/leased-window.ts';
import { minuteOf } from '#lib/core/work/time-slot.ts';
import { conditional } from '../items/conditional.ts';

const KEPT_SEC = 90 * 86_400;

export const LIMIT_REACHED = defineKind({
  what: 'time a limit was reached',
  table: 'rates',
  key: { pk: '{sha256}' },
  marks: ['at'],
  attribute: null,
  schema: z.looseObject({ at: z.number(), expires: z.number() }),
  expires: 'expires',
  personal: [],
  whenUnreadable: 'absent',
  meaning: 'The limit is shown as not reached.',
});

export function createLimitRecord(db: DynamoDBDocumentClient, table: string): LimitRecord {
  const keyOf = (id: string) => ({ pk: hash('sha256', `reached|${id}`, 'hex') });
  return {
    async reached(id, nowMs) {
      const minuteMs = minuteOf(nowMs);
      await conditional(
        db.send(
          new UpdateCommand({
            TableName: table,
            Key: keyOf(id),
            UpdateExpression: 'SET #at = :minute, expires = :expires',
            ConditionExpression: 'attribute_not_exists(#at) OR #at < :minute',
            ExpressionAttributeNames: { '#at': 'at' },
            ExpressionAttributeValues: { ':minute': minuteMs, ':expires': minuteMs / 1000 + KEPT_SEC },
          }),
        ),
      );
    },
    async reachedAtMs(id) {
      const { Item: item } = await db.send(new GetCommand({ TableName: table, Key: keyOf(id) }));
      return decodeOrAbsent(LIMIT_REACHED, item)?.at ?? null;
    },
  };
}
