import { type DynamoDBDocumentClient, PutCommand } from '@aws-sdk/lib-dynamodb';
import type { AuditEntry } from '../../../core/audit-log/audit-entry.ts';
import type { AuditLog } from '../../../core/audit-log/audit-log.ts';
import { auditKey } from './config-item.ts';
import { merchantItems } from './merchant-items.ts';

export function createAuditLog(db: DynamoDBDocumentClient, table: string): AuditLog {
  return {
    async appendAudit(entry) {
      await db.send(
        new PutCommand({
          TableName: table,
          Item: { ...auditKey(entry.merchantId, entry.atMs, entry.id), entry },
          ConditionExpression: 'attribute_not_exists(pk)',
        }),
      );
    },

    async listAudit(merchantId, limit) {
      const items = await merchantItems(db, table, merchantId, 'AUDIT#', { limit, forward: false });
      return items.map((item) => item.entry as AuditEntry);
    },
  };
}
