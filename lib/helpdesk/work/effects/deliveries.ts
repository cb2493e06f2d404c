// An event becomes a delivery for each webhook that wants its kind. Guarantees: one row per event and webhook, however often
// it is begun.
import type { Clock } from '#lib/core/ports/clock.ts';
import type { MessageSender } from '#lib/core/ports/queue.ts';
import type { HelpdeskEvent } from '../../domain/outbox.ts';
import { deliveriesOf } from '../../domain/webhooks/event.ts';
import type { WebhookList } from '../../domain/webhooks/webhook.ts';
import type { HelpdeskStores } from '../../ports/stores.ts';
import { pendingOf } from '../stored-of.ts';
import { pointTo } from './point-to.ts';

export interface DeliveryPorts {
  readonly stores: Pick<HelpdeskStores, 'deliveries'>;
  /** All of the workspace. */
  readonly webhooks: () => Promise<Pick<WebhookList, 'webhooks' | 'unreadable'>>;
  readonly deliveries: MessageSender<{ readonly workspaceId: string; readonly id: string }>;
  readonly clock: Clock;
  readonly report: (problem: string, error: unknown) => void;
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
