// What the hourly audit needs from the outside.

import type { Clock } from '#lib/core/ports/clock.ts';
import type { DayKeyStore } from '#lib/core/ports/day-keys.ts';
import type { MessageSender } from '#lib/core/ports/queue.ts';
import type { Merchant } from '#lib/core/tenancy/merchant.ts';
import type { Platform } from '#lib/events/platforms/platform.ts';
import type { BatchStore } from '#lib/events/ports/batch-store.ts';
import type { CounterStore } from '#lib/events/ports/counter-store.ts';
import type { EventStore } from '#lib/events/ports/event-store.ts';
import type { CounterRefresh } from '../aggregate/message.ts';
import type { AuditMessage } from './message.ts';
import type { TendPorts } from './tend-erasures.ts';
import type { TendReconciliationPorts } from './tend-reconciliations.ts';

export interface ReconcilePorts extends TendPorts, TendReconciliationPorts {
  readonly events: Pick<EventStore, 'received' | 'readMany'>;
  readonly counters: Pick<CounterStore, 'read' | 'range' | 'markDue' | 'openedShards'>;
  readonly batches: Pick<BatchStore, 'ofMinute' | 'readMany'>;
  readonly counterRefresh: MessageSender<CounterRefresh>;
  /** Its own queue: work is handed on in parts. */
  readonly audits: MessageSender<AuditMessage>;
  /** Ids of all merchants in an order of its own, after this one where it is given. */
  readonly merchantIds: (after?: string) => AsyncIterable<string>;
  /** Strongly read; null where it is gone. */
  readonly merchant: (merchantId: string) => Promise<Pick<Merchant, 'merchantId' | 'retentionDays'> | null>;
  readonly dayKeys: Pick<DayKeyStore, 'eraseBefore'>;
  readonly platforms: readonly Platform[];
  readonly clock: Clock;
  /** See ErasurePorts. */
  readonly retentionDaysMax?: number;
  /** Reports a merchant whose hour could not be recounted, or whose data could not be erased. */
  readonly report: (problem: string, error: unknown) => void;
}
