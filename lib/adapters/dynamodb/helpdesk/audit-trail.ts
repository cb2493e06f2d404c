// The helpdesk's audit log, in a table that nobody may change or delete from. Guarantees: no entry is written over. Expired
// ones go some day.
import { type DynamoDBDocumentClient, PutCommand } from '@aws-sdk/lib-dynamodb';
import type { HelpdeskAuditEntry } from '../../../helpdesk/domain/audit-entry.ts';
import type { AuditTrail } from '../../../helpdesk/ports/stores.ts';
import { conditional } from '../core/conditional.ts';
import { auditKey, timedPlace } from './helpdesk-item.ts';
import { itemsOf } from './query.ts';
import { ITEM_FORMAT, mustBeKnown } from './record-codec.ts';

const KEPT_SEC = 400 * 86_400;
/** Behind every time. */
const LAST = '~';
const PAGE_MAX = 1_000;

export function createAuditTrail(db: DynamoDBDocumentClient, table: string): AuditTrail {
  return {
    async append(entry) {
      await conditional(
        db.send(
          new PutCommand({
            TableName: table,
            Item: auditItem(entry),
            ConditionExpression: 'attribute_not_exists(pk)',
          }),
        ),
      );
    },

    async entries(workspaceId, { fromMs = 0, toMs, before }, limit) {
      const from = timedPlace(fromMs, '');
      const ends = [
        toMs === undefined ? LAST : timedPlace(toMs, ''),
        before === undefined ? LAST : timedPlace(before.atMs, before.id),
      ];
      const to = ends.sort()[0] ?? LAST;
      const entries: HelpdeskAuditEntry[] = [];
      if (from >= to || limit < 1) return entries;
      const partition = { table, names: ['pk', 'sk'], hash: workspaceId, between: { from, to } } as const;
      const pageMax = Math.min(PAGE_MAX, limit + 1);
      for await (const item of itemsOf(db, partition, { forward: false, pageMax })) {
        // BETWEEN takes its end as well.
        if (item.sk === to) continue;
        if (entries.push(auditEntryIn(item)) === limit) break;
      }
      return entries;
    },
  };
}

export const auditItem = (entry: HelpdeskAuditEntry) => ({
  ...auditKey(entry.workspaceId, entry.atMs, entry.id),
  f: ITEM_FORMAT,
  e: entry,
  ex: Math.ceil(entry.atMs / 1_000) + KEPT_SEC,
});

/** Throws where a later release wrote it. */
export function auditEntryIn(item: Readonly<Record<string, unknown>>): HelpdeskAuditEntry {
  mustBeKnown(item);
  return item.e as HelpdeskAuditEntry;
}
