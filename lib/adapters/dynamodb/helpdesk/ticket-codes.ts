// Numbers of tickets: one counter for each workspace, moved by one atomic addition. A number whose taker dies is a gap.
import { type DynamoDBDocumentClient, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import type { TicketCodes } from '../../../helpdesk/ports/stores.ts';
import { codesKey } from './helpdesk-item.ts';

export function createTicketCodes(db: DynamoDBDocumentClient, table: string): TicketCodes {
  return {
    async next(workspaceId) {
      const { Attributes: counter } = await db.send(
        new UpdateCommand({
          TableName: table,
          Key: codesKey(workspaceId),
          UpdateExpression: 'ADD n :one',
          ExpressionAttributeValues: { ':one': 1 },
          ReturnValues: 'UPDATED_NEW',
        }),
      );
      return Number(counter?.n);
    },
  };
}
