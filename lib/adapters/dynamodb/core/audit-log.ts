// The audit trail on DynamoDB. Guarantees: no entry is written over; an intent is deleted after its entries are there.
import { DeleteCommand, type DynamoDBDocumentClient, PutCommand } from '@aws-sdk/lib-dynamodb';
import type { AuditEntry } from '../../../core/audit-log/audit-entry.ts';
import type { AuditIntents, AuditLog, AuditRange } from '../../../core/audit-log/audit-log.ts';
import { conditional } from './conditional.ts';
import { type AuditIntentPrefix, auditIntentKey, auditKey } from './config-item.ts';
import { merchantItems } from './merchant-items.ts';

/** Sorts after every time that has an entry. */
const LAST = '~';

export function createAuditLog(db: DynamoDBDocumentClient, table: string): AuditLog {
  const append = async (entry: AuditEntry): Promise<void> => {
    await conditional(
      db.send(
        new PutCommand({
          TableName: table,
          Item: { ...auditKey(entry.merchantId, entry.atMs, entry.id), entry },
          ConditionExpression: 'attribute_not_exists(pk)',
        }),
      ),
    );
  };
  const { forgetAudit, ...intents } = createAuditIntents(db, table, 'AUDITING#');
  return {
    appendAudit: append,

    async listAudit(merchantId, limit, range = {}) {
      const between = bounds(range);
      const items = await merchantItems(db, table, merchantId, 'AUDIT#', { limit, forward: false, between });
      return items.map((item) => item.entry as AuditEntry);
    },

    ...intents,

    async endAudit(intent, entries) {
      for (const entry of entries) await append(entry);
      await forgetAudit(intent);
    },
  };
}

export function createAuditIntents(
  db: DynamoDBDocumentClient,
  table: string,
  prefix: AuditIntentPrefix,
): AuditIntents {
  const keyOf = ({ merchantId, atMs, id }: AuditEntry) => auditIntentKey(prefix, merchantId, atMs, id);
  return {
    async beginAudit(intent) {
      await db.send(new PutCommand({ TableName: table, Item: { ...keyOf(intent), entry: intent } }));
    },

    async forgetAudit(intent) {
      await db.send(new DeleteCommand({ TableName: table, Key: keyOf(intent) }));
    },

    async openAudits(merchantId, beforeMs, limit) {
      const between = { from: '', to: timeOf(beforeMs) };
      const items = await merchantItems(db, table, merchantId, prefix, { limit, between });
      return items.map((item) => item.entry as AuditEntry);
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
