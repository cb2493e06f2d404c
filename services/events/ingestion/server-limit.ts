// How many events of servers are accepted of one merchant in a minute and in a UTC day: what the operator allows, so that one merchant
// can neither fill the tables and queues of all nor cost more in a day than is said (docs/capacity.md). Exceeded by at most 1/200 of
// the minute and 20 events of the day per process; a merchant below that costs no call. A batch is taken whole or refused whole. Where
// shares cannot be leased, events are taken: a limit is no reason to lose any.
import { createLeasedWindow, type LeasedWindow, type LeaseStore } from '#lib/core/work/leased-window.ts';
import { DAY_MS, MINUTE_MS } from '#lib/core/work/time-slot.ts';
import { countedInDay, EVENT_LIMITS } from '#lib/events/domain/event/event.ts';
import { type Suspicions, suspectLimit } from '#lib/events/pipeline/connections/suspicions.ts';
import type { ServerPorts } from './ports.ts';
import { type Answer, retryLater } from './replies.ts';

/** Of one merchant. */
export interface EventLimits {
  readonly eventsPerMinute: number;
  readonly eventsPerDay: number;
}

export interface ServerLimit {
  readonly minute: LeasedWindow;
  readonly day: LeasedWindow;
  /** What holds for all. */
  readonly most: EventLimits;
  /** Absent in models, which keep no incidents. */
  readonly suspicions?: Suspicions | undefined;
}

export const createServerLimit = (
  store: LeaseStore,
  most: EventLimits,
  suspicions?: Suspicions,
): ServerLimit => {
  const { batchEventsMax } = EVENT_LIMITS;
  return {
    minute: createLeasedWindow(store, {
      windowMs: MINUTE_MS,
      free: (limit) => Math.ceil(limit / 200),
      // A share is worth more than one full batch.
      share: (limit) => Math.max(batchEventsMax, Math.ceil(limit / 100)),
    }),
    // Many processes begin and end in a day: each may let a few pass, and takes what is left of its share with it.
    day: createLeasedWindow(store, {
      windowMs: DAY_MS,
      free: (limit) => Math.min(limit, 20),
      share: (limit) => Math.max(batchEventsMax, Math.ceil(limit / 20_000)),
    }),
    most,
    suspicions,
  };
};

/** The refusal, or null where the merchant may send them. `own`: what its key says instead of what holds for all. */
export async function refusedByLimit(
  own: { readonly merchantId: string } & Partial<EventLimits>,
  { events, sizeBytes }: { readonly events: number; readonly sizeBytes: number },
  { limit, clock, count }: Pick<ServerPorts, 'limit' | 'clock' | 'count'>,
): Promise<Answer | null> {
  const nowMs = clock.now();
  const { minute, day, most, suspicions } = limit;
  const { merchantId, eventsPerMinute = most.eventsPerMinute, eventsPerDay = most.eventsPerDay } = own;
  // The merchant's browser events are leased under its bare id. What the minute refuses uses up nothing of the day.
  for (const [window, id, wanted, max] of [
    [minute, `server|${merchantId}`, events, eventsPerMinute],
    [day, `day|${merchantId}`, countedInDay(events, sizeBytes), eventsPerDay],
  ] as const) {
    const wasExhausted = window.isExhausted(id, nowMs);
    try {
      const taken = await window.take(id, wanted, max, nowMs);
      const use = { used: window.used(id, max, nowMs), limit: max };
      if (suspicions !== undefined) await suspectLimit(suspicions, merchantId, 'server_events', use);
      if (taken === wanted) continue;
    } catch {
      count('event_limit_unknown');
      continue;
    }
    // Once per process and window.
    if (!wasExhausted) count('event_limit_reached');
    return retryLater('event_limit_reached', window.retryAfterSec(nowMs));
  }
  return null;
}
