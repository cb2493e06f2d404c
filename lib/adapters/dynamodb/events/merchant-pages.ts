// All merchants of a deployment, a page at a time. There is no index of them: a page is a scan of the config table, which is read
// once from its beginning to its end, whatever the number of pages; of each item nothing but a profile leaves DynamoDB.
import { type DynamoDBDocumentClient, ScanCommand } from '@aws-sdk/lib-dynamodb';
import type { Item } from '#lib/core/record/stored-item.ts';
import { type ItemQuarantine, UnreadableItem } from '#lib/core/record/unreadable-item.ts';
import { SCANNED } from '#lib/core/topology.ts';
import type { MerchantEntry, MerchantPages } from '#lib/events/ports/merchant-store.ts';
import { merchantOfKey } from '../core/items/config-item.ts';
import { merchantFrom } from './merchants.ts';

/** Megabytes read for one page, so that a request ends in time where profiles are rare among the items. */
const SCANS_MAX = 8;

const NAMES = Object.fromEntries(SCANNED.map((name) => [`#${name}`, name]));

export function createMerchantPages(
  db: DynamoDBDocumentClient,
  table: string,
  quarantine: ItemQuarantine = () => {},
): MerchantPages {
  const scan = (from: Item | undefined) =>
    db.send(
      new ScanCommand({
        TableName: table,
        FilterExpression: '#sk = :profile',
        Select: 'SPECIFIC_ATTRIBUTES',
        ProjectionExpression: Object.keys(NAMES).join(', '),
        ExpressionAttributeNames: NAMES,
        ExpressionAttributeValues: { ':profile': 'PROFILE' },
        ReturnConsumedCapacity: 'TOTAL',
        ...(from === undefined ? {} : { ExclusiveStartKey: from }),
      }),
    );
  const entryOf = (item: Item): MerchantEntry[] => {
    const id = merchantOfKey(item.pk);
    if (id === null) return [];
    try {
      return [{ id, merchant: merchantFrom(item) }];
    } catch (error) {
      if (!(error instanceof UnreadableItem)) throw error;
      quarantine(error);
      return [{ id, merchant: null }];
    }
  };
  return {
    async merchantPage(wanted, cursor) {
      let from = cursor === undefined ? undefined : keyIn(cursor);
      if (from === null) return null;
      const found: MerchantEntry[] = [];
      let readUnits = 0;
      for (let scans = 0; scans < SCANS_MAX; scans++) {
        const { Items: items = [], LastEvaluatedKey: last, ConsumedCapacity: used } = await scan(from);
        readUnits += used?.CapacityUnits ?? 0;
        for (const item of items) {
          found.push(...entryOf(item));
          if (found.length === wanted) return { found, readUnits, next: cursorOf(item) };
        }
        from = last;
        if (last === undefined) return { found, readUnits };
      }
      return { found, readUnits, ...(from == null ? {} : { next: cursorOf(from) }) };
    },
  };
}

const cursorOf = ({ pk, sk }: Item): string => Buffer.from(JSON.stringify([pk, sk])).toString('base64url');

/** Null where it is none. */
function keyIn(cursor: string): Item | null {
  try {
    const [pk, sk]: unknown[] = JSON.parse(Buffer.from(cursor, 'base64url').toString());
    return typeof pk === 'string' && typeof sk === 'string' ? { pk, sk } : null;
  } catch {
    return null;
  }
}
