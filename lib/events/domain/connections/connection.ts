// A merchant's configured platform, and the snapshot of everything that decides where events go.
import type { Outage } from './outage.ts';

export interface Connection {
  readonly id: string;
  readonly merchantId: string;
  /** Platform slug, e.g. `meta`. */
  readonly platform: string;
  /** Its place among the merchant's connections to the platform (slot.ts); absent: the first. */
  readonly slot?: string;
  readonly name: string;
  readonly status: 'active' | 'paused';
  /** Moves with every change but those of its circuit; 1 when it was made. */
  readonly revision: number;
  /** Why it is paused. */
  readonly pausedReason?: PauseReason;
  readonly pausedAtMs?: number;
  /** Set while calls keep failing; deliveries are parked meanwhile. New credentials take it away. */
  readonly circuit?: Circuit;
  /** Those that are over, newest last. */
  readonly outages?: readonly Outage[];
  readonly createdAtMs: number;
  readonly updatedAtMs: number;
  /** First routing version it was part of: events decided under an older one were another connection's to deliver. */
  readonly sinceVersion: number;
  /** Encrypted under the merchant's data key; base64. */
  readonly sealedCredentials: string;
}

/** `auth`: the platform refused the credentials, and new ones end it. `manual`: somebody asked for it, and nobody else ends it. */
export type PauseReason = 'auth' | 'manual';

/** An open circuit: the connection is left alone, but for a few events now and then that show whether it works again. */
export interface Circuit {
  readonly openedAtMs: number;
  /** Probes so far. */
  readonly probes: number;
  /** Whoever moves it, sends the next one. */
  readonly nextProbeAtMs: number;
}

/** Everything that decides where events go, at one version. Each change has the next number; a row keeps the one it met. */
export interface RoutingSnapshot {
  readonly merchantId: string;
  readonly version: number;
  readonly connections: readonly Pick<Connection, 'id' | 'platform' | 'slot'>[];
  /** As they are stored: one that cannot be read is skipped where rules are followed, and nowhere else. */
  readonly rules: readonly unknown[];
}

/**
 * True when a delivery decided under `routingVersion` has lost its connection: it was removed, and the one there is now, if
 * any, was made later and starts with its own events.
 */
export function isWithdrawn(
  connection: Pick<Connection, 'sinceVersion'> | null | undefined,
  routingVersion: number,
): boolean {
  return connection == null || routingVersion < connection.sinceVersion;
}
