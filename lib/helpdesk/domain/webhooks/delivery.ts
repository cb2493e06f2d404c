/** One event on its way to one webhook. */
export interface Delivery {
  /** `<event id>.<webhook id>`: what was begun twice is one delivery. */
  readonly id: string;
  readonly workspaceId: string;
  readonly webhookId: string;
  readonly eventId: string;
  readonly type: string;
  /** What is signed and sent, byte for byte. */
  readonly payload: string;
  /** Made while its webhook could not be read: whether it wants the kind is asked when it can be. */
  readonly isUnasked?: true;
  readonly status: 'pending' | 'delivered' | 'failed' | 'cancelled' | 'test';
  /** Attempts that were made. */
  readonly attempts: number;
  /** Places of the retry table that are used up, by attempts and while its receiver rested; absent: as many as attempts. */
  readonly step?: number;
  /** While an attempt is being made: until when nobody else makes one. */
  readonly leaseUntilMs?: number | null;
  readonly lastStatus: number | null;
  readonly lastError: string | null;
  readonly lastLatencyMs: number | null;
  /** When the next one is due; null where there is none. */
  readonly nextAttemptAtMs: number | null;
  readonly createdAtMs: number;
  readonly updatedAtMs: number;
}
