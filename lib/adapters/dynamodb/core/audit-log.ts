// The audit trail on DynamoDB. Guarantees: no entry is written over; an intent is deleted after its entries are there.

import { type AuditEntry, STORED_AUDIT_ENTRY } from '#lib/core/audit-log/audit-entry.ts';
import type { AuditIntents, AuditLog, AuditRange } from '#lib/core/audit-log/audit-log.ts';
import { defineKind } from '#lib/core/record/define-kind.ts';
import { decodeOrSetAside, formatAttribute, type Item } from '#lib/core/record/stored-item.ts';
import type { ItemQuarantine } from '#lib/core/record/unreadable-item.ts';
import { type Db, deleteItem, IF_NEW, putItem } from './items/commands.ts';
import { type AuditIntentPrefix, auditIntentKey, auditKey } from './items/config-item.ts';
import { merchantItems } from './tenancy/merchant-items.ts';

/** Sorts after every time that has an entry. */
const LAST = '~';

export const AUDIT_ENTRY = defineKind<AuditEntry>({
  what: 'audit entry',
  table: 'config',
  key: { pk: 'M#{merchant}', sk: 'AUDIT#{at}#{id}' },
  attribute: 'entry',
  schema: STORED_AUDIT_ENTRY,
  personal: ['actor', 'request'],
  whenUnreadable: 'left out',
  meaning: 'The audit log is listed without it.',
});

/** What is about to be done, until it has an entry. */
const intentKind = (what: string, prefix: AuditIntentPrefix) =>
  defineKind<AuditEntry>({
    ...AUDIT_ENTRY,
    what,
    key: { pk: 'M#{merchant}', sk: `${prefix}{at}#{id}` },
    meaning: 'The sweep closes the others and leaves it where it is.',
  });
export const AUDIT_INTENT = intentKind('open audit entry', 'AUDITING#');
export const DESK_AUDIT_INTENT = intentKind('open audit entry of the helpdesk', 'DESK_AUDITING#');

export function createAuditLog(db: Db, table: string, quarantine: ItemQuarantine = () => {}): AuditLog {
  const config = { db, table };
  const decode = (item: Item) => decodeOrSetAside(AUDIT_ENTRY, item, quarantine);
  const append = async (entry: AuditEntry): Promise<void> => {
    const key = auditKey(entry.merchantId, entry.atMs, entry.id);
    await putItem(config, { ...key, ...formatAttribute(AUDIT_ENTRY), entry }, IF_NEW);
  };
  const { forgetAudit, ...intents } = createAuditIntents(db, table, 'AUDITING#', quarantine);
  return {
    appendAudit: append,

    async listAudit(merchantId, limit, range = {}) {
      const options = { limit, forward: false, within: bounds(range), decode };
      return await merchantItems(config, merchantId, 'AUDIT#', options);
    },

    ...intents,

    async endAudit(intent, entries) {
      for (const entry of entries) await append(entry);
      await forgetAudit(intent);
    },
  };
}

export function createAuditIntents(
  db: Db,
  table: string,
  prefix: AuditIntentPrefix,
  quarantine: ItemQuarantine = () => {},
): AuditIntents {
  const config = { db, table };
  const kind = prefix === 'AUDITING#' ? AUDIT_INTENT : DESK_AUDIT_INTENT;
  const decode = (item: Item) => decodeOrSetAside(kind, item, quarantine);
  const keyOf = ({ merchantId, atMs, id }: AuditEntry) => auditIntentKey(prefix, merchantId, atMs, id);
  return {
    async beginAudit(intent) {
      await putItem(config, { ...keyOf(intent), ...formatAttribute(kind), entry: intent });
    },

    async forgetAudit(intent) {
      await deleteItem(config, keyOf(intent));
    },

    async openAudits(merchantId, beforeMs, limit) {
      const within = { from: '', to: timeOf(beforeMs) };
      return await merchantItems(config, merchantId, prefix, { limit, within, decode });
    },
  };
}

const timeOf = (atMs: number): string => new Date(atMs).toISOString();

/** What follows the prefix in the sort keys, `to` excluded. An entry's time is followed by `#`. */
function bounds({ fromMs, toMs, before }: AuditRange): { readonly from: string; readonly to: string } {
  const ends = [
    toMs === undefined ? LAST : timeOf(toMs),
    before === undefined ? LAST : `${timeOf(before.atMs)}#${before.id}`,
  ];
  return { from: fromMs === undefined ? '' : timeOf(fromMs), to: ends.sort()[0] ?? LAST };
}
