// Jobs of merchants in the config table, of one kind each. Every write but the deletion is conditional.
//   pk TASKS#<merchant>  sk <KIND>#<id>   v version   job  the job as it is; ids are in the order of time
//      expires  seconds, of one that is done: deleted by DynamoDB some day after it, unless the recount did
// Jobs have a partition of their own for each merchant, so that a permission to delete them covers nothing else. Replay plans are
// never deleted by us, and lie with the merchant's other items: pk M#<merchant>, attribute plan.

import { defineKind, type ItemKind } from '#lib/core/record/define-kind.ts';
import { decodeOrSetAside, formatAttribute } from '#lib/core/record/stored-item.ts';
import type { ItemQuarantine } from '#lib/core/record/unreadable-item.ts';
import { DAY_MS } from '#lib/core/work/time-slot.ts';
import {
  type Condition,
  type Db,
  deleteItem,
  IF_NEW,
  ifVersion,
  putItem,
  readItem,
} from '../../core/items/commands.ts';
import { beginsWith, decodedItems, deleteAll } from '../../core/items/query.ts';

export interface StoredJob {
  readonly merchantId: string;
  readonly id: string;
  readonly version: number;
  readonly expiresAtMs?: number;
}

export interface JobKind<Job> extends ItemKind<Job> {
  /** Begins its partition keys. */
  readonly partition: 'TASKS' | 'M';
  /** Begins its sort keys. */
  readonly prefix: string;
  readonly attribute: 'job' | 'plan';
  /** When it is deleted; null while its promise is not fulfilled yet. */
  readonly expirySec: (job: Job) => number | null;
}

type Declaration<Job> = Omit<JobKind<Job>, 'table' | 'key' | 'expires' | 'whenUnreadable' | 'read'>;

export const defineJob = <Job>(job: Declaration<Job>): JobKind<Job> => ({
  ...job,
  ...defineKind<Job>({
    ...job,
    table: 'config',
    key: { pk: `${job.partition}#{merchant}`, sk: `${job.prefix}#{id}` },
    expires: 'expires',
    whenUnreadable: 'left out',
  }),
  attribute: job.attribute,
});

/** A job that the recount deletes, after its parts. */
export const defineTask = <Job extends { readonly state: string; readonly expiresAtMs: number }>(
  task: Pick<Declaration<Job>, 'prefix' | 'what' | 'schema' | 'personal' | 'meaning'>,
): JobKind<Job> =>
  defineJob<Job>({
    ...task,
    partition: 'TASKS',
    attribute: 'job',
    expirySec: ({ state, expiresAtMs }) => (state === 'done' ? taskExpirySec(expiresAtMs) : null),
  });

/** The recount deletes it first. */
const MARGIN_MS = 7 * DAY_MS;
export const taskExpirySec = (expiresAtMs: number): number => Math.ceil((expiresAtMs + MARGIN_MS) / 1_000);

export interface JobStore<Job extends StoredJob> {
  create(job: Job): Promise<boolean>;
  read(merchantId: string, id: string): Promise<Job | null>;
  list(merchantId: string, limit: number, before?: string): Promise<readonly Job[]>;
  expired(merchantId: string, nowMs: number, limit: number): Promise<readonly Job[]>;
  write(next: Job, seenVersion: number): Promise<boolean>;
  remove(merchantId: string, id: string): Promise<void>;
}

export const tasksOf = (merchantId: string): string => `TASKS#${merchantId}`;

/** Of every kind, done or not; a worker that has one finds it gone with its next write. How many items there were. */
export const removeTasks = (db: Db, table: string, merchantId: string): Promise<number> =>
  deleteAll({ db, table }, { hash: tasksOf(merchantId) });

export function createJobStore<Job extends StoredJob>(
  db: Db,
  table: string,
  kind: JobKind<Job>,
  quarantine: ItemQuarantine = () => {},
): JobStore<Job> {
  const config = { db, table };
  const first = `${kind.prefix}#`;
  const partitionOf = (merchantId: string) => `${kind.partition}#${merchantId}`;
  const keyOf = (merchantId: string, id: string) => ({ pk: partitionOf(merchantId), sk: first + id });
  const put = (job: Job, condition: Condition): Promise<boolean> => {
    const expires = kind.expirySec(job);
    const item = {
      ...keyOf(job.merchantId, job.id),
      ...formatAttribute(kind),
      v: job.version,
      [kind.attribute]: job,
      ...(expires === null ? {} : { expires }),
    };
    return putItem(config, item, condition);
  };
  /** Unreadable jobs do not count towards `limit`, so that the jobs after them are found. */
  const some = (merchantId: string, limit: number, forward: boolean, after?: object): Promise<Job[]> =>
    decodedItems(
      config,
      { hash: partitionOf(merchantId), range: beginsWith(first) },
      { limit, forward, after, decode: (item) => decodeOrSetAside(kind, item, quarantine) },
    );
  return {
    create: (job) => put(job, IF_NEW),

    read: (merchantId, id) => readItem(config, keyOf(merchantId, id), kind),

    list: (merchantId, limit, before) =>
      some(merchantId, limit, false, before === undefined ? undefined : keyOf(merchantId, before)),

    async expired(merchantId, nowMs, limit) {
      const oldest = await some(merchantId, limit, true);
      return oldest.filter(({ expiresAtMs = nowMs + 1 }) => expiresAtMs <= nowMs);
    },

    write: (next, seenVersion) => put({ ...next, version: seenVersion + 1 }, ifVersion(seenVersion)),

    async remove(merchantId, id) {
      await deleteItem(config, keyOf(merchantId, id));
    },
  };
}
