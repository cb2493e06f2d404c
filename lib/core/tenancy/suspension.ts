// Merchants whom the operator of the deployment has suspended: their keys, members and pages are refused, what was accepted before
// goes on. It stands beside the profile, where no merchant changes it; keys carry it as well, so that a request with a key reads
// nothing else.
import type { ApiKeyRecord } from './api-key.ts';

export interface Suspension {
  readonly atMs: number;
  /** As the audit trail names callers. */
  readonly by: string;
  /** In the operator's words; merchants are not shown it. */
  readonly reason: string;
  /** Absent: the merchant stays. One that was begun is never taken back. */
  readonly removal?: Removal;
}

export interface Removal {
  readonly atMs: number;
  /** As the audit trail names callers. */
  readonly by: string;
  /** Absent: it was begun, and the same command finishes it. */
  readonly doneAtMs?: number;
}

/** What the operator has said, as the keys of a merchant carry it. */
export type KeyMarks = Pick<ApiKeyRecord, 'suspendedAtMs' | 'eventsPerMinute' | 'eventsPerDay'>;

export interface SuspensionStore {
  /** The one that holds then, and whether this call began it; null where there is no merchant. Keys are marked apart. */
  suspend(
    merchantId: string,
    suspension: Suspension,
  ): Promise<{ readonly suspension: Suspension; readonly isNew: boolean } | null>;
  /** Whether this call ended one; null where there is no merchant. What is being removed stays suspended. */
  resume(merchantId: string): Promise<boolean | null>;
  /** The removal of a suspended merchant that holds then; null where it is not suspended. */
  beginRemoval(merchantId: string, removal: Removal): Promise<Removal | null>;
  /** Takes what is personal out of the profile, once nothing of the merchant is left that opens anything. Whether this call did. */
  endRemoval(merchantId: string, nowMs: number): Promise<boolean>;
  /**
   * Has every key of every product carry what the profile says at the end, whatever else changes it meanwhile; each is 16 writes.
   * `beingMade`: keys that are about to be there, and may have read the profile before: mark them once more in a minute.
   */
  markKeys(merchantId: string, nowMs: number): Promise<{ readonly keys: number; readonly beingMade: number }>;
}
