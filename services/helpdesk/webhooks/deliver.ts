// One delivery: take it, try it, write the outcome. Guarantees: taking it is a conditional write of the version that
// was read, so of all workers with its pointer one makes an attempt; a worker that crashes between taking and writing
// leaves a lease that ends, and the delivery is sent again: at least once, never lost. A delivery that was sent but not
// written is sent twice, with the same id.
import { callWebhook } from '#lib/core/webhooks/call.ts';
import { isSameTaking, writeWhileHeld } from '#lib/core/work/lease.ts';
import type { AttemptOutcome } from '#lib/core/work/retry-policy.ts';
import type { Stored } from '#lib/helpdesk/domain/outbox.ts';
import type { Delivery } from '#lib/helpdesk/domain/webhooks/delivery.ts';
import {
  answered,
  dueAtOf,
  ended,
  isLastChance,
  movedOn,
  pointerDelaySec,
  readiness,
  taken,
} from '#lib/helpdesk/domain/webhooks/delivery-attempt.ts';
import { pointTo } from '#lib/helpdesk/work/effects/point-to.ts';
import { replaced } from '#lib/helpdesk/work/stored-of.ts';
import { messageIdOf } from '#lib/helpdesk/work/webhook-call.ts';
import type { WebhookPorts } from './ports.ts';
import type { Receiver } from './receiver.ts';

export const ATTEMPT_MAX_MS = 15_000;

type StoredDelivery = Stored<Delivery>;

export async function deliverOne(
  stored: StoredDelivery,
  receiver: Receiver,
  secrets: readonly string[],
  ports: WebhookPorts,
): Promise<void> {
  const { clock, random } = ports;
  const { record } = stored;
  const tried = await receiver.tryOnce(isLastChance(record), () =>
    attempt(stored, { url: receiver.webhook.url, secrets }, ports),
  );
  if (tried === 'done') return;
  const nowMs = clock.now();
  const next =
    tried === 'disabled'
      ? ended(record, 'cancelled', 'webhook_disabled', nowMs)
      : movedOn(record, tried.restUntilMs, nowMs, random.next());
  if ((await write(stored, next, ports)) !== null) await point(next, ports);
}

/** Cancels a delivery, so that no further attempt is made; an attempt in progress ends by itself. */
export async function cancel(stored: StoredDelivery, why: string, ports: WebhookPorts): Promise<void> {
  const nowMs = ports.clock.now();
  const state = readiness(stored.record, nowMs);
  if (state === 'over' || state === 'busy') return;
  await write(stored, ended(stored.record, 'cancelled', why, nowMs), ports);
}

/** Null if another worker took it first. */
async function attempt(
  stored: StoredDelivery,
  { url, secrets }: { readonly url: string; readonly secrets: readonly string[] },
  ports: WebhookPorts,
): Promise<AttemptOutcome | null> {
  const nowMs = ports.clock.now();
  const next = taken(stored.record, nowMs);
  if (next === null) {
    await write(stored, ended(stored.record, 'failed', 'interrupted', nowMs), ports);
    return null;
  }
  const held = await write(stored, next, ports);
  if (held === null) return null;
  const { eventId, payload: body } = next;
  const outcome = await callWebhook({ url, secrets, id: messageIdOf(eventId), body }, ports, ATTEMPT_MAX_MS);
  await writeDown(held, outcome, ports);
  return outcome;
}

/** Throws if the write fails; the lease then ends, and the delivery is sent again. */
async function writeDown(held: StoredDelivery, outcome: AttemptOutcome, ports: WebhookPorts): Promise<void> {
  const { stores, clock, random } = ports;
  const { workspaceId, id } = held.record;
  let next = held.record;
  const isWritten = await writeWhileHeld({
    what: 'a delivery',
    seen: held,
    read: () => stores.deliveries.read(workspaceId, id),
    isMine: ({ record }) => record.status === 'pending' && isSameTaking(record, held.record),
    write: async (found) => {
      next = answered(found.record, outcome, clock.now(), random.next());
      return (await write(found, next, ports)) !== null;
    },
  });
  if (isWritten) await point(next, ports);
}

/**
 * Sends the pointer of the next attempt, if the queue can delay it for so long. If it is lost, the sweep sends another
 * one when the row is due.
 */
async function point(delivery: Delivery, { deliveries, clock, report }: WebhookPorts): Promise<void> {
  const delaySec = pointerDelaySec(delivery, clock.now());
  if (delaySec === null) return;
  const { workspaceId, id, webhookId } = delivery;
  await pointTo(deliveries, { workspaceId, id }, webhookId, report, delaySec);
}

/** Null if the row is no longer `stored`. */
async function write(
  stored: StoredDelivery,
  record: Delivery,
  { stores, clock }: WebhookPorts,
): Promise<StoredDelivery | null> {
  return await replaced(stores.deliveries, stored, record, dueAtOf(record, clock.now(), stored.dueAtMs));
}
