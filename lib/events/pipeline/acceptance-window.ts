// Until when an event is pursued at a platform.

import { PlatformDefect } from '../domain/connections/platform-defect.ts';
import { type DeliveryWindow, deliveryWindow, type WindowOf } from '../domain/deliveries/window.ts';
import type { NormalizedEvent } from '../domain/event/normalized-event.ts';
import type { Platform } from '../platforms/platform.ts';

interface Ports {
  readonly report: (problem: string, error: unknown) => void;
}

/** What besides the event decides how long: see `WindowOf`. */
export type Pursuit = Pick<WindowOf, 'changedAtMs' | 'retentionDays'>;

/** A platform whose code throws is asked for its general limit instead, and reported. */
export function windowOf(
  event: NormalizedEvent,
  platform: Platform,
  pursuit: Pursuit,
  ports: Ports,
): DeliveryWindow {
  const { eventTimeSec, receivedAtMs } = event;
  const ageMaxSec = ageMaxSecOf(platform, event, ports);
  return deliveryWindow({ eventTimeSec, receivedAtMs, ageMaxSec, ...pursuit });
}

function ageMaxSecOf(platform: Platform, event: NormalizedEvent, { report }: Ports): number {
  try {
    return platform.ageMaxSec?.(event) ?? platform.limits.ageMaxSec;
  } catch (error) {
    const defect = new PlatformDefect(platform.slug, 'ageMaxSec', error);
    report(defect.message, defect);
    return platform.limits.ageMaxSec;
  }
}
