// The time range of a list, as asked for or as assumed.
import { type Failure, refuse } from '#lib/core/http/handler.ts';
import { DAY_MS } from '#lib/core/work/time-slot.ts';
import { startOfDay } from '#lib/events/domain/time-zone.ts';
import { LIST_LIMITS } from '#lib/events/routes/events.ts';
import type { Moment } from '#lib/events/routes/instant.ts';
import type { ApiPorts } from '../ports.ts';
import { zoneOf } from './span.ts';

const DEFAULT_RANGE_MS = 30 * DAY_MS;

/** A day begins when it does in the merchant's time zone. */
export interface AskedMoments {
  readonly start?: Moment | undefined;
  readonly end?: Moment | undefined;
}

export interface AskedRange {
  readonly start: number | undefined;
  readonly end: number | undefined;
}

/** [fromMs, toMs), or why not. */
export function readRange(
  { start, end }: Partial<AskedRange>,
  nowMs: number,
): { readonly fromMs: number; readonly toMs: number } | Failure<'invalid_request'> {
  const toMs = end ?? nowMs + 1;
  const fromMs = start ?? toMs - DEFAULT_RANGE_MS;
  if (fromMs >= toMs) return refuse('start', 'must be before end');
  if (toMs - fromMs > LIST_LIMITS.rangeMaxDays * DAY_MS)
    return refuse('start', `must be within ${LIST_LIMITS.rangeMaxDays} days before end`);
  return { fromMs, toMs };
}

/** In milliseconds. */
export async function momentsIn(
  merchantId: string,
  { start, end }: AskedMoments,
  ports: Pick<ApiPorts, 'config'>,
): Promise<AskedRange> {
  if (typeof start !== 'object' && typeof end !== 'object') return { start, end };
  const zone = await zoneOf(merchantId, ports);
  const msOf = (moment: Moment | undefined): number | undefined =>
    typeof moment === 'object' ? startOfDay(zone, moment.day) : moment;
  return { start: msOf(start), end: msOf(end) };
}

/** [fromMs, toMs) of a list, or why not. */
export const rangeFor = async (
  merchantId: string,
  asked: AskedMoments,
  ports: Pick<ApiPorts, 'config' | 'clock'>,
): Promise<ReturnType<typeof readRange>> =>
  readRange(await momentsIn(merchantId, asked, ports), ports.clock.now());
