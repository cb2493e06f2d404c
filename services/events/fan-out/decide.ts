// Which platforms get a pointer to a row now. Pure.

import { platformOf } from '#lib/events/domain/connections/target.ts';
import type { Delivery } from '#lib/events/domain/deliveries/delivery.ts';
import { isAskDue, isParked, isSendable, targetsOf } from '#lib/events/domain/deliveries/progress.ts';
import type { NormalizedRow } from '#lib/events/domain/event/row.ts';
import type { Platform } from '#lib/events/platforms/platform.ts';

export interface FanOutDecision {
  /** Slugs to send a pointer to. */
  readonly send: readonly string[];
  /** Slugs of targets that exist no more: their deliveries are to be ended. */
  readonly gone: readonly string[];
}

/**
 * Parked deliveries are included: the deliver stage checks the connection, and leaves them parked if it does not work
 * yet. `unattempted`: platforms without an attempt are included as well. Without it only those whose retry is due: a
 * first request of another platform may still be in progress.
 */
export function fanOutRow(
  row: NormalizedRow,
  platforms: readonly Platform[],
  unattempted: boolean,
  nowMs: number,
): FanOutDecision {
  const known = new Set(platforms.map(({ slug }) => slug));
  const targets = targetsOf(row);
  return {
    send: targets.filter((slug) => {
      const delivery = row.deliveries[slug];
      return (
        known.has(platformOf(slug)) &&
        (delivery === undefined ? unattempted : isDueOrParked(delivery, nowMs) || isAskDue(delivery, nowMs))
      );
    }),
    gone: targets.filter(
      (slug) => !known.has(platformOf(slug)) && isDueOrParked(row.deliveries[slug], nowMs),
    ),
  };
}

const isDueOrParked = (delivery: Delivery | undefined, nowMs: number): boolean =>
  isSendable(delivery, nowMs) || isParked(delivery);
