// What becomes of an event: a delivery for each webhook that wants its kind. Guarantees: the same ones however often it is asked
// for; what is signed and sent is made once, here.
import type { Delivery } from './delivery.ts';
import { eventBody } from './event-payload.ts';
import type { HelpdeskEvent } from './outbox.ts';
import type { Webhook } from './webhook.ts';

export function deliveriesOf(
  workspaceId: string,
  event: HelpdeskEvent,
  webhooks: readonly Webhook[],
): readonly Delivery[] {
  const wanting = webhooks.filter((webhook) => wants(webhook, event.type));
  if (wanting.length === 0) return [];
  const payload = eventBody(workspaceId, event);
  return wanting.map(({ id: webhookId }) => ({
    id: `${event.id}.${webhookId}`,
    workspaceId,
    webhookId,
    eventId: event.id,
    type: event.type,
    payload,
    status: 'pending',
    attempts: 0,
    lastStatus: null,
    lastError: null,
    lastLatencyMs: null,
    nextAttemptAtMs: event.atMs,
    createdAtMs: event.atMs,
    updatedAtMs: event.atMs,
  }));
}

const wants = ({ active, events }: Webhook, type: string): boolean =>
  active && (events.includes('*') || events.includes(type));
