// Who has a slug. Guarantees: of many articles that claim one at once one has it, and is told so whenever it asks again.
import { type DynamoDBDocumentClient, PutCommand } from '@aws-sdk/lib-dynamodb';
import type { Slugs } from '../../../helpdesk/ports/stores.ts';
import { conditional } from '../core/conditional.ts';
import { slugKey } from './helpdesk-item.ts';
import { ITEM_FORMAT } from './record-codec.ts';

export function createSlugs(db: DynamoDBDocumentClient, table: string): Slugs {
  return {
    async claim(workspaceId, slug, articleId) {
      const claimed = await conditional(
        db.send(
          new PutCommand({
            TableName: table,
            Item: { ...slugKey(workspaceId, slug), f: ITEM_FORMAT, by: articleId },
            ConditionExpression: 'attribute_not_exists(pk) OR #by = :by',
            ExpressionAttributeNames: { '#by': 'by' },
            ExpressionAttributeValues: { ':by': articleId },
          }),
        ),
      );
      return claimed !== null;
    },
  };
}
