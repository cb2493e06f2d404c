// What the fan-out stage needs from the outside.
import type { Platform } from '../../lib/platforms/platform.ts';
import type { Clock } from '../../lib/ports/clock.ts';
import type { EventStore } from '../../lib/ports/event-store.ts';
import type { Outbox } from '../../lib/ports/queue.ts';
import type { DeliveryMessage } from '../deliver/message.ts';

export interface FanOutPorts {
  readonly events: Pick<EventStore, 'readMany' | 'putDelivery'>;
  /** One queue per platform slug. */
  readonly deliveries: (platform: string) => Outbox<DeliveryMessage>;
  readonly platforms: readonly Platform[];
  readonly clock: Clock;
}
