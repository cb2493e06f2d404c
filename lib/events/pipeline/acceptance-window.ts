// When a platform stops taking an event.
import { deliveryWindowEndMs } from '../domain/delivery-transition.ts';
import type { NormalizedEvent } from '../domain/normalized-event.ts';
import { PlatformDefect } from '../domain/platform-defect.ts';
import type { Platform } from '../platforms/platform.ts';

interface Ports {
  readonly report: (problem: string, error: unknown) => void;
}

/** A platform whose code throws is asked for its general limit instead, and reported. */
export function windowEndMs(event: NormalizedEvent, platform: Platform, ports: Ports): number {
  return deliveryWindowEndMs(event.eventTimeSec, event.receivedAtMs, ageMaxSecOf(platform, event, ports));
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
