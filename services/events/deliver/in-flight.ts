// How many requests are under way at once. Guarantees: no request waits for a socket, which would be taken for a slow
// platform; the bodies under way fit the memory of the function; a platform that is not known to answer gets as many requests
// as it takes to open its circuit, and no more for there being many to send. One that answered this process within a minute
// gets all at once: each round of waiting for a platform is paid for.
import type { Width } from '#lib/adapters/concurrency/in-parallel.ts';
import { EVENT_LIMITS } from '#lib/events/domain/event/event.ts';
import type { Platform } from '#lib/events/platforms/platform.ts';
import { BREAKER_THRESHOLD } from './circuit/breaker.ts';

/** Connections served side by side within one batch of messages. */
export const JOBS_AT_ONCE = 4;
/** Requests of one job: a platform that takes one event each is waited for a hundred times in one batch of messages. */
const REQUESTS_MIN = 4;
const REQUESTS_MAX = 32;
/** Bodies of one job that are under way: a sixteenth of 512 MB. */
const BODIES_MAX_BYTES = 32 * 2 ** 20;

/** For one origin; jobs of one batch of messages may share it. */
export const SOCKETS_MAX = JOBS_AT_ONCE * REQUESTS_MAX;

/** As many as fit the memory when each is as large as the platform takes. `platforms`: that are sent to side by side. */
export function requestsAtOnceMax({ limits }: Pick<Platform, 'limits'>, platforms = 1): number {
  const largestBytes = Math.min(
    limits.bodySizeMaxBytes,
    limits.batchSizeMax * EVENT_LIMITS.eventSizeMaxBytes,
  );
  return Math.min(
    REQUESTS_MAX,
    Math.max(REQUESTS_MIN, Math.floor(BODIES_MAX_BYTES / platforms / largestBytes)),
  );
}

/**
 * `work` resolves to whether the platform answers: only then do more requests join those under way. `answered`: it did so
 * a moment ago.
 */
export function requestsAtOnce(
  platform: Pick<Platform, 'limits'>,
  answered: boolean,
  platforms = 1,
): Exclude<Width<boolean>, number> {
  const to = requestsAtOnceMax(platform, platforms);
  return { from: answered ? to : Math.min(to, BREAKER_THRESHOLD), to, grows: (answers) => answers };
}
