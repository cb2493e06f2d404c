// An event becomes a delivery for each webhook that wants its kind. Guarantees: one row per event and webhook, however often
// it is begun.
import type { HelpdeskEvent } from '../../domain/outbox.ts';
import { deliveriesOf } from '../../domain/webhooks/event.ts';
import type { WebhookList } from '../../domain/webhooks/webhook.ts';
import type { DrainPorts } from '../drain.ts';
import { pendingOf } from '../stored-of.ts';
import { pointTo } from './point-to.ts';

export interface DeliveryPorts extends DrainPorts {
  /** All of the workspace. */
  readonly webhooks: () => Promise<Pick<WebhookList, 'webhooks' | 'unreadable'>>;
}

export async function sendToWebhooks(
  workspaceId: string,
  event: HelpdeskEvent,
  { stores, webhooks, deliveries, clock, report }: DeliveryPorts,
): Promise<void> {
  const atMs = clock.now();
  await Promise.all(
    deliveriesOf(workspaceId, event, await webhooks()).map(async (record) => {
      const isNew = await stores.deliveries.put(pendingOf(record, atMs), null);
      if (isNew) await pointTo(deliveries, { workspaceId, id: record.id }, record.webhookId, report);
    }),
  );
}
