// Jobs of merchants in the config table, of one kind each. They have a partition of their own for each merchant, so
// that a permission to delete them covers nothing else. Every write but the deletion is conditional.
//   pk TASKS#<merchant>  sk <KIND>#<id>   v version   job  the job as it is; ids are in the order of time
//      expires  seconds, of one that is done: deleted by DynamoDB some day after it, unless the audit did

import {
  DeleteCommand,
  type DynamoDBDocumentClient,
  GetCommand,
  PutCommand,
  QueryCommand,
} from '@aws-sdk/lib-dynamodb';
import { defineKind, type ItemKind } from '#lib/core/record/define-kind.ts';
import { decodeItem, decodeOrSetAside, formatAttribute } from '#lib/core/record/stored-item.ts';
import type { ItemQuarantine } from '#lib/core/record/unreadable-item.ts';
import { DAY_MS } from '#lib/core/work/time-slot.ts';
import { conditional } from '../../core/items/conditional.ts';
import { everyItem } from '../../core/items/every-item.ts';

export interface StoredJob {
  readonly merchantId: string;
  readonly id: string;
  readonly version: number;
  readonly expiresAtMs: number;
  readonly state: string;
}

/** `prefix` begins its sort keys. */
export type JobKind<Job> = ItemKind<Job> & { readonly prefix: string };

export const defineJob = <Job>({
  prefix,
  ...kind
}: Pick<JobKind<Job>, 'prefix' | 'what' | 'schema' | 'personal' | 'meaning'>): JobKind<Job> => ({
  ...defineKind<Job>({
    table: 'config',
    key: { pk: 'TASKS#{merchant}', sk: `${prefix}#{id}` },
    attribute: 'job',
    expires: 'expires',
    whenUnreadable: 'left out',
    ...kind,
  }),
  prefix,
});

export interface JobStore<Job extends StoredJob> {
  create(job: Job): Promise<boolean>;
  read(merchantId: string, id: string): Promise<Job | null>;
  list(merchantId: string, limit: number, before?: string): Promise<readonly Job[]>;
  expired(merchantId: string, nowMs: number, limit: number): Promise<readonly Job[]>;
  write(next: Job, seenVersion: number): Promise<boolean>;
  remove(merchantId: string, id: string): Promise<void>;
}

/** Sorts after every id: `~` comes after all hexadecimal digits. */
const AFTER_ALL = '~';
export const jobsOf = (merchantId: string): string => `TASKS#${merchantId}`;

/** The audit deletes it first, after its parts. */
const MARGIN_MS = 7 * DAY_MS;
export const jobExpirySec = (expiresAtMs: number): number => Math.ceil((expiresAtMs + MARGIN_MS) / 1_000);

export function createJobStore<Job extends StoredJob>(
  db: DynamoDBDocumentClient,
  table: string,
  kind: JobKind<Job>,
  quarantine: ItemQuarantine = () => {},
): JobStore<Job> {
  const first = `${kind.prefix}#`;
  const keyOf = (merchantId: string, id: string) => ({ pk: jobsOf(merchantId), sk: first + id });
  const put = async (job: Job, condition: object): Promise<boolean> => {
    // A running job never expires: its promise is not fulfilled yet.
    const expires = job.state === 'done' ? { expires: jobExpirySec(job.expiresAtMs) } : {};
    const Key = keyOf(job.merchantId, job.id);
    const Item = { ...Key, ...formatAttribute(kind), v: job.version, job, ...expires };
    return (await conditional(db.send(new PutCommand({ TableName: table, Item, ...condition })))) !== null;
  };
  /** Unreadable jobs do not count towards `limit`, so that the jobs after them are found. */
  const query = async (
    merchantId: string,
    { last, limit, forward }: { readonly last: string; readonly limit: number; readonly forward: boolean },
  ): Promise<readonly Job[]> => {
    const jobs: Job[] = [];
    const readPage = (from: object) =>
      db.send(
        new QueryCommand({
          TableName: table,
          KeyConditionExpression: 'pk = :pk AND sk BETWEEN :first AND :last',
          ExpressionAttributeValues: { ':pk': jobsOf(merchantId), ':first': first, ':last': first + last },
          ConsistentRead: true,
          ScanIndexForward: forward,
          Limit: limit - jobs.length,
          ...from,
        }),
      );
    for await (const item of everyItem(readPage)) {
      const job = decodeOrSetAside(kind, item, quarantine);
      if (job !== undefined && jobs.push(job) === limit) break;
    }
    return jobs;
  };
  return {
    create: (job) => put(job, { ConditionExpression: 'attribute_not_exists(pk)' }),

    async read(merchantId, id) {
      const { Item: item } = await db.send(
        new GetCommand({ TableName: table, Key: keyOf(merchantId, id), ConsistentRead: true }),
      );
      return item === undefined ? null : decodeItem(kind, item);
    },

    async list(merchantId, limit, before) {
      // BETWEEN includes its end.
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
