// Leases of runs: one item per piece of work, moved by one conditional write.
//   pk SHA-256 of the work   h holder   n step   u until, ms   expires TTL, seconds

import { hash } from 'node:crypto';
import { type DynamoDBDocumentClient, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod';
import { defineKind } from '#lib/core/record/define-kind.ts';
import type { RunLeases } from '#lib/core/work/run-leases.ts';
import { conditional } from './items/conditional.ts';

/** Long after its end. Without a lease any worker may begin. */
const KEPT_SEC = 86_400;

export const RUN_LEASE = defineKind({
  what: 'lease of a run',
  table: 'rates',
  key: { pk: '{sha256}' },
  marks: ['h', 'n', 'u'],
  attribute: null,
  schema: z.looseObject({ h: z.string(), n: z.number(), u: z.number(), expires: z.number() }),
  expires: 'expires',
  personal: [],
  whenUnreadable: 'wait',
  meaning: 'Its work waits until the item ends.',
});

export function createRunLeases(db: DynamoDBDocumentClient, table: string): RunLeases {
  return {
    async take(id, { holder, hop }, nowMs, untilMs) {
      const begins = hop === 0;
      const written = await conditional(
        db.send(
          new UpdateCommand({
            TableName: table,
            Key: { pk: hash('sha256', `run|${id}`, 'hex') },
            UpdateExpression: 'SET h = :holder, n = :hop, u = :until, expires = :expires',
            ConditionExpression: begins
              ? 'attribute_not_exists(u) OR u <= :now'
              : 'h = :holder AND n = :before',
            ExpressionAttributeValues: {
              ':holder': holder,
              ':hop': hop,
              ':until': untilMs,
              ':expires': Math.ceil(untilMs / 1_000) + KEPT_SEC,
              ...(begins ? { ':now': nowMs } : { ':before': hop - 1 }),
            },
          }),
        ),
      );
      return written !== null;
    },
  };
}
