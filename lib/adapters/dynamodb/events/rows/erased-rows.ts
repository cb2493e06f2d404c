// Takes the person out of one row, live or archived, by one conditional write; the mark is told by whoever reads it later.
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
        // What normalized rows say in the clear stays as it is stored: somebody may have changed it since.
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
