// When the table may delete what is stored of an event: long after its last use. Guarantees: never before the last
// platform stops taking the event, nor before the longest retention that a merchant of this deployment can choose, now
// or later; where rows leave for pages, not before they should long lie there. DynamoDB may delete late, and a laptop not at all:
// no code relies on deletion.

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

/** How long rows and batches are stored. */
export interface Keeping {
  /** The maximum that the operator lets a merchant choose. */
  readonly retentionDays?: number | undefined;
  /** Rows leave for pages (0079): what is written of one in its first week expires soon. Absent: no row does. */
  readonly now?: (() => number) | undefined;
}

/** From then on what is written of a row is written because it is not over, and stays. */
export const YOUNG_MS = 7 * DAY_MS;
/** An archive that is late has four days until the table deletes nothing any more. */
export const ROW_MS = 12 * DAY_MS;
/** Behind their rows, however late those are deleted: without its batch a row looks as if it was never sent. */
const BATCH_MS = 19 * DAY_MS;

/** When an item written now expires, seconds. Of batches: `receivedAtMs` is the end of their bucket. */
export function itemExpirySec(
  receivedAtMs: number,
  { retentionDays, now }: Keeping = {},
  of: 'row' | 'batch' = 'row',
): number {
  if (now === undefined || now() >= receivedAtMs + YOUNG_MS) return expirySec(receivedAtMs, retentionDays);
  return Math.ceil((receivedAtMs + (of === 'row' ? ROW_MS : BATCH_MS)) / 1_000);
}

/** Seconds, as the table's time to live takes them. */
export const expirySec = (receivedAtMs: number, retentionDays?: number): number =>
  Math.ceil((receivedAtMs + rowsKeptMs(retentionDays)) / 1_000);
