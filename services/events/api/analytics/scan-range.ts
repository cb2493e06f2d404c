// The time range of a list, as asked for or as assumed.
import { type Failure, refuse } from '#lib/core/http/handler.ts';
import { DAY_MS } from '#lib/core/work/time-slot.ts';
import { LIST_LIMITS } from '#lib/events/routes/events.ts';

const DEFAULT_RANGE_MS = 30 * DAY_MS;

export interface AskedRange {
  readonly start?: number | undefined;
  readonly end?: number | undefined;
}

/** [fromMs, toMs), or why not. */
export function readRange(
  { start, end }: AskedRange,
  nowMs: number,
): { readonly fromMs: number; readonly toMs: number } | Failure<'invalid_request'> {
  const toMs = end ?? nowMs + 1;
  const fromMs = start ?? toMs - DEFAULT_RANGE_MS;
  if (fromMs >= toMs) return refuse('start', 'must be before end');
  if (toMs - fromMs > LIST_LIMITS.rangeMaxDays * DAY_MS)
    return refuse('start', `must be within ${LIST_LIMITS.rangeMaxDays} days before end`);
  return { fromMs, toMs };
}
