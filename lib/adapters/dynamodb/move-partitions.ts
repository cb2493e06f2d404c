// Moves what an earlier release put into the partition that a merchant's items share to where this release looks first: decision
// 0069. Guarantees: safe beside functions of this release, beside itself, and run again after it broke off.
import { type DynamoDBDocumentClient, ScanCommand } from '@aws-sdk/lib-dynamodb';
import { UnreadableItem } from '#lib/core/record/unreadable-item.ts';
import { merchantOfKey } from './core/items/config-item.ts';
import { everyItem } from './core/items/every-item.ts';
import { createMovedItems } from './core/items/moved-item.ts';
import { createDataKeyStore } from './core/keys/data-keys.ts';
import { MOVED_TEAM } from './core/tenancy/members.ts';
import { MOVED_ROUTING } from './events/routing/item.ts';

/** What this run moved or copied, and what it could not move. */
export interface Moved {
  readonly teams: number;
  readonly routings: number;
  readonly dataKeys: number;
  /** Names of those that cannot be read, or are written all the time. */
  readonly left: readonly string[];
}

export async function movePartitions(db: DynamoDBDocumentClient, table: string): Promise<Moved> {
  const keys = createDataKeyStore(db, table);
  const moves = new Map([
    ['TEAM', createMovedItems(db, table, MOVED_TEAM).move],
    ['ROUTING', createMovedItems(db, table, MOVED_ROUTING).move],
    ['DATAKEY', async (merchantId: string) => ((await keys.copy(merchantId)) ? 'moved' : 'nothing')],
  ]);
  const moved = { TEAM: 0, ROUTING: 0, DATAKEY: 0 };
  const left: string[] = [];
  const readPage = (from: object) =>
    db.send(
      new ScanCommand({
        TableName: table,
        FilterExpression: 'sk IN (:team, :routing, :key)',
        ExpressionAttributeValues: { ':team': 'TEAM', ':routing': 'ROUTING', ':key': 'DATAKEY' },
        ProjectionExpression: 'pk, sk',
        ConsistentRead: true,
        ...from,
      }),
    );
  for await (const { pk, sk } of everyItem(readPage)) {
    const merchantId = merchantOfKey(pk);
    const move = moves.get(String(sk));
    if (merchantId === null || move === undefined) continue;
    const outcome = await move(merchantId).catch(leftWhereUnreadable);
    if (outcome === 'left') left.push(`${String(pk)} ${String(sk)}`);
    if (outcome === 'moved') moved[sk as keyof typeof moved] += 1;
  }
  return { teams: moved.TEAM, routings: moved.ROUTING, dataKeys: moved.DATAKEY, left };
}

function leftWhereUnreadable(error: unknown): 'left' {
  if (error instanceof UnreadableItem) return 'left';
  throw error;
}
