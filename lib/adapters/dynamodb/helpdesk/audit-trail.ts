// The helpdesk's audit log, in a table without permission to change or delete. Guarantees: no entry is overwritten.
// Expired entries are deleted some day.

import { type DynamoDBDocumentClient, PutCommand } from '@aws-sdk/lib-dynamodb';
import { defineKind } from '#lib/core/record/define-kind.ts';
import { decodeOrSetAside, formatOf } from '#lib/core/record/stored-item.ts';
import type { ItemQuarantine } from '#lib/core/record/unreadable-item.ts';
import { type HelpdeskAuditEntry, STORED_AUDIT_ENTRY } from '#lib/helpdesk/domain/audit/entry.ts';
import type { AuditTrail } from '#lib/helpdesk/ports/stores.ts';
import { conditional } from '../core/items/conditional.ts';
import { auditKey, timedPlace } from './helpdesk-item.ts';
import { itemsOf } from './query.ts';

const KEPT_SEC = 400 * 86_400;
/** Sorts after every time. */
const LAST = '~';
const PAGE_MAX = 1_000;

export const DESK_AUDIT_ENTRY = defineKind<HelpdeskAuditEntry>({
  what: 'audit entry',
  table: 'helpdesk-audit',
  key: { pk: '{workspace...}', sk: '{at}#{id}' },
  attribute: 'e',
  schema: STORED_AUDIT_ENTRY,
  expires: 'ex',
  personal: ['actor', 'changes', 'ip', 'userAgent'],
  whenUnreadable: 'left out',
  meaning: 'The audit log is listed without it.',
});

export function createAuditTrail(
  db: DynamoDBDocumentClient,
  table: string,
  quarantine: ItemQuarantine,
): AuditTrail {
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
        // BETWEEN includes its end.
        if (item.sk === to) continue;
        const entry = decodeOrSetAside(DESK_AUDIT_ENTRY, item, quarantine);
        if (entry !== undefined && entries.push(entry) === limit) break;
      }
      return entries;
    },
  };
}

export const auditItem = (entry: HelpdeskAuditEntry) => ({
  ...auditKey(entry.workspaceId, entry.atMs, entry.id),
  f: formatOf(DESK_AUDIT_ENTRY),
  e: entry,
  ex: Math.ceil(entry.atMs / 1_000) + KEPT_SEC,
});
