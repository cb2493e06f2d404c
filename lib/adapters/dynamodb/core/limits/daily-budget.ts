// What a merchant spent on the assistant in a UTC day: one item of the rates table, moved by additions.
//   pk SHA-256 of merchant and day   q requests   t tokens   expires TTL, seconds

import { hash } from 'node:crypto';
import { type DynamoDBDocumentClient, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod';
import type { DailyBudget } from '#lib/core/assistant/budget.ts';
import { defineKind } from '#lib/core/record/define-kind.ts';
import { conditional } from '../items/conditional.ts';

const KEPT_SEC = 3 * 86_400;

export const DAILY_BUDGET = defineKind({
  what: 'spending of a day',
  table: 'rates',
  key: { pk: '{sha256}' },
  marks: ['q'],
  attribute: null,
  schema: z.looseObject({
    q: z.number().exactOptional(),
    t: z.number().exactOptional(),
    expires: z.number(),
  }),
  expires: 'expires',
  personal: [],
  whenUnreadable: 'unavailable',
  meaning: 'The assistant answers nothing to this merchant on that day.',
});

export function createDailyBudget(db: DynamoDBDocumentClient, table: string): DailyBudget {
  const itemOf = (merchantId: string, day: string) => ({
    TableName: table,
    Key: { pk: hash('sha256', `assistant|${merchantId}|${day}`, 'hex') },
  });
  const expires = (day: string): number => Date.parse(`${day}T00:00:00Z`) / 1_000 + KEPT_SEC;
  return {
    async begin(merchantId, day, { requests, tokens }) {
      if (requests < 1 || tokens < 1) return false;
      const begun = await conditional(
        db.send(
          new UpdateCommand({
            ...itemOf(merchantId, day),
            UpdateExpression: 'ADD q :one SET expires = :expires',
            ConditionExpression:
              '(attribute_not_exists(q) OR q < :requests) AND (attribute_not_exists(t) OR t < :tokens)',
            ExpressionAttributeValues: {
              ':one': 1,
              ':requests': requests,
              ':tokens': tokens,
              ':expires': expires(day),
            },
          }),
        ),
      );
      return begun !== null;
    },
    async spend(merchantId, day, tokens) {
      if (tokens === 0) return;
      await db.send(
        new UpdateCommand({
          ...itemOf(merchantId, day),
          UpdateExpression: 'ADD t :tokens SET expires = :expires',
          ExpressionAttributeValues: { ':tokens': tokens, ':expires': expires(day) },
        }),
      );
    },
  };
}
