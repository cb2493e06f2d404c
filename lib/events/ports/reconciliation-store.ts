// Reconciliations and the parts of their orders as their users see them. Every method that writes is one write to one item,
// but for a part of several pieces: nobody looks for it before the job's own item names it.
import type { Reconciliation } from '../domain/reconciliation/reconciliation.ts';

/** Of one part: written once under each version of its job. */
export interface PartKey {
  readonly merchantId: string;
  readonly id: string;
  readonly part: number;
  readonly version: number;
}

export interface ReconciliationStore {
  /** False where there is one of this id. */
  createReconciliation(reconciliation: Reconciliation): Promise<boolean>;
  /** Consistent. */
  reconciliation(merchantId: string, id: string): Promise<Reconciliation | null>;
  /** Consistent, newest first; behind the one of the id `before`. */
  listReconciliations(merchantId: string, limit: number, before?: string): Promise<readonly Reconciliation[]>;
  /** The oldest of them that have expired. */
  expiredReconciliations(
    merchantId: string,
    nowMs: number,
    limit: number,
  ): Promise<readonly Reconciliation[]>;
  /** Writes `next`, under `seenVersion + 1`, if the stored version is still `seenVersion`. */
  writeReconciliation(next: Reconciliation, seenVersion: number): Promise<boolean>;
  putPart(key: PartKey, pieces: readonly string[]): Promise<void>;
  /** Consistent. Throws where a piece is missing. */
  readPart(key: PartKey, pieces: number): Promise<readonly string[]>;
  /** Deletes at most `limit` pieces of whatever version; true when none is left. */
  deleteParts(merchantId: string, id: string, limit: number): Promise<boolean>;
  /** The job itself. */
  deleteReconciliation(merchantId: string, id: string): Promise<void>;
}
