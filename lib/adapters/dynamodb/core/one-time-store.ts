// Texts that can be read once: one item of the rates table for each, taken by deleting it.
//   pk SHA-256 of the id   x text, encrypted by its writer   expires TTL, seconds

import { DeleteCommand, type DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod';
import type { OneTimeStore } from '#lib/core/assistant/confirmations.ts';
import { decodeOrAbsent, formatAttribute } from '#lib/core/record/stored-item.ts';
import { conditional, putItem } from './items/commands.ts';
import { defineRate, rateKey } from './limits/rate-kind.ts';

export const ONE_TIME_TEXT = defineRate({
  what: 'text that can be had once',
  marks: ['x'],
  schema: z.looseObject({ x: z.string(), expires: z.number() }),
  personal: ['x'],
  whenUnreadable: 'absent',
  meaning: 'It was had: another one has to be asked for.',
});

export function createOneTimeStore(db: DynamoDBDocumentClient, table: string): OneTimeStore {
  const keyOf = (id: string) => rateKey('once', id);
  return {
    async put(id, text, untilMs) {
      const expires = Math.floor(untilMs / 1_000);
      await putItem({ db, table }, { ...keyOf(id), ...formatAttribute(ONE_TIME_TEXT), x: text, expires });
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
