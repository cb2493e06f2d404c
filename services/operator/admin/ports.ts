import type { AuditPorts } from '#lib/core/audit-log/audited.ts';
import type { AnsweredRequest } from '#lib/core/http/http-message.ts';
import type { DayKeyStore } from '#lib/core/ports/day-keys.ts';
import type { KeyRotationStore, RotatedKeys } from '#lib/core/ports/key-rotation.ts';
import type { People } from '#lib/core/ports/people.ts';
import type { Vault } from '#lib/core/ports/vault.ts';
import type { KeyProduct } from '#lib/core/tenancy/api-key.ts';
import type { ApiKeyStore } from '#lib/core/tenancy/api-key-store.ts';
import type { MemberStore } from '#lib/core/tenancy/member-store.ts';
import type { PassStore } from '#lib/core/tenancy/pass.ts';
import type { SuspensionStore } from '#lib/core/tenancy/suspension.ts';
import type { MerchantLimit } from '#lib/events/domain/merchant.ts';
import type { BillingStore } from '#lib/events/ports/billing-store.ts';
import type {
  ConnectionStore,
  CredentialStore,
  PlatformPauseStore,
} from '#lib/events/ports/connection-store.ts';
import type { CounterStore } from '#lib/events/ports/counter-store.ts';
import type { DueIndex } from '#lib/events/ports/due-index.ts';
import type { IncidentStore } from '#lib/events/ports/incident-store.ts';
import type {
  MerchantLimitStore,
  MerchantPages,
  MerchantStore,
  NewMerchantStore,
} from '#lib/events/ports/merchant-store.ts';
import type { WebhookList } from '#lib/helpdesk/domain/webhooks/webhook.ts';
import type { RecordStore } from '#lib/helpdesk/ports/stores.ts';

/** Indexes of what is due. */
export interface DuePorts {
  readonly events: Pick<DueIndex<unknown>, 'dueShards' | 'dueGroups'>;
  readonly batches: Pick<DueIndex<unknown>, 'dueShards' | 'dueGroups'>;
  readonly counters: Pick<CounterStore, 'due'>;
}

/** What holds things that are sealed under a merchant's data key. */
export interface SealedStores {
  readonly credentials: CredentialStore;
  readonly team: Pick<MemberStore, 'team' | 'changeTeam'>;
  readonly keys: Pick<KeyRotationStore, 'dayKeys' | 'rewrapDay'>;
  /** Null where the helpdesk is not deployed. */
  readonly webhooks: Pick<RecordStore<WebhookList>, 'read' | 'put'> | null;
}

export interface RotatingPorts {
  readonly keys: KeyRotationStore;
  readonly rotated: RotatedKeys;
  /** `report`: called for what cannot be read. */
  readonly sealedStores: (report: (unreadable: string) => void) => SealedStores;
}

export interface OperatorPorts extends AuditPorts {
  readonly config: AuditPorts['config'] &
    NewMerchantStore &
    Pick<MerchantStore, 'merchantNow'> &
    Pick<MemberStore, 'team' | 'memberships' | 'claimSubject' | 'releaseSubject' | 'changeTeam'> &
    Pick<ConnectionStore, 'listConnections' | 'deleteConnection'> &
    SuspensionStore &
    PassStore &
    PlatformPauseStore &
    MerchantLimitStore;
  readonly pages: MerchantPages;
  readonly incidents: Pick<IncidentStore, 'listIncidents'>;
  readonly billing: Pick<BillingStore, 'billing'>;
  /** Null where the product of events is not deployed. */
  readonly counters: Pick<CounterStore, 'range'> | null;
  readonly keys: Readonly<Record<KeyProduct, ApiKeyStore>>;
  /** Jobs and incidents of a merchant. */
  readonly removeTasks: (merchantId: string) => Promise<unknown>;
  readonly dayKeys: Pick<DayKeyStore, 'eraseBefore'>;
  readonly dataKeys: { readonly remove: (merchantId: string) => Promise<void> };
  /** Null where another issuer signs tokens, or none does. */
  readonly people: People | null;
  /** Null where the product of events is not deployed. */
  readonly due: DuePorts | null;
  /** What no merchant exceeds, but one of whom the operator says something else. */
  readonly ceilings: Readonly<Record<MerchantLimit, number>>;
  readonly rotating: RotatingPorts;
  readonly vault: Pick<Vault, 'seal' | 'open'>;
  readonly pause: (ms: number) => Promise<void>;
  /** 32 bytes of the machine's secure source. */
  readonly secretBytes: () => Uint8Array;
  /** Called for every request. */
  readonly answered?: (request: AnsweredRequest) => void;
}
