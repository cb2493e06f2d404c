// How many events of servers are accepted of one merchant in a minute: what the operator allows, so that one merchant cannot
// fill the tables and queues of all. Exceeded by at most 1/200 of it per process; a merchant below that costs no call. A batch
// is taken whole or refused whole. Where shares cannot be leased, events are taken: a limit is no reason to lose any.
import { createLeasedWindow, type LeasedWindow, type LeaseStore } from '#lib/core/work/leased-window.ts';
import { EVENT_LIMITS } from '#lib/events/domain/event/event.ts';
import { type Suspicions, suspectLimit } from '#lib/events/pipeline/connections/suspicions.ts';
import type { ServerPorts } from './ports.ts';
import { type Answer, retryLater } from './replies.ts';

const WINDOW_MS = 60_000;

export interface ServerLimit {
  readonly window: LeasedWindow;
  readonly eventsPerMinute: number;
  /** Absent in models, which keep no incidents. */
  readonly suspicions?: Suspicions | undefined;
}

export const createServerLimit = (
  store: LeaseStore,
  eventsPerMinute: number,
  suspicions?: Suspicions,
): ServerLimit => ({
  window: createLeasedWindow(store, {
    windowMs: WINDOW_MS,
    free: (limit) => Math.ceil(limit / 200),
    // A share is worth more than one full batch.
    share: (limit) => Math.max(EVENT_LIMITS.batchEventsMax, Math.ceil(limit / 100)),
  }),
  eventsPerMinute,
  suspicions,
});

/** The refusal, or null where the merchant may send so many more. `own`: what its key says instead of what holds for all. */
export async function refusedByLimit(
  { merchantId, eventsPerMinute: own }: { readonly merchantId: string; readonly eventsPerMinute?: number },
  events: number,
  { limit, clock, count }: Pick<ServerPorts, 'limit' | 'clock' | 'count'>,
): Promise<Answer | null> {
  const nowMs = clock.now();
  const { window, suspicions } = limit;
  const eventsPerMinute = own ?? limit.eventsPerMinute;
  // The merchant's browser events are leased under its bare id.
  const id = `server|${merchantId}`;
  const wasExhausted = window.isExhausted(id, nowMs);
  try {
    const taken = await window.take(id, events, eventsPerMinute, nowMs);
    const use = { used: window.used(id, eventsPerMinute, nowMs), limit: eventsPerMinute };
    if (suspicions !== undefined) await suspectLimit(suspicions, merchantId, 'server_events', use);
    if (taken === events) return null;
  } catch {
    count('event_limit_unknown');
    return null;
  }
  // Once per process and minute.
  if (!wasExhausted) count('event_limit_reached');
  return retryLater('event_limit_reached', window.retryAfterSec(nowMs));
}
