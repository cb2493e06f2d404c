// What the task stage needs from the outside.
import type { Clock } from '#lib/core/ports/clock.ts';
import type { NoticeSender } from '#lib/core/ports/notice-sender.ts';
import type { MessageSender } from '#lib/core/ports/queue.ts';
import type { Transport } from '#lib/core/ports/transport.ts';
import type { Vault } from '#lib/core/ports/vault.ts';
import type { IdentityLookups } from '#lib/events/domain/identity/lookups.ts';
import type { Platform } from '#lib/events/platforms/platform.ts';
import type { AttributionStore } from '#lib/events/ports/attribution-store.ts';
import type { BatchStore } from '#lib/events/ports/batch-store.ts';
import type { ConnectionStore } from '#lib/events/ports/connection-store.ts';
import type { CounterStore } from '#lib/events/ports/counter-store.ts';
import type { ErasureStore } from '#lib/events/ports/erasure-store.ts';
import type { EventStore, RowErasure } from '#lib/events/ports/event-store.ts';
import type { EventVault } from '#lib/events/ports/event-vault.ts';
import type { IncidentStore } from '#lib/events/ports/incident-store.ts';
import type { MerchantStore } from '#lib/events/ports/merchant-store.ts';
import type { ReconciliationStore } from '#lib/events/ports/reconciliation-store.ts';
import type { TaskWork } from './message.ts';

export interface TaskPorts {
  readonly erasures: Pick<ErasureStore, 'erasure' | 'writeErasure'>;
  readonly reconciliations: Pick<
    ReconciliationStore,
    'reconciliation' | 'writeReconciliation' | 'putPart' | 'readPart'
  >;
  /** Rows as they lie there, without what became of them in batches. */
  readonly events: Pick<EventStore, 'received' | 'readMany'> & RowErasure;
  readonly batches: Pick<BatchStore, 'readMany'>;
  readonly people: Pick<AttributionStore, 'forgetPeople'>;
  readonly counters: Pick<CounterStore, 'openedShards' | 'range'>;
  readonly incidents: Pick<IncidentStore, 'incident' | 'writeIncident'>;
  /** Of who is to be erased, and of the orders of reconciliations. */
  readonly vault: Vault;
  readonly eventVault: Pick<EventVault, 'open'>;
  readonly lookups: IdentityLookups;
  readonly config: Pick<MerchantStore, 'merchant'> & Pick<ConnectionStore, 'connection' | 'connectionsOf'>;
  readonly platforms: readonly Platform[];
  /** Null where the deployment sends no mail. */
  readonly notices: () => Promise<NoticeSender | null>;
  /** To platforms that are asked to delete a person, and webhooks of merchants. */
  readonly transport: () => Promise<Transport>;
  /** Its own queue. */
  readonly work: MessageSender<TaskWork>;
  readonly clock: Clock;
  readonly report: (problem: string, error: unknown) => void;
}
