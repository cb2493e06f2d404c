import type { AuditEntry } from './audit-entry.ts';

export interface AuditLog {
  appendAudit(entry: AuditEntry): Promise<void>;
  /** Newest first. */
  listAudit(merchantId: string, limit: number): Promise<readonly AuditEntry[]>;
}
