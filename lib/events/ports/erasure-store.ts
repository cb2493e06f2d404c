// Erasures and their receipts as their users see them. Every method that writes is one conditional write to one item.
import type { Erasure } from '../domain/erasure/erasure.ts';

export interface ErasureStore {
  /** False where there is one of this id. */
  createErasure(erasure: Erasure): Promise<boolean>;
  /** Consistent. */
  erasure(merchantId: string, id: string): Promise<Erasure | null>;
  /** Consistent, newest first; behind the one of the id `before`. */
  listErasures(merchantId: string, limit: number, before?: string): Promise<readonly Erasure[]>;
  /** The oldest of them that have expired. */
  expiredErasures(merchantId: string, nowMs: number, limit: number): Promise<readonly Erasure[]>;
  /** Writes `next`, under `seenVersion + 1`, if the stored version is still `seenVersion`. */
  writeErasure(next: Erasure, seenVersion: number): Promise<boolean>;
  deleteErasure(merchantId: string, id: string): Promise<void>;
}
