// What the normalize stage needs from the outside.

import type { Clock, Random } from '#lib/core/ports/clock.ts';
import type { MessageSender } from '#lib/core/ports/queue.ts';
import type { Trace } from '#lib/core/record/trace.ts';
import type { IdentityLookups } from '#lib/events/domain/identity/lookups.ts';
import type { CreditPorts } from '#lib/events/pipeline/attribution/credit-orders.ts';
import type { BucketMarker } from '#lib/events/pipeline/counting/due-buckets.ts';
import type { Platform } from '#lib/events/platforms/platform.ts';
import type { AttributionStore } from '#lib/events/ports/attribution-store.ts';
import type { BatchStore } from '#lib/events/ports/batch-store.ts';
import type { CounterStore } from '#lib/events/ports/counter-store.ts';
import type { EventStore } from '#lib/events/ports/event-store.ts';
import type { EventVault } from '#lib/events/ports/event-vault.ts';
import type { MerchantStore } from '#lib/events/ports/merchant-store.ts';
import type { OrderStore } from '#lib/events/ports/order-store.ts';
import type { RoutingStore } from '#lib/events/ports/routing-store.ts';
import type { CounterRefresh } from '../aggregate/message.ts';
import type { NormalizedMessage } from '../fan-out/message.ts';
import type { AcceptedMessage } from './message.ts';

export interface NormalizePorts {
  /** All but the first two for retries by hand, which end deliveries of their originals. */
  readonly events: Pick<EventStore, 'readMany' | 'normalize' | 'read' | 'putDelivery'>;
  readonly batches: Pick<BatchStore, 'putManifest' | 'readMany' | 'writeOutcomes'>;
  readonly config: Pick<RoutingStore, 'currentRouting'> &
    Pick<MerchantStore, 'merchant' | 'addServerEventName'>;
  readonly slots: BucketMarker;
  readonly counters: Pick<CounterStore, 'read' | 'settle'>;
  readonly attribution: CreditPorts['attribution'] & Pick<AttributionStore, 'suppressed'>;
  readonly orders: OrderStore;
  readonly eventVault: EventVault;
  /** For orders that wait for their page. */
  readonly accepted: MessageSender<AcceptedMessage>;
  readonly normalized: MessageSender<NormalizedMessage>;
  readonly counterRefresh: MessageSender<CounterRefresh>;
  readonly lookups: IdentityLookups;
  readonly platforms: readonly Platform[];
  readonly clock: Clock;
  /** For the ids of batches. */
  readonly random: Pick<Random, 'next'>;
  /** Reports a row that could not be normalized; its message is redelivered. */
  readonly report: (problem: string, error: unknown) => void;
  /** Called with the traces of the first few rows of a batch, how many there are, and when it began. Absent where nothing listens. */
  readonly traced?: ((traces: readonly Trace[], size: number, startMs: number) => void) | undefined;
}
