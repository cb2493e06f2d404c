// What a merchant and a person may spend on the assistant. Guarantees: a request is counted once, before anything is asked of
// a provider; its tokens once, after; a day that is spent begins again at midnight UTC.
import type { Clock } from '../ports/clock.ts';
import { actorOf, type Caller } from '../tenancy/caller.ts';
import type { LeasedWindow } from '../work/leased-window.ts';
import { dayOf } from '../work/utc-day.ts';

/** Counters of a merchant's UTC day. */
export interface DailyBudget {
  /** Counts a request, unless as many were counted, or as many tokens spent, as the day has. */
  begin(merchantId: string, day: string, limit: DayLimit): Promise<boolean>;
  spend(merchantId: string, day: string, tokens: number): Promise<void>;
}

export interface DayLimit {
  readonly requests: number;
  readonly tokens: number;
}

export interface BudgetPorts {
  /** Windows of a minute. */
  readonly perMinute: Pick<LeasedWindow, 'take' | 'retryAfterSec'>;
  readonly perDay: DailyBudget;
  readonly limits: DayLimit & { readonly requestsPerMinute: number };
  readonly clock: Clock;
}

export type Budget =
  | { readonly ok: true; readonly day: string }
  | {
      readonly ok: false;
      readonly failure: 'rate_limited' | 'ai_limit_reached';
      readonly retryAfterSec: number;
    };

export async function beginRequest(caller: Caller, ports: BudgetPorts): Promise<Budget> {
  const { perMinute, perDay, limits, clock } = ports;
  const nowMs = clock.now();
  const person = `assistant|${caller.merchantId}|${actorOf(caller)}`;
  if ((await perMinute.take(person, 1, limits.requestsPerMinute, nowMs)) === 0)
    return { ok: false, failure: 'rate_limited', retryAfterSec: Math.ceil(perMinute.retryAfterSec(nowMs)) };
  const day = dayOf(nowMs);
  if (await perDay.begin(caller.merchantId, day, limits)) return { ok: true, day };
  const nextDayMs = Date.parse(`${day}T00:00:00Z`) + 86_400_000;
  return { ok: false, failure: 'ai_limit_reached', retryAfterSec: Math.ceil((nextDayMs - nowMs) / 1_000) };
}
