// What the hourly recount needs from the outside.
import type { MessageSender } from '#lib/core/ports/queue.ts';
import type { Merchant } from '#lib/events/domain/merchant.ts';
import type { MerchantArchivePorts } from '#lib/events/pipeline/pages/archive-merchant.ts';
import type { Platform } from '#lib/events/platforms/platform.ts';
import type { AttributionStore } from '#lib/events/ports/attribution-store.ts';
import type { BatchStore } from '#lib/events/ports/batch-store.ts';
import type { CounterStore } from '#lib/events/ports/counter-store.ts';
import type { EventStore } from '#lib/events/ports/event-store.ts';
import type { EventVault } from '#lib/events/ports/event-vault.ts';
import type { OrderStore } from '#lib/events/ports/order-store.ts';
import type { CounterRefresh } from '../aggregate/message.ts';
import type { ErasurePorts } from './erasure.ts';
import type { RecountMessage } from './message.ts';
import type { TendPorts } from './tend-tasks.ts';

export interface ReconcilePorts extends TendPorts, ErasurePorts {
  readonly events: Pick<EventStore, 'received' | 'readMany'>;
  readonly counters: Pick<CounterStore, 'read' | 'range' | 'markDue' | 'openedShards' | 'settle'>;
  readonly people: Pick<AttributionStore, 'people'>;
  readonly eventVault: Pick<EventVault, 'open'>;
  readonly batches: Pick<BatchStore, 'ofMinute' | 'readMany'>;
  readonly counterRefresh: MessageSender<CounterRefresh>;
  /** Its own queue: work is handed on in parts. */
  readonly recounts: MessageSender<RecountMessage>;
  /** Ids of all merchants in an order of its own, after this one where it is given. */
  readonly merchantIds: (after?: string) => AsyncIterable<string>;
  /** Strongly read; null where it is gone. */
  readonly merchant: (merchantId: string) => Promise<Pick<Merchant, 'merchantId' | 'retentionDays'> | null>;
  readonly orders: Pick<OrderStore, 'read' | 'readMany' | 'write'>;
  /** Absent where no rows leave the tables. */
  readonly archive?: MerchantArchivePorts | undefined;
  readonly platforms: readonly Platform[];
  /** Reports a merchant whose hour could not be recounted, or whose data could not be erased. */
  readonly report: (problem: string, error: unknown) => void;
}
