// When a platform stops taking an event.
import { deliveryWindowEndMs } from '../../../lib/events/domain/delivery-transition.ts';
import type { NormalizedEvent } from '../../../lib/events/domain/normalized-event.ts';
import { PlatformDefect } from '../../../lib/events/domain/platform-defect.ts';
import type { Platform } from '../../../lib/events/platforms/platform.ts';
import type { DeliverPorts } from './ports.ts';

type Ports = Pick<DeliverPorts, 'report'>;

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
