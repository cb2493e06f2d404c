// What each platform's answer for a row is, as the API words it.

import type { Connection } from '../../../lib/events/domain/connection.ts';
import { type Delivery, type DeliveryState, TERMINAL_STATES } from '../../../lib/events/domain/delivery.ts';
import { type Verdict, verdictsOf } from '../../../lib/events/pipeline/verdicts.ts';
import type { Platform } from '../../../lib/events/platforms/platform.ts';
import type { EventRow } from '../../../lib/events/ports/event-store.ts';
import { ENDED, PROCESSING } from '../../../lib/events/routes/events.ts';
import { iso } from './wire-time.ts';

export interface PlatformVerdict {
  readonly platform: Platform;
  readonly code: Verdict['code'] | typeof PROCESSING;
  readonly detail?: string;
  /** Present when the platform is to have the event: absent ones of the row are QUEUED. */
  readonly state?: DeliveryState;
  readonly delivery?: Delivery;
}

export interface VerdictReader {
  /** One verdict per platform, in the registry's order. */
  read(row: EventRow): readonly PlatformVerdict[];
}

/** For one request: pauses are the merchant's connections as they are now. */
export function createVerdictReader(
  platforms: readonly Platform[],
  connections: readonly Connection[] = [],
): VerdictReader {
  const paused = new Map(connections.filter((c) => c.status === 'paused').map((c) => [c.platform, c]));
  return {
    read(row) {
      if (row.state === 'accepted') return platforms.map((platform) => ({ platform, code: PROCESSING }));
      const verdicts = verdictsOf(row, platforms);
      return platforms.map((platform) => {
        const verdict = verdicts[platform.slug] ?? { code: 'not_connected' as const };
        const delivery = row.deliveries[platform.slug];
        if (verdict.code !== 'pending') {
          // What was attempted is shown, even if the platform's rules have changed since.
          return {
            platform,
            ...verdict,
            ...(delivery === undefined ? {} : { state: delivery.state, delivery }),
          };
        }
        const state = delivery?.state ?? 'QUEUED';
        const pause = TERMINAL_STATES.has(state) ? undefined : paused.get(platform.slug);
        return {
          platform,
          state,
          ...(delivery === undefined ? {} : { delivery }),
          code: pause === undefined ? 'pending' : 'connection_paused',
          ...detailOf(pause?.pausedReason, row.heldUntilMs),
        };
      });
    },
  };
}

/** Why it waits: what paused the connection, or until when the event is held for its server copy. */
function detailOf(pausedReason: string | undefined, heldUntilMs: number | undefined): { detail?: string } {
  if (pausedReason !== undefined) return { detail: pausedReason };
  return heldUntilMs === undefined ? {} : { detail: iso(heldUntilMs) };
}

/** The verdict as one code: a delivery that is over says how it ended. */
export function verdictCode({
  code,
  state,
}: PlatformVerdict): Verdict['code'] | typeof PROCESSING | (typeof ENDED)[number] {
  return (code === 'pending' && ENDED.find((ended) => ended === state?.toLowerCase())) || code;
}

/** One sentence for a person. */
export function explain({ code, detail, state, delivery }: PlatformVerdict): string {
  const about = detail === undefined ? '' : ` (${detail})`;
  switch (code) {
    case 'processing':
      return 'The event is stored and has not been normalized yet.';
    case 'pending':
      if (detail !== undefined)
        return `The event waits for its server copy until ${detail}, and yields to it.`;
      return explainState(state ?? 'QUEUED', delivery?.reason);
    case 'not_connected':
      return 'The platform was not connected when the event came in.';
    case 'not_selected':
      return 'The event was sent again to other platforms only.';
    case 'connection_paused':
      return `The connection is paused${about}; the delivery waits until it is resumed or too old.`;
    case 'rule_excluded':
      return `A rule keeps the event from this platform${about}.`;
    case 'consent_denied':
      return `Consent was denied${about}.`;
    case 'invalid':
      return `The event lacks what the platform requires${about}.`;
    case 'unmapped':
      return `The platform has no use for this event name${about}.`;
    case 'too_old':
      return `The event was older than the platform accepts${about}.`;
    case 'server_copy':
      return 'The event yielded to its server copy, the event of the same event_id that came with an API key.';
    case 'bot':
      return 'The event came from a crawler or a headless browser.';
  }
}

function explainState(state: DeliveryState, reason: string | undefined): string {
  const because = reason === undefined ? '' : ` (${reason})`;
  switch (state) {
    case 'QUEUED':
      return 'The delivery waits for its first attempt.';
    case 'SENDING':
      return 'An attempt is under way.';
    case 'DELIVERED':
      return 'The platform took the event.';
    case 'RETRY':
      return `An attempt failed${because}; there will be another.`;
    case 'FAILED':
      return `The platform refused the event for good${because}.`;
    case 'ERROR':
      return `The attempts or the time for them ran out${because}.`;
    case 'SKIPPED':
      return `The delivery was withdrawn${because}.`;
  }
}
