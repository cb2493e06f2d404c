// What is known of a webhook's receiver. Guarantees: written when it changes, and otherwise at most once a minute at
// any rate of deliveries; results from before the webhook was re-enabled or got another URL do not count.
import type { CircuitPolicy } from '#lib/core/work/circuit.ts';
import { growingWait } from '#lib/core/work/retry-policy.ts';
import type { Webhook, WebhookHealth } from './webhook.ts';

/** A webhook that fails for so long without a success is disabled. */
export const FAILING_MAX_MS = 120 * 3_600_000;
/** The receiver rests after this many attempts in a row that found no server, or one in trouble. */
export const CIRCUIT: CircuitPolicy = { threshold: 3, openMs: { minMs: 30_000, maxMs: 300_000 } };

/** While one attempt tests whether a receiver is back, no other attempt is made. Longer than an attempt. */
export const PROBE_MS = 20_000;
/** A newer time alone is written at most once a minute. */
const FRESH_MS = 60_000;

const UNKNOWN: WebhookHealth = {
  failingSinceMs: null,
  lastSuccessAtMs: null,
  lastFailureAtMs: null,
  restUntilMs: null,
};

/** The health since the webhook was created, re-enabled or got its URL. */
export function healthOf(webhook: Webhook, known: WebhookHealth | null): WebhookHealth {
  const health = known ?? UNKNOWN;
  const fromMs = webhook.judgedFromMs ?? webhook.createdAtMs;
  const isOld = (health.failingSinceMs ?? fromMs) < fromMs || (health.lastFailureAtMs ?? fromMs) < fromMs;
  return isOld ? { ...health, failingSinceMs: null, restUntilMs: null } : health;
}

/** After a success; null if no write is needed. */
export function afterSuccess(health: WebhookHealth, nowMs: number): WebhookHealth | null {
  const isNews =
    health.failingSinceMs !== null ||
    (health.restUntilMs ?? null) !== null ||
    isStale(health.lastSuccessAtMs, nowMs);
  return isNews ? { ...health, failingSinceMs: null, restUntilMs: null, lastSuccessAtMs: nowMs } : null;
}

/**
 * After a failure; null if no write is needed. `rests`: it is down and gets a rest, which grows the longer it fails.
 * `down`: it is down, without a rest. `lives`: it answered with a refusal.
 */
export function afterFailure(
  health: WebhookHealth,
  sign: 'rests' | 'down' | 'lives',
  nowMs: number,
): WebhookHealth | null {
  const failingSinceMs = health.failingSinceMs ?? nowMs;
  const failed = { ...health, failingSinceMs, lastFailureAtMs: nowMs };
  if (sign === 'rests')
    return {
      ...failed,
      restUntilMs: nowMs + growingWait({ share: 1 / 4, ...CIRCUIT.openMs }, nowMs - failingSinceMs),
    };
  const isAwake = sign === 'lives' && (health.restUntilMs ?? null) !== null;
  if (isAwake) return { ...failed, restUntilMs: null };
  return health.failingSinceMs === null || isStale(health.lastFailureAtMs, nowMs) ? failed : null;
}

export const hasFailedTooLong = ({ failingSinceMs }: WebhookHealth, nowMs: number): boolean =>
  failingSinceMs !== null && nowMs - failingSinceMs >= FAILING_MAX_MS;

const isStale = (atMs: number | null, nowMs: number): boolean => atMs === null || nowMs - atMs >= FRESH_MS;
