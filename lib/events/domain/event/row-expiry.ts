// When the table may delete what is stored of an event: long after its last use. Guarantees: never before the last
// platform stops taking the event, nor before the longest retention that a merchant of this deployment can choose, now
// or later. DynamoDB may delete late, and a laptop not at all: no code relies on deletion.

import { DAY_MS } from '#lib/core/work/time-slot.ts';
import { RETENTION_DAYS_MAX } from '#lib/events/domain/merchant.ts';

/** Longer than any platform takes an event (90 days), and than replay plans reach back. */
export const ROWS_KEPT_DAYS_MIN = 100;
/** For late work: counts, running jobs, a deployment that was down. */
const MARGIN_DAYS = 35;

/** The shortest time a row is stored. `retentionDays`: the maximum that the operator lets a merchant choose. */
export const rowsKeptMs = (retentionDays: number = RETENTION_DAYS_MAX): number =>
  (Math.max(retentionDays, ROWS_KEPT_DAYS_MIN) + MARGIN_DAYS) * DAY_MS;

/** Holds for every row under any past or present setting: no row was deleted earlier. */
export const ROWS_KEPT_MIN_MS = rowsKeptMs(0);

/**
 * An order is remembered while any event of it may be: until then they are listed, recounted and refunded, and a later report
 * does not count once more.
 */
export const ORDER_KEPT_MS = rowsKeptMs();

/** Seconds, as the table's time to live takes them. */
export const expirySec = (receivedAtMs: number, retentionDays?: number): number =>
  Math.ceil((receivedAtMs + rowsKeptMs(retentionDays)) / 1_000);
