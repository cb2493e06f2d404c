// When the table may delete what is stored of an event: long after anybody does anything with it. Guarantees: never before the
// last platform stops taking the event, nor before the longest retention that a merchant of this deployment can choose, now
// or later. Deletion may come late, or not at all on a laptop: nobody relies on it.
import { RETENTION_DAYS_MAX } from '#lib/core/tenancy/merchant.ts';
import { DAY_MS } from '#lib/core/work/time-slot.ts';

/** Longer than any platform takes an event (90 days), and than plans of replays reach back. */
export const ROWS_KEPT_DAYS_MIN = 100;
/** For what is told late: counts, jobs that are under way, a deployment that stood still. */
const MARGIN_DAYS = 35;

/** For how long a row is there at least. `retentionDays`: the most that the operator lets a merchant choose. */
export const rowsKeptMs = (retentionDays: number = RETENTION_DAYS_MAX): number =>
  (Math.max(retentionDays, ROWS_KEPT_DAYS_MIN) + MARGIN_DAYS) * DAY_MS;

/** Of every row whatever the setting is or was: before that none was ever deleted. */
export const ROWS_KEPT_MIN_MS = rowsKeptMs(0);

/** Seconds, as the table's time to live takes them. */
export const expirySec = (receivedAtMs: number, retentionDays?: number): number =>
  Math.ceil((receivedAtMs + rowsKeptMs(retentionDays)) / 1_000);
