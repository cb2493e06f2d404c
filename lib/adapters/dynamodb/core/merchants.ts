import { type DynamoDBDocumentClient, ScanCommand } from '@aws-sdk/lib-dynamodb';
import type { Merchant } from '../../../core/tenancy/merchant.ts';

/** Every merchant, in no order. Scans the config table, which is small and asked once an hour. */
export async function* merchants(db: DynamoDBDocumentClient, table: string): AsyncGenerator<Merchant> {
  let after: Record<string, unknown> | undefined;
  do {
    const answer = await db.send(
      new ScanCommand({
        TableName: table,
        FilterExpression: 'sk = :profile',
        ExpressionAttributeValues: { ':profile': 'PROFILE' },
        ...(after === undefined ? {} : { ExclusiveStartKey: after }),
      }),
    );
    for (const item of answer.Items ?? []) yield item.merchant as Merchant;
    after = answer.LastEvaluatedKey;
  } while (after !== undefined);
}
