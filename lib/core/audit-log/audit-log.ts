// Guarantees: an entry is put once and never written over; what was begun and not ended stays to be found.
import type { AuditEntry } from './audit-entry.ts';

/** Newest first, between these times. */
export interface AuditRange {
  /** At or after, ms. */
  readonly fromMs?: number | undefined;
  /** Before, ms. */
  readonly toMs?: number | undefined;
  /** Entries older than this one. */
  readonly before?: Pick<AuditEntry, 'atMs' | 'id'> | undefined;
}

/** What is about to be done, of one product; for those whose entries lie elsewhere. */
export interface AuditIntents extends Pick<AuditLog, 'beginAudit' | 'openAudits'> {
  /** It has ended, and its entries are written. */
  forgetAudit(intent: AuditEntry): Promise<void>;
}

export interface AuditLog {
  /** Nothing is written where the merchant has an entry of this time and id. */
  appendAudit(entry: AuditEntry): Promise<void>;
  listAudit(merchantId: string, limit: number, range?: AuditRange): Promise<readonly AuditEntry[]>;
  /** Writes down what is about to be done, before it is: its entry, should nothing else be heard of it. */
  beginAudit(intent: AuditEntry): Promise<void>;
  /** Writes the entries that came of it, and then forgets the intent. */
  endAudit(intent: AuditEntry, entries: readonly AuditEntry[]): Promise<void>;
  /** Begun before this time and not ended: oldest first. */
  openAudits(merchantId: string, beforeMs: number, limit: number): Promise<readonly AuditEntry[]>;
}
