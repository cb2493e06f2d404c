// The end of the wait of a browser event: it is released, or yields to its server copy. One conditional write, one winner.
import { type DynamoDBDocumentClient, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import type { NormalizedRow } from '#lib/events/domain/event/row.ts';
import { conditional } from '../../core/items/conditional.ts';
import { sameRow } from './conditions.ts';
import { itemKey, normalizedAttributes } from './event-item.ts';

export async function release(
  db: DynamoDBDocumentClient,
  table: string,
  seen: NormalizedRow,
): Promise<boolean> {
  const same = sameRow(seen);
  const written = await conditional(
    db.send(
      new UpdateCommand({
        TableName: table,
        Key: itemKey(seen.key),
        UpdateExpression: 'REMOVE hu, dp, da, sw',
        ConditionExpression: [...same.conditions, 'attribute_exists(hu)'].join(' AND '),
        ExpressionAttributeValues: same.values,
      }),
    ),
  );
  return written !== null;
}

export async function withdraw(
  db: DynamoDBDocumentClient,
  table: string,
  seen: NormalizedRow,
  verdicts: NormalizedRow['verdicts'],
): Promise<boolean> {
  const same = sameRow(seen);
  const written = await conditional(
    db.send(
      new UpdateCommand({
        TableName: table,
        Key: itemKey(seen.key),
        UpdateExpression: 'SET b = :body REMOVE hu, dp, da, sw',
        ConditionExpression: [...same.conditions, 'attribute_exists(hu)'].join(' AND '),
        ExpressionAttributeValues: {
          ...same.values,
          ':body': normalizedAttributes({ ...seen, verdicts }).b,
        },
      }),
    ),
  );
  return written !== null;
}
