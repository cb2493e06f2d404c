// Until when a delivery is pursued, as reads show it: the platform's own limit, and ours where it ends before. Guarantees: of
// the event as rules changed it for the platform, which is what is sent; a change that this release cannot follow is reported
// and costs nobody the answer.

import { UnreadableItem } from '#lib/core/record/unreadable-item.ts';
import { DAY_MS } from '#lib/core/work/time-slot.ts';
import type { Connection } from '#lib/events/domain/connections/connection.ts';
import type { NormalizedEvent } from '#lib/events/domain/event/normalized-event.ts';
import type { NormalizedRow } from '#lib/events/domain/event/row.ts';
import { RETENTION_DAYS_MAX, retentionDaysOf } from '#lib/events/domain/merchant.ts';
import { windowOf } from '#lib/events/pipeline/acceptance-window.ts';
import { seenBy } from '#lib/events/pipeline/rules/rewrite.ts';
import { closedEvent } from '#lib/events/pipeline/sealed-event.ts';
import type { Platform } from '#lib/events/platforms/platform.ts';
import type { PlatformVerdict } from '../events/verdicts.ts';
import type { ApiPorts } from '../ports.ts';
import { iso } from '../wire-time.ts';

export interface ShownWindow {
  /** When the delivery ends by itself. */
  readonly window_closes_at: string;
  /** Absent where the platform names no limit. */
  readonly platform_takes_until?: string;
  /** Present where our limit comes before the platform's. */
  readonly we_try_until?: string;
}

export interface WindowReader {
  read(row: NormalizedRow, verdict: PlatformVerdict): ShownWindow;
  /** Until when it can be sent again: as long as the platform takes it and the merchant keeps it. */
  replayUntilMs(row: NormalizedRow, platform: Platform): number;
}

type Ports = Pick<ApiPorts, 'report'> & { readonly config: Pick<ApiPorts['config'], 'merchant'> };

/** For one request: pauses and changes are the merchant's connections as they are now. */
export async function createWindowReader(
  merchantId: string,
  connections: readonly Connection[],
  ports: Ports,
): Promise<WindowReader> {
  const retentionDays = await keptDays(merchantId, ports);
  const windowFor = (row: NormalizedRow, platform: Platform) => {
    const own = connections.filter((connection) => connection.platform === platform.slug);
    const changedAtMs = Math.max(0, ...own.map(({ updatedAtMs }) => updatedAtMs));
    return windowOf(
      sentEvent(closedEvent(row), platform, ports),
      platform,
      { changedAtMs, retentionDays },
      ports,
    );
  };
  return {
    read(row, { platform, code }) {
      const { platformEndsAtMs, windowEndsAtMs, keptUntilMs } = windowFor(row, platform);
      const endsAtMs = code === 'connection_paused' ? keptUntilMs : windowEndsAtMs;
      return {
        window_closes_at: iso(endsAtMs),
        ...(platformEndsAtMs === undefined ? {} : { platform_takes_until: iso(platformEndsAtMs) }),
        ...(endsAtMs === platformEndsAtMs ? {} : { we_try_until: iso(endsAtMs) }),
      };
    },
    replayUntilMs(row, platform) {
      const { platformEndsAtMs = Number.POSITIVE_INFINITY } = windowFor(row, platform);
      return Math.min(platformEndsAtMs, row.receivedAtMs + retentionDays * DAY_MS);
    },
  };
}

/** The longest where the profile cannot be read: what is shown of connections does not hang on it. */
async function keptDays(merchantId: string, { config, report }: Ports): Promise<number> {
  try {
    return retentionDaysOf((await config.merchant(merchantId)) ?? {});
  } catch (error) {
    if (!(error instanceof UnreadableItem)) throw error;
    report('a profile could not be read', error, { merchantId });
    return RETENTION_DAYS_MAX;
  }
}

function sentEvent(event: NormalizedEvent, { slug }: Platform, { report }: Ports): NormalizedEvent {
  try {
    return seenBy(slug, event);
  } catch (error) {
    report('an event could not be shown as its platform sees it', error, { platform: slug });
    return event;
  }
}
