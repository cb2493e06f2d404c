// Removes the person's data from one row, live or archived, by one conditional write; later reads see the mark.
import { type DynamoDBDocumentClient, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { withoutPerson } from '#lib/events/domain/erasure/erased-row.ts';
import type { EventRow } from '#lib/events/domain/event/row.ts';
import type { RowErasure } from '#lib/events/ports/event-store.ts';
import { conditional } from '../../core/items/conditional.ts';
import { itemKey, toItem } from './event-item.ts';

export const createRowErasure = (db: DynamoDBDocumentClient, table: string): RowErasure => ({
  erase: (seen, erasedBy) => erase(db, table, seen, erasedBy),
});

async function erase(
  db: DynamoDBDocumentClient,
  table: string,
  seen: EventRow,
  erasedBy: string,
): Promise<boolean> {
  const { b, ro, ph, eb, st } = toItem(withoutPerson(seen, erasedBy));
  const isAccepted = seen.state === 'accepted';
  const written = await conditional(
    db.send(
      new UpdateCommand({
        TableName: table,
        Key: itemKey(seen.key),
        // The clear part of normalized rows is not rewritten, because it may have changed since it was read.
        UpdateExpression: isAccepted
          ? `SET eb = :eb, ph = :ph, b = :b${ro === undefined ? '' : ', ro = :ro'}`
          : 'SET eb = :eb, ph = :ph REMOVE se',
        ConditionExpression: 'ts = :ingest AND st = :st',
        ExpressionAttributeValues: {
          ':ingest': seen.ingestId,
          ':st': st,
          ':eb': eb,
          ':ph': ph,
          ...(isAccepted ? { ':b': b } : {}),
          ...(isAccepted && ro !== undefined ? { ':ro': ro } : {}),
        },
      }),
    ),
  );
  return written !== null;
}
