/** One event on its way to one webhook. */
export interface Delivery {
  /** `<event id>.<webhook id>`: creating it twice gives one delivery. */
  readonly id: string;
  readonly workspaceId: string;
  readonly webhookId: string;
  readonly eventId: string;
  readonly type: string;
  /** What is signed and sent, byte for byte. */
  readonly payload: string;
  /** Made while its webhook could not be read: whether the webhook wants this kind is checked once it can be read. */
  readonly isUnasked?: true;
  readonly status: 'pending' | 'delivered' | 'failed' | 'cancelled' | 'test';
  /** Attempts that were made. */
  readonly attempts: number;
  /** Places of the retry table that are used up, by attempts and while its receiver rested; absent: as many as attempts. */
  readonly step?: number;
  /** While an attempt is being made: until when no other worker makes one. */
  readonly leaseUntilMs?: number | null;
  readonly lastStatus: number | null;
  readonly lastError: string | null;
  readonly lastLatencyMs: number | null;
  /** When the next attempt is due; null if none is. */
  readonly nextAttemptAtMs: number | null;
  readonly createdAtMs: number;
  readonly updatedAtMs: number;
}
