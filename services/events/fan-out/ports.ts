// What the fan-out stage needs from the outside.

import type { Clock } from '#lib/core/ports/clock.ts';
import type { MessageSender } from '#lib/core/ports/queue.ts';
import type { Platform } from '#lib/events/platforms/platform.ts';
import type { BatchStore } from '#lib/events/ports/batch-store.ts';
import type { EventStore } from '#lib/events/ports/event-store.ts';
import type { OrderStore } from '#lib/events/ports/order-store.ts';
import type { DeliveryMessage } from '../deliver/message.ts';
import type { DeliverStage } from '../deliver/stage.ts';

export interface FanOutPorts {
  readonly events: Pick<EventStore, 'readMany' | 'putDelivery' | 'release' | 'withdraw'>;
  readonly batches: Pick<BatchStore, 'readMany' | 'writeOutcomes'>;
  readonly orders: OrderStore;
  /** One queue per platform slug. */
  readonly deliveries: (platform: string) => MessageSender<DeliveryMessage>;
  /** Sends what no worker can have sent before, at once. Absent: everything goes through the queues. */
  readonly express?: DeliverStage;
  readonly platforms: readonly Platform[];
  readonly clock: Clock;
  /** Reports what could not be fanned out; the sweep sends it again. */
  readonly report: (problem: string, error: unknown) => void;
}
