// Whether to try a webhook's receiver now. A receiver that was down several times in a row rests: its deliveries are
// moved on without an attempt, and after the rest a single attempt, across all processes, tests whether it is back.
// Guarantees: a receiver that is down costs an invocation one round of attempts, and then one attempt per rest; one
// that was down a moment ago gets one attempt at a time; one that refuses some events never rests; its health is
// written when it changes, and otherwise at most once a minute.

import { type FailureStreaks, openUntil, probeDueSince } from '#lib/core/work/circuit.ts';
import type { AttemptOutcome } from '#lib/core/work/retry-policy.ts';
import { isDown } from '#lib/helpdesk/domain/webhooks/delivery-attempt.ts';
import {
  afterFailure,
  afterSuccess,
  CIRCUIT,
  hasFailedTooLong,
  healthOf,
  PROBE_MS,
} from '#lib/helpdesk/domain/webhooks/health.ts';
import type { Webhook, WebhookHealth } from '#lib/helpdesk/domain/webhooks/webhook.ts';
import { disableWebhook } from './disable.ts';
import type { WebhookPorts } from './ports.ts';

/**
 * The result of a try: `done`: an attempt was made, with any outcome; `restUntilMs`: it rests; `disabled`: it was
 * disabled in the meantime.
 */
export type Tried = 'done' | 'disabled' | { readonly restUntilMs: number };

export interface Receiver {
  readonly webhook: Webhook;
  /**
   * An `attempt` that resolves to null made none. `isLast`: try even while the receiver rests, because this is the
   * delivery's last chance.
   */
  readonly tryOnce: (isLast: boolean, attempt: Attempt) => Promise<Tried>;
}
type Attempt = () => Promise<AttemptOutcome | null>;

export async function openReceiver(
  workspaceId: string,
  webhook: Webhook,
  ports: WebhookPorts,
  failureStreaks: FailureStreaks,
): Promise<Receiver> {
  const { stores, clock } = ports;
  const read = async () => healthOf(webhook, await stores.health.readHealth(workspaceId, webhook.id));
  let health = await read();
  let isDisabled = false;
  const underWay = new Set<Promise<unknown>>();

  /** Other processes write it as well: decide again on the stored health, then write at once. */
  const write = async (next: (found: WebhookHealth) => WebhookHealth | null): Promise<void> => {
    if (next(health) === null) return;
    const found = await read();
    const written = next(found);
    health = written ?? found;
    if (written !== null) await stores.health.putHealth(workspaceId, webhook.id, written);
  };

  const note = async (outcome: AttemptOutcome, isProbe: boolean): Promise<void> => {
    const nowMs = clock.now();
    if (outcome.isDelivered) {
      failureStreaks.count(webhook.id, false);
      return await write((found) => afterSuccess(found, nowMs));
    }
    const down = isDown(outcome);
    const isLong = failureStreaks.count(webhook.id, down) >= CIRCUIT.threshold;
    const sign = down ? (isLong || isProbe ? 'rests' : 'down') : 'lives';
    await write((found) => afterFailure(found, sign, nowMs));
    const reason = outcome.status === 410 ? 'gone' : hasFailedTooLong(health, nowMs) ? 'failing' : null;
    if (reason === null) return;
    await disableWebhook(workspaceId, webhook, reason, ports);
    isDisabled = true;
  };

  const run = async (attempt: Attempt, isProbe: boolean): Promise<'done'> => {
    const outcome = await attempt();
    if (outcome !== null) await noted(() => note(outcome, isProbe), ports);
    return 'done';
  };

  /** Null if another process makes the test. */
  const probe = async (fromMs: number, attempt: Attempt): Promise<'done' | null> => {
    const toMs = clock.now() + PROBE_MS;
    if (await stores.health.moveRest(workspaceId, webhook.id, fromMs, toMs)) return await run(attempt, true);
    health = await read();
    return null;
  };

  const tryOnce = async (isLast: boolean, attempt: Attempt): Promise<Tried> => {
    for (;;) {
      if (isDisabled) return 'disabled';
      if (isLast) return await during(underWay, run(attempt, false));
      const nowMs = clock.now();
      const restUntilMs = openUntil(health.restUntilMs, nowMs);
      if (restUntilMs !== null) return { restUntilMs };
      const overSinceMs = probeDueSince(health.restUntilMs, nowMs);
      const isDoubtful = overSinceMs !== null || failureStreaks.of(webhook.id) > 0;
      if (isDoubtful && underWay.size > 0) {
        await Promise.allSettled([...underWay]);
        continue;
      }
      if (overSinceMs === null) return await during(underWay, run(attempt, false));
      const tried = await during(underWay, probe(overSinceMs, attempt));
      if (tried !== null) return tried;
    }
  };

  return { webhook, tryOnce };
}

function during<T>(underWay: Set<Promise<unknown>>, work: Promise<T>): Promise<T> {
  underWay.add(work);
  return work.finally(() => underWay.delete(work));
}

/** Losing a health write is acceptable; the outcome of the delivery must be written all the same. */
async function noted(work: () => Promise<void>, { report }: WebhookPorts): Promise<void> {
  try {
    await work();
  } catch (error) {
    report('what is known of a webhook’s receiver was not written', error);
  }
}
