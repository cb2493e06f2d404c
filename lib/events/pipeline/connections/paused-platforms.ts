// Connections to a platform that the operator has paused look as if a person had paused each: their deliveries are parked, and released
// once it goes on. Guarantees: no read for an event: a process looks once in ten seconds; where it cannot look nothing is sent.
import type { Clock } from '#lib/core/ports/clock.ts';
import type { Connection } from '../../domain/connections/connection.ts';
import { type PlatformPause, pauseOf } from '../../domain/connections/paused-platform.ts';
import type { ConnectionStore, PlatformPauseStore } from '../../ports/connection-store.ts';

const LOOKED_EVERY_MS = 10_000;

type Readers = Pick<ConnectionStore, 'connection' | 'connectionsOf'>;

export function withPausedPlatforms<Store extends Readers>(
  store: Store,
  { platformPauses }: Pick<PlatformPauseStore, 'platformPauses'>,
  clock: Clock,
): Store {
  let looked: { readonly atMs: number; readonly pauses: Promise<readonly PlatformPause[]> } | undefined;
  const pausesNow = (): Promise<readonly PlatformPause[]> => {
    const nowMs = clock.now();
    if (looked !== undefined && nowMs - looked.atMs < LOOKED_EVERY_MS) return looked.pauses;
    const look = { atMs: nowMs, pauses: platformPauses() };
    looked = look;
    // Who asks next looks again.
    look.pauses.catch(() => {
      if (looked === look) looked = undefined;
    });
    return look.pauses;
  };
  const connectionsOf: Readers['connectionsOf'] = async (merchantId) => {
    const [at, pauses] = await Promise.all([store.connectionsOf(merchantId), pausesNow()]);
    return (slot) => asPaused(at(slot), pauses);
  };
  return {
    ...store,
    connectionsOf,
    connection: async (merchantId, slot) => (await connectionsOf(merchantId))(slot),
  };
}

function asPaused(connection: Connection | null, pauses: readonly PlatformPause[]): Connection | null {
  if (connection === null || pauseOf(pauses, connection.platform) === undefined) return connection;
  return { ...connection, status: 'paused', pausedReason: 'manual' };
}
