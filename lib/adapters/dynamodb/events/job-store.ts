// Jobs of merchants in the config table, of one kind each. A partition of its own for each merchant: who may delete these may
// delete nothing else. Every write but the deletion is conditional.
//   pk TASKS#<merchant>  sk <KIND>#<id>   v version   job  the job as it is; ids are in the order of time
import {
  DeleteCommand,
  type DynamoDBDocumentClient,
  GetCommand,
  PutCommand,
  QueryCommand,
} from '@aws-sdk/lib-dynamodb';
import { conditional } from '../core/conditional.ts';

export interface StoredJob {
  readonly merchantId: string;
  readonly id: string;
  readonly version: number;
  readonly expiresAtMs: number;
}

export interface JobStore<Job extends StoredJob> {
  create(job: Job): Promise<boolean>;
  read(merchantId: string, id: string): Promise<Job | null>;
  list(merchantId: string, limit: number, before?: string): Promise<readonly Job[]>;
  expired(merchantId: string, nowMs: number, limit: number): Promise<readonly Job[]>;
  write(next: Job, seenVersion: number): Promise<boolean>;
  remove(merchantId: string, id: string): Promise<void>;
}

/** Behind every id: `~` comes after all hexadecimal digits. */
const AFTER_ALL = '~';
export const jobsOf = (merchantId: string): string => `TASKS#${merchantId}`;

export function createJobStore<Job extends StoredJob>(
  db: DynamoDBDocumentClient,
  table: string,
  kind: string,
): JobStore<Job> {
  const first = `${kind}#`;
  const keyOf = (merchantId: string, id: string) => ({ pk: jobsOf(merchantId), sk: first + id });
  const put = async (job: Job, condition: object): Promise<boolean> => {
    const Item = { ...keyOf(job.merchantId, job.id), v: job.version, job };
    return (await conditional(db.send(new PutCommand({ TableName: table, Item, ...condition })))) !== null;
  };
  const query = async (
    merchantId: string,
    { last, limit, forward }: { readonly last: string; readonly limit: number; readonly forward: boolean },
  ): Promise<readonly Job[]> => {
    const { Items: items = [] } = await db.send(
      new QueryCommand({
        TableName: table,
        KeyConditionExpression: 'pk = :pk AND sk BETWEEN :first AND :last',
        ExpressionAttributeValues: { ':pk': jobsOf(merchantId), ':first': first, ':last': first + last },
        ConsistentRead: true,
        ScanIndexForward: forward,
        Limit: limit,
      }),
    );
    return items.map(({ job }) => job as Job);
  };
  return {
    create: (job) => put(job, { ConditionExpression: 'attribute_not_exists(pk)' }),

    async read(merchantId, id) {
      const { Item: item } = await db.send(
        new GetCommand({ TableName: table, Key: keyOf(merchantId, id), ConsistentRead: true }),
      );
      return item === undefined ? null : (item.job as Job);
    },

    async list(merchantId, limit, before) {
      // BETWEEN takes its end as well.
      const found = await query(merchantId, { last: before ?? AFTER_ALL, limit: limit + 1, forward: false });
      return found.filter(({ id }) => id !== before).slice(0, limit);
    },

    async expired(merchantId, nowMs, limit) {
      const oldest = await query(merchantId, { last: AFTER_ALL, limit, forward: true });
      return oldest.filter(({ expiresAtMs }) => expiresAtMs <= nowMs);
    },

    write: (next, seenVersion) =>
      put(
        { ...next, version: seenVersion + 1 },
        { ConditionExpression: 'v = :seen', ExpressionAttributeValues: { ':seen': seenVersion } },
      ),

    async remove(merchantId, id) {
      await db.send(new DeleteCommand({ TableName: table, Key: keyOf(merchantId, id) }));
    },
  };
}
