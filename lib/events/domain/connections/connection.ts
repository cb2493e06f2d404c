// A merchant's configured platform, and the snapshot of everything that decides where events are sent.
import type { Outage } from './outage.ts';

export interface Connection {
  readonly id: string;
  readonly merchantId: string;
  /** Platform slug, e.g. `meta`. */
  readonly platform: string;
  /** Its place among the merchant's connections to the platform (target.ts); absent: the first. */
  readonly slot?: string;
  readonly name: string;
  readonly status: 'active' | 'paused';
  /** Changes with every change except those of its circuit; 1 when created. */
  readonly revision: number;
  /** Why it is paused. */
  readonly pausedReason?: PauseReason;
  readonly pausedAtMs?: number;
  /** Set while calls keep failing; deliveries are parked meanwhile. New credentials remove it. */
  readonly circuit?: Circuit;
  /** Past outages, newest last. */
  readonly outages?: readonly Outage[];
  readonly createdAtMs: number;
  readonly updatedAtMs: number;
  /** First routing version it was part of: verdicts under an older one were for an earlier connection. */
  readonly sinceVersion: number;
  /** Encrypted under the merchant's data key; base64. */
  readonly sealedCredentials: string;
}

/**
 * `auth`: the platform refused the credentials, and new ones end the pause. `manual`: a member paused it, and only a
 * member ends that.
 */
export type PauseReason = 'auth' | 'manual';

/** An open circuit: the connection gets no events, except a few from time to time that test whether it works again. */
export interface Circuit {
  readonly openedAtMs: number;
  /** Probes so far. */
  readonly probes: number;
  /** The process that moves this time sends the next probe. */
  readonly nextProbeAtMs: number;
}

/**
 * Everything that decides where events are sent, at one version. Each change has the next number; a row keeps the
 * number it was decided under.
 */
export interface RoutingSnapshot {
  readonly merchantId: string;
  readonly version: number;
  readonly connections: readonly Pick<Connection, 'id' | 'platform' | 'slot'>[];
  /** As stored: an unreadable one is skipped when rules are applied, and nowhere else. */
  readonly rules: readonly unknown[];
}

/**
 * True if a delivery decided under `routingVersion` has lost its connection: it was removed, and the current one, if
 * any, was created later and starts with its own events.
 */
export function isWithdrawn(
  connection: Pick<Connection, 'sinceVersion'> | null | undefined,
  routingVersion: number,
): boolean {
  return connection == null || routingVersion < connection.sinceVersion;
}
