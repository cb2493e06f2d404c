// Reconciliations in the config table: jobs of the kind RECONCILIATION (job-store.ts), and beside them their parts, which no list
// of jobs reads.
//   pk TASKS#<merchant>  sk ORDERS#<id>#<part>#<version>#<piece>   d  a piece of the sealed part   expires  as jobs do

import * as z from 'zod';
import { defineKind } from '#lib/core/record/define-kind.ts';
import { decodeItem, formatAttribute } from '#lib/core/record/stored-item.ts';
import type { ItemQuarantine } from '#lib/core/record/unreadable-item.ts';
import { DAY_MS } from '#lib/core/work/time-slot.ts';
import { ingestTimeMs } from '#lib/events/domain/event/ingest-id.ts';
import {
  RECONCILIATION_LIMITS,
  type Reconciliation,
  STORED_RECONCILIATION,
} from '#lib/events/domain/reconciliation/reconciliation.ts';
import type { PartKey, ReconciliationStore } from '#lib/events/ports/reconciliation-store.ts';
import { type Db, deleteItem, getItem, putItem, type Table } from '../../core/items/commands.ts';
import { beginsWith, queryPage } from '../../core/items/query.ts';
import { createJobStore, defineTask, taskExpirySec, tasksOf } from './job-store.ts';

const ordersOf = (id: string): string => `ORDERS#${id}#`;
const pieceKey = ({ merchantId, id, part, version }: PartKey, piece: number) => ({
  pk: tasksOf(merchantId),
  sk: `${ordersOf(id)}${part}#${version}#${piece}`,
});

export const RECONCILIATIONS = defineTask<Reconciliation>({
  prefix: 'RECONCILIATION',
  what: 'reconciliation',
  schema: STORED_RECONCILIATION,
  personal: [],
  meaning: 'Reconciliations are listed without it; it goes on once it can be read.',
});

export const ORDERS_PIECE = defineKind<string>({
  what: 'piece of an upload of orders',
  table: 'config',
  key: { pk: 'TASKS#{merchant}', sk: 'ORDERS#{id}#{part}#{version}#{piece}' },
  attribute: 'd',
  schema: z.string(),
  expires: 'expires',
  personal: ['d'],
  whenUnreadable: 'wait',
  meaning: 'Its reconciliation is tried again; others go on.',
});

export function createReconciliationStore(
  db: Db,
  table: string,
  quarantine?: ItemQuarantine,
): ReconciliationStore {
  const jobs = createJobStore(db, table, RECONCILIATIONS, quarantine);
  return {
    createReconciliation: jobs.create,
    reconciliation: jobs.read,
    listReconciliations: jobs.list,
    expiredReconciliations: jobs.expired,
    writeReconciliation: jobs.write,
    deleteReconciliation: jobs.remove,
    ...partStore({ db, table }),
  };
}

function partStore(config: Table): Pick<ReconciliationStore, 'putPart' | 'readPart' | 'deleteParts'> {
  return {
    async putPart(key, pieces) {
      const keptMs = RECONCILIATION_LIMITS.keptDays * DAY_MS;
      const expires = taskExpirySec(ingestTimeMs(key.id) + keptMs);
      for (const [piece, d] of pieces.entries()) {
        await putItem(config, { ...pieceKey(key, piece), ...formatAttribute(ORDERS_PIECE), d, expires });
      }
    },

    async readPart(key, pieces) {
      const texts: string[] = [];
      // Most parts are one.
      for (let piece = 0; piece < pieces; piece++) {
        const item = await getItem(config, pieceKey(key, piece));
        if (item === undefined) throw new Error(`${pieceKey(key, piece).sk} is missing`);
        texts.push(decodeItem(ORDERS_PIECE, item));
      }
      return texts;
    },

    async deleteParts(merchantId, id, limit) {
      const orders = { hash: tasksOf(merchantId), range: beginsWith(ordersOf(id)), keysOnly: true } as const;
      const { items } = await queryPage(config, orders, { pageMax: limit });
      await Promise.all(items.map((key) => deleteItem(config, key)));
      // A page of 1 MB may hold fewer than were asked for: none is none.
      return items.length === 0;
    },
  };
}
