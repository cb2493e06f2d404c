// How long a delivery is pursued: as long as the platform takes the event, and no longer than two limits of ours.
// Attempts at a failing platform cost calls and end after a week. Waiting for a paused connection costs nothing, and
// lasts as long as the merchant keeps the event. Pure.
import { RETENTION_DAYS_DEFAULT } from '#lib/events/domain/merchant.ts';

/** No platform is tried for longer than this after receipt, or after its connection was last changed. */
export const TRIED_MAX_SEC = 7 * 86_400;
/** No delivery waits longer than this after receipt, even if the platform and the merchant's retention allow more. */
export const KEPT_MAX_SEC = RETENTION_DAYS_DEFAULT * 86_400;

export interface DeliveryWindow {
  /** When the platform stops taking the event; absent: it documents no limit. */
  readonly platformEndsAtMs?: number;
  /** The last time of an attempt. */
  readonly windowEndsAtMs: number;
  /** How long it waits for a paused connection. */
  readonly keptUntilMs: number;
}

export interface WindowOf {
  readonly eventTimeSec: number;
  readonly receivedAtMs: number;
  /** 0: the platform documents no limit. */
  readonly ageMaxSec: number;
  /**
   * When the connection was last changed: new credentials are tried for a week on all deliveries that waited for them.
   * Absent: at or before the receipt.
   */
  readonly changedAtMs?: number | undefined;
  /** Whole days for which the merchant keeps personal data; absent: the default. */
  readonly retentionDays?: number | undefined;
}

export function deliveryWindow(of: WindowOf): DeliveryWindow {
  const { eventTimeSec, receivedAtMs, ageMaxSec, changedAtMs = 0, retentionDays } = of;
  const platformEndsAtMs = ageMaxSec === 0 ? Number.POSITIVE_INFINITY : (eventTimeSec + ageMaxSec) * 1_000;
  const keptMaxSec = Math.min(KEPT_MAX_SEC, (retentionDays ?? RETENTION_DAYS_DEFAULT) * 86_400);
  const keptUntilMs = receivedAtMs + keptMaxSec * 1_000;
  const triedMs = TRIED_MAX_SEC * 1_000;
  const triedUntilMs = Math.max(receivedAtMs + triedMs, Math.min(changedAtMs + triedMs, keptUntilMs));
  return {
    ...(ageMaxSec === 0 ? {} : { platformEndsAtMs }),
    windowEndsAtMs: Math.min(platformEndsAtMs, triedUntilMs),
    keptUntilMs: Math.min(platformEndsAtMs, keptUntilMs),
  };
}

/** The window with the merchant's retention, if that could be read; else unchanged. */
export function retained(
  window: DeliveryWindow,
  receivedAtMs: number,
  retentionDays: number | undefined,
): DeliveryWindow {
  if (retentionDays === undefined) return window;
  return {
    ...window,
    keptUntilMs: Math.min(window.keptUntilMs, receivedAtMs + retentionDays * 86_400_000),
  };
}

/**
 * `window_closed`: the platform no longer takes it. `gave_up`: the platform does, but our own limit ended the delivery.
 */
export function overReason(
  { platformEndsAtMs = Number.POSITIVE_INFINITY }: DeliveryWindow,
  endsAtMs: number,
): 'window_closed' | 'gave_up' {
  return endsAtMs < platformEndsAtMs ? 'gave_up' : 'window_closed';
}
