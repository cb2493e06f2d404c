// When the platform stops taking an event, as reads show it. Guarantees: of the event as rules changed it for the platform,
// which is what is sent; a change that this release cannot follow is reported and costs nobody the answer.
import type { NormalizedRow } from '../../../lib/events/domain/event-row.ts';
import type { NormalizedEvent } from '../../../lib/events/domain/normalized-event.ts';
import { windowEndMs } from '../../../lib/events/pipeline/acceptance-window.ts';
import { seenBy } from '../../../lib/events/pipeline/rules/rewrite.ts';
import { closedEvent } from '../../../lib/events/pipeline/sealed-event.ts';
import type { Platform } from '../../../lib/events/platforms/platform.ts';
import type { ApiPorts } from './ports.ts';
import { iso } from './wire-time.ts';

type Ports = Pick<ApiPorts, 'report'>;

export function shownWindow(row: NormalizedRow, platform: Platform, ports: Ports): string {
  return iso(windowEndMs(sentEvent(closedEvent(row), platform, ports), platform, ports));
}

function sentEvent(event: NormalizedEvent, { slug }: Platform, { report }: Ports): NormalizedEvent {
  try {
    return seenBy(slug, event);
  } catch (error) {
    report('an event could not be shown as its platform sees it', error, { platform: slug });
    return event;
  }
}
