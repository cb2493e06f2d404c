// Deliveries that wait for a connection: when they may be sent, and how.
// Nothing is marked for release. Two facts are stored: that a connection works, and that rows are parked for it. Every
// sweep compares both facts, so a crash cannot lose a release.
import type { MessageSender } from '#lib/core/ports/queue.ts';
import { probeDueSince } from '#lib/core/work/circuit.ts';
import { type Connection, pauseProbeMs } from '../../domain/connections/connection.ts';
import { platformOf } from '../../domain/connections/target.ts';
import type { Platform } from '../../platforms/platform.ts';
import type { ConnectionStore } from '../../ports/connection-store.ts';
import { eventsPerMinute } from '../connections/pace.ts';
import type { DueSource, Pointer } from './due-source.ts';
import { sendApart } from './send-apart.ts';

export interface ReleasePorts {
  readonly config: Pick<ConnectionStore, 'connection'>;
  /** One queue per platform slug; null for a platform that was removed from the code. */
  readonly deliveries: (platform: string) => MessageSender<Pointer & { readonly platform: string }> | null;
  /** For deliveries to platforms without a queue: fan-out ends them. */
  readonly normalized: MessageSender<Pointer>;
  /** For their quotas. */
  readonly platforms: readonly Platform[];
  readonly report: (problem: string, error: unknown) => void;
}

export const platformsOf = (parkedFor: string): readonly string[] => parkedFor.split('+');

/** True if nothing keeps deliveries back. Those of a removed connection are sent as well, so that they end. */
export function isReleased(connection: Connection | null): boolean {
  return connection === null || (connection.status === 'active' && connection.circuit === undefined);
}

/** More a minute is what a release takes by itself. */
const PACED_BELOW = 76_800;

/** Events a minute that are worth releasing to this place, where its platform's quota says so; undefined: as many as a release takes. */
export function releasedPerMinute(
  place: string,
  { platforms }: Pick<ReleasePorts, 'platforms'>,
): number | undefined {
  const platform = platforms.find(({ slug }) => slug === platformOf(place));
  const events = platform === undefined ? Number.POSITIVE_INFINITY : eventsPerMinute(platform);
  return events < PACED_BELOW ? events : undefined;
}

export const isPaced = (place: string, ports: Pick<ReleasePorts, 'platforms'>): boolean =>
  releasedPerMinute(place, ports) !== undefined;

export function isProbeDue(connection: Connection | null, nowMs: number): boolean {
  if (connection === null) return false;
  const { status, circuit } = connection;
  const atMs = status === 'active' ? circuit?.nextProbeAtMs : pauseProbeMs(connection);
  return probeDueSince(atMs, nowMs) !== null;
}

/** Sends pointers to the platforms' queues directly: fan-out would only read everything again. */
export async function sendParked<Key>(
  source: DueSource<Key>,
  keys: readonly Key[],
  platforms: readonly string[],
  { deliveries, normalized, report }: Omit<ReleasePorts, 'config' | 'platforms'>,
): Promise<void> {
  if (keys.length === 0) return;
  const messages = source.pointers(keys);
  for (const platform of platforms) {
    const queue = deliveries(platformOf(platform));
    if (queue === null) await sendApart(normalized, messages, report);
    else
      await sendApart(
        queue,
        messages.map((body) => ({ ...body, platform })),
        report,
      );
  }
}
