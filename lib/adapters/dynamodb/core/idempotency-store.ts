// Idempotency keys: one item of the rates table for each, moved by conditional writes.
//   pk SHA-256 of the key's id   d digest of the request   h holder   u end of the lease, ms   a sealed answer
//   r the first holder, where it is another one   expires TTL, seconds

import { hash } from 'node:crypto';
import { type DynamoDBDocumentClient, GetCommand, PutCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod';
import type { IdempotencyStore } from '#lib/core/http/idempotency.ts';
import { defineKind } from '#lib/core/record/define-kind.ts';
import { decodeItem, formatAttribute } from '#lib/core/record/stored-item.ts';
import { conditional } from './items/conditional.ts';

export const IDEMPOTENCY_KEY = defineKind({
  what: 'idempotency key',
  table: 'rates',
  key: { pk: '{sha256}' },
  marks: ['d', 'h', 'u'],
  attribute: null,
  schema: z.looseObject({
    d: z.string(),
    h: z.string(),
    u: z.number(),
    a: z.string().exactOptional(),
    r: z.string().exactOptional(),
    expires: z.number(),
  }),
  expires: 'expires',
  personal: ['a'],
  whenUnreadable: 'unavailable',
  meaning: 'A request with its key is answered 503: it is neither done twice nor refused as another one.',
});

type Claim = Parameters<IdempotencyStore['begin']>[1];

const HOLDS = 'h = :holder AND attribute_not_exists(a)';
/** A record can end between the write that it refused and the read of it. */
const TRIES_MAX = 3;

export function createIdempotencyStore(db: DynamoDBDocumentClient, table: string): IdempotencyStore {
  const keyOf = (id: string) => ({ pk: hash('sha256', `idempotency|${id}`, 'hex') });
  const claimed = (
    id: string,
    { digest, holder, leaseEndMs, untilMs }: Claim,
    idRoot: string,
    condition: { readonly text: string; readonly values: Readonly<Record<string, unknown>> },
  ) =>
    conditional(
      db.send(
        new PutCommand({
          TableName: table,
          Item: {
            ...keyOf(id),
            ...formatAttribute(IDEMPOTENCY_KEY),
            d: digest,
            h: holder,
            ...(idRoot === holder ? {} : { r: idRoot }),
            u: leaseEndMs,
            expires: Math.ceil(untilMs / 1_000),
          },
          ConditionExpression: condition.text,
          ExpressionAttributeValues: condition.values,
        }),
      ),
    );
  return {
    async begin(id, claim, nowMs) {
      const { digest, holder } = claim;
      for (let attempt = 1; ; attempt++) {
        // TTL deletes late: a record that has expired is none.
        const unknown = {
          text: 'attribute_not_exists(pk) OR expires <= :nowSec',
          values: { ':nowSec': Math.floor(nowMs / 1_000) },
        };
        if ((await claimed(id, claim, holder, unknown)) !== null) return { idRoot: holder };
        const { Item: item } = await db.send(
          new GetCommand({ TableName: table, Key: keyOf(id), ConsistentRead: true }),
        );
        if (item !== undefined) {
          const { d, h, u, a, r } = decodeItem(IDEMPOTENCY_KEY, item);
          const kept = { digest: d, answer: a ?? null };
          if (kept.answer !== null || kept.digest !== digest || u > nowMs) return kept;
          const idRoot = r ?? h;
          const ended = { text: `${HOLDS} AND u <= :now`, values: { ':holder': h, ':now': nowMs } };
          if ((await claimed(id, claim, idRoot, ended)) !== null) return { idRoot };
        }
        if (attempt === TRIES_MAX) return { digest, answer: null };
      }
    },

    async finish(id, holder, answer) {
      await conditional(
        db.send(
          new UpdateCommand({
            TableName: table,
            Key: keyOf(id),
            UpdateExpression: 'SET a = :answer',
            ConditionExpression: HOLDS,
            ExpressionAttributeValues: { ':holder': holder, ':answer': answer },
          }),
        ),
      );
    },

    async release(id, holder) {
      await conditional(
        db.send(
          new UpdateCommand({
            TableName: table,
            Key: keyOf(id),
            UpdateExpression: 'SET u = :ended',
            ConditionExpression: HOLDS,
            ExpressionAttributeValues: { ':holder': holder, ':ended': 0 },
          }),
        ),
      );
    },
  };
}
