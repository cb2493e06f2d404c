// The helpdesk's audit log, in a table without permission to change or delete. Guarantees: no entry is overwritten.
// Expired entries are deleted some day.

import { defineKind } from '#lib/core/record/define-kind.ts';
import { decodeOrSetAside, formatOf, type Item } from '#lib/core/record/stored-item.ts';
import type { ItemQuarantine } from '#lib/core/record/unreadable-item.ts';
import { type HelpdeskAuditEntry, STORED_AUDIT_ENTRY } from '#lib/helpdesk/domain/audit/entry.ts';
import type { AuditTrail } from '#lib/helpdesk/ports/stores.ts';
import { type Db, IF_NEW, putItem } from '../core/items/commands.ts';
import { between, decodedItems } from '../core/items/query.ts';
import { auditKey, timedPlace } from './helpdesk-item.ts';

const KEPT_SEC = 400 * 86_400;
/** Sorts after every time. */
const LAST = '~';

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

export function createAuditTrail(db: Db, table: string, quarantine: ItemQuarantine): AuditTrail {
  const at = { db, table };
  return {
    async append(entry) {
      await putItem(at, auditItem(entry), IF_NEW);
    },

    async entries(workspaceId, { fromMs = 0, toMs, before }, limit) {
      const from = timedPlace(fromMs, '');
      const ends = [
        toMs === undefined ? LAST : timedPlace(toMs, ''),
        before === undefined ? LAST : timedPlace(before.atMs, before.id),
      ];
      const to = ends.sort()[0] ?? LAST;
      if (from >= to) return [];
      const decode = (item: Item) => decodeOrSetAside(DESK_AUDIT_ENTRY, item, quarantine);
      const wanted = { limit, forward: false, except: to, decode };
      return await decodedItems(at, { hash: workspaceId, range: between(from, to) }, wanted);
    },
  };
}

export const auditItem = (entry: HelpdeskAuditEntry) => ({
  ...auditKey(entry.workspaceId, entry.atMs, entry.id),
  f: formatOf(DESK_AUDIT_ENTRY),
  e: entry,
  ex: Math.ceil(entry.atMs / 1_000) + KEPT_SEC,
});
