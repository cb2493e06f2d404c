// Texts that can be read once: one item of the rates table for each, taken by deleting it.
//   pk SHA-256 of the id   x text, encrypted by its writer   expires TTL, seconds

import { hash } from 'node:crypto';
import { DeleteCommand, type DynamoDBDocumentClient, PutCommand } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod';
import type { OneTimeStore } from '#lib/core/assistant/confirmations.ts';
import { defineKind } from '#lib/core/record/define-kind.ts';
import { decodeOrAbsent, formatAttribute } from '#lib/core/record/stored-item.ts';
import { conditional } from './items/conditional.ts';

export const ONE_TIME_TEXT = defineKind({
  what: 'text that can be had once',
  table: 'rates',
  key: { pk: '{sha256}' },
  marks: ['x'],
  attribute: null,
  schema: z.looseObject({ x: z.string(), expires: z.number() }),
  expires: 'expires',
  personal: ['x'],
  whenUnreadable: 'absent',
  meaning: 'It was had: whoever needs it asks for another.',
});

export function createOneTimeStore(db: DynamoDBDocumentClient, table: string): OneTimeStore {
  const keyOf = (id: string) => ({ pk: hash('sha256', `once|${id}`, 'hex') });
  return {
    async put(id, text, untilMs) {
      const expires = Math.floor(untilMs / 1_000);
      await db.send(
        new PutCommand({
          TableName: table,
          Item: { ...keyOf(id), ...formatAttribute(ONE_TIME_TEXT), x: text, expires },
        }),
      );
    },
    async take(id, nowMs) {
      const taken = await conditional(
        db.send(
          new DeleteCommand({
            TableName: table,
            Key: keyOf(id),
            // TTL deletes late: an expired item counts as absent.
            ConditionExpression: 'attribute_exists(pk) AND expires > :now',
            ExpressionAttributeValues: { ':now': Math.floor(nowMs / 1_000) },
            ReturnValues: 'ALL_OLD',
          }),
        ),
      );
      return taken === null ? null : (decodeOrAbsent(ONE_TIME_TEXT, taken.Attributes)?.x ?? null);
    },
  };
}
