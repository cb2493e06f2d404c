// An event becomes a delivery for each webhook that wants its kind. Guarantees: one row per event and webhook, however often
// it is begun.
import type { Clock } from '../../../core/ports/clock.ts';
import type { MessageSender } from '../../../core/ports/queue.ts';
import type { HelpdeskEvent } from '../../domain/outbox.ts';
import type { Webhook } from '../../domain/webhook.ts';
import { deliveriesOf } from '../../domain/webhook-event.ts';
import type { HelpdeskStores } from '../../ports/stores.ts';
import { OUTBOX_DUE_MS } from '../stored-of.ts';
import { pointTo } from './point-to.ts';

export interface DeliveryPorts {
  readonly stores: Pick<HelpdeskStores, 'deliveries'>;
  /** All of the workspace. */
  readonly webhooks: () => Promise<readonly Webhook[]>;
  readonly deliveries: MessageSender<{ readonly workspaceId: string; readonly id: string }>;
  readonly clock: Clock;
  readonly report: (problem: string, error: unknown) => void;
}

export async function sendToWebhooks(
  workspaceId: string,
  event: HelpdeskEvent,
  { stores, webhooks, deliveries, clock, report }: DeliveryPorts,
): Promise<void> {
  const dueAtMs = clock.now() + OUTBOX_DUE_MS;
  await Promise.all(
    deliveriesOf(workspaceId, event, await webhooks()).map(async (record) => {
      const isNew = await stores.deliveries.put({ record, version: 1, outbox: [], dueAtMs }, null);
      if (isNew) await pointTo(deliveries, { workspaceId, id: record.id }, record.webhookId, report);
    }),
  );
}
