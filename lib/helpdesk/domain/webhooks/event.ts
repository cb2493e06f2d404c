// What becomes of an event: a delivery for each webhook that wants its kind, and for each that cannot be read, where it waits.
// Guarantees: the same ones however often it is asked for, while the webhooks are the same; what is signed and sent is made
// once, here.

import type { HelpdeskEvent } from '../outbox.ts';
import type { Delivery } from './delivery.ts';
import { eventBody } from './event-payload.ts';
import { unreadableIds, type Webhook, type WebhookList } from './webhook.ts';

export function deliveriesOf(
  workspaceId: string,
  event: HelpdeskEvent,
  list: Pick<WebhookList, 'webhooks' | 'unreadable'>,
): readonly Delivery[] {
  const wanting = list.webhooks.filter((webhook) => wants(webhook, event.type)).map(({ id }) => id);
  const unasked = unreadableIds(list);
  if (wanting.length + unasked.length === 0) return [];
  const payload = eventBody(workspaceId, event);
  const of = (webhookId: string): Delivery => ({
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
  });
  return [...wanting.map(of), ...unasked.map((id) => ({ ...of(id), isUnasked: true as const }))];
}

export const wants = ({ active, events }: Webhook, type: string): boolean =>
  active && (events.includes('*') || events.includes(type));
