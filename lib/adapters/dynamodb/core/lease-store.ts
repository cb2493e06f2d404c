// Shares of a limit per window: one item per caller and window, moved by one conditional addition.
//   pk SHA-256 of caller and window   n leased so far   expires TTL, seconds

import { hash } from 'node:crypto';
import { type DynamoDBDocumentClient, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod';
import { defineKind } from '#lib/core/record/define-kind.ts';
import type { LeaseStore } from '#lib/core/work/leased-window.ts';
import { conditional } from './items/conditional.ts';

/** Long after its window, so that a clock that is behind finds what the others leased. */
const KEPT_SEC = 3_600;

export const WINDOW_SHARE = defineKind({
  what: 'share of a limit',
  table: 'rates',
  key: { pk: '{sha256}' },
  marks: ['n'],
  attribute: null,
  schema: z.looseObject({ n: z.number(), expires: z.number() }),
  expires: 'expires',
  personal: [],
  whenUnreadable: 'unavailable',
  meaning: 'Its caller is let in again with the next window.',
});

export function createLeaseStore(db: DynamoDBDocumentClient, table: string): LeaseStore {
  return {
    async lease(id, startMs, wanted, limit) {
      if (wanted < 1 || wanted > limit) return 0;
      const written = await conditional(
        db.send(
          new UpdateCommand({
            TableName: table,
            Key: { pk: hash('sha256', `window|${id}|${startMs}`, 'hex') },
            UpdateExpression: 'ADD n :wanted SET expires = :expires',
            ConditionExpression: 'attribute_not_exists(n) OR n <= :room',
            ExpressionAttributeValues: {
              ':wanted': wanted,
              ':room': limit - wanted,
              ':expires': Math.ceil(startMs / 1000) + KEPT_SEC,
            },
          }),
        ),
      );
      return written === null ? 0 : wanted;
    },
  };
}
