// What the deliver stage needs from the outside.

import type { Clock, Random } from '#lib/core/ports/clock.ts';
import type { MessageSender } from '#lib/core/ports/queue.ts';
import type { Transport } from '#lib/core/ports/transport.ts';
import type { Vault } from '#lib/core/ports/vault.ts';
import type { LeaseStore } from '#lib/core/work/leased-window.ts';
import type { TaskWork } from '#lib/events/domain/deliveries/task-work.ts';
import type { BucketMarker } from '#lib/events/pipeline/counting/due-buckets.ts';
import type { Platform } from '#lib/events/platforms/platform.ts';
import type { BatchStore } from '#lib/events/ports/batch-store.ts';
import type { ConnectionStore } from '#lib/events/ports/connection-store.ts';
import type { DeliverySignals } from '#lib/events/ports/delivery-signals.ts';
import type { EventStore } from '#lib/events/ports/event-store.ts';
import type { EventVault } from '#lib/events/ports/event-vault.ts';
import type { MerchantStore } from '#lib/events/ports/merchant-store.ts';
import type { OrderStore } from '#lib/events/ports/order-store.ts';
import type { CounterRefresh } from '../aggregate/message.ts';

export interface DeliverPorts {
  readonly events: Pick<EventStore, 'read' | 'readMany' | 'putDelivery'>;
  readonly batches: Pick<BatchStore, 'readMany' | 'ofBatch' | 'writeOutcomes'>;
  /** What is left of an order whose refund is sent. */
  readonly orders: Pick<OrderStore, 'read'>;
  readonly config: Pick<
    ConnectionStore,
    | 'connection'
    | 'connectionsOf'
    | 'pauseConnection'
    | 'setCircuit'
    | 'moveProbe'
    | 'changeConnection'
    | 'noteDeprecation'
  > &
    Pick<MerchantStore, 'merchant'>;
  /** For credentials. */
  readonly vault: Pick<Vault, 'open'>;
  readonly eventVault: Pick<EventVault, 'open'>;
  readonly transport: Transport;
  /** Shares of what platforms take of a connection. */
  readonly quotas: LeaseStore;
  readonly counterRefresh: MessageSender<CounterRefresh>;
  /** Jobs: a merchant whose connection was paused gets a mail. Absent in models of the pipeline. */
  readonly taskWork?: MessageSender<TaskWork>;
  /** Minutes to count once more after a late rejection. Absent in models without one. */
  readonly slots?: Pick<BucketMarker, 'markDueAgain'>;
  readonly platforms: readonly Platform[];
  readonly clock: Clock;
  readonly random: Pick<Random, 'next'>;
  /** Resolves after that time. */
  readonly pause: (ms: number) => Promise<void>;
  /** The same, where nothing else is under way that would keep the process. */
  readonly wait: (ms: number) => Promise<void>;
  /** Reports a job that failed as a whole; its messages are redelivered. */
  readonly report: (problem: string, error: unknown) => void;
  /** Absent in models of the pipeline, which no operator listens to. */
  readonly signals?: DeliverySignals;
}
