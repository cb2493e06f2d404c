// Idempotency keys: one item of the rates table for each, moved by conditional writes.
//   pk SHA-256 of the key's id   d digest of the request   h holder   u end of the lease, ms   a sealed answer
//   expires TTL, seconds
import { hash } from 'node:crypto';
import {
  DeleteCommand,
  type DynamoDBDocumentClient,
  GetCommand,
  PutCommand,
  UpdateCommand,
} from '@aws-sdk/lib-dynamodb';
import type { IdempotencyStore } from '../../../core/http/idempotency.ts';
import { conditional } from './conditional.ts';

const HOLDS = 'h = :holder AND attribute_not_exists(a)';
/** A record can end between the write that it refused and the read of it. */
const TRIES_MAX = 3;

export function createIdempotencyStore(db: DynamoDBDocumentClient, table: string): IdempotencyStore {
  const keyOf = (id: string) => ({ pk: hash('sha256', `idempotency|${id}`, 'hex') });
  return {
    async begin(id, { digest, holder, leaseEndMs, untilMs }, nowMs) {
      for (let attempt = 1; ; attempt++) {
        const begun = await conditional(
          db.send(
            new PutCommand({
              TableName: table,
              Item: {
                ...keyOf(id),
                d: digest,
                h: holder,
                u: leaseEndMs,
                expires: Math.ceil(untilMs / 1_000),
              },
              // TTL deletes late: a record that has expired is none.
              ConditionExpression:
                'attribute_not_exists(pk) OR expires <= :nowSec OR (attribute_not_exists(a) AND u <= :now AND d = :digest)',
              ExpressionAttributeValues: {
                ':now': nowMs,
                ':nowSec': Math.floor(nowMs / 1_000),
                ':digest': digest,
              },
            }),
          ),
        );
        if (begun !== null) return 'begun';
        const { Item: item } = await db.send(
          new GetCommand({ TableName: table, Key: keyOf(id), ConsistentRead: true }),
        );
        if (item !== undefined)
          return { digest: String(item.d), answer: item.a === undefined ? null : String(item.a) };
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
          new DeleteCommand({
            TableName: table,
            Key: keyOf(id),
            ConditionExpression: HOLDS,
            ExpressionAttributeValues: { ':holder': holder },
          }),
        ),
      );
    },
  };
}
