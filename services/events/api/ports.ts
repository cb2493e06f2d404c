// What the API needs from the outside.

import type { CallLimitParts } from '#lib/adapters/fastify/call-limits.ts';
import type { BudgetPorts } from '#lib/core/assistant/budget.ts';
import type { OneTimeStore } from '#lib/core/assistant/confirmations.ts';
import type { AuditLog } from '#lib/core/audit-log/audit-log.ts';
import type { AnsweredRequest } from '#lib/core/http/http-message.ts';
import type { IdempotencyStore } from '#lib/core/http/idempotency.ts';
import type { ChatModel } from '#lib/core/ports/chat-model.ts';
import type { Clock, Random } from '#lib/core/ports/clock.ts';
import type { MessageSender } from '#lib/core/ports/queue.ts';
import type { SessionVerifier } from '#lib/core/ports/session-verifier.ts';
import type { Transport } from '#lib/core/ports/transport.ts';
import type { Vault } from '#lib/core/ports/vault.ts';
import type { ApiKeyStore, KeyUseStore } from '#lib/core/tenancy/api-key-store.ts';
import type { MemberStore } from '#lib/core/tenancy/member-store.ts';
import type { CallLimiter } from '#lib/core/work/call-limiter.ts';
import type { LimitRecord } from '#lib/core/work/leased-window.ts';
import type { TaskWork } from '#lib/events/domain/deliveries/task-work.ts';
import type { IdentityLookups } from '#lib/events/domain/identity/lookups.ts';
import type { MerchantCeilings } from '#lib/events/domain/merchant.ts';
import type { Suspicions } from '#lib/events/pipeline/connections/suspicions.ts';
import type { RecountPorts } from '#lib/events/pipeline/counting/recount.ts';
import type { ClaimReplayPorts } from '#lib/events/pipeline/replay/claim-replay.ts';
import type { Platform } from '#lib/events/platforms/platform.ts';
import type { AttributionStore, SuppressedPeople } from '#lib/events/ports/attribution-store.ts';
import type { BillingStore } from '#lib/events/ports/billing-store.ts';
import type { ConnectionStore, PlatformPauseStore } from '#lib/events/ports/connection-store.ts';
import type { CounterStore } from '#lib/events/ports/counter-store.ts';
import type { ErasureStore } from '#lib/events/ports/erasure-store.ts';
import type { EventStore } from '#lib/events/ports/event-store.ts';
import type { EventVault } from '#lib/events/ports/event-vault.ts';
import type { ExchangeRateStore } from '#lib/events/ports/exchange-rate-store.ts';
import type { IncidentStore } from '#lib/events/ports/incident-store.ts';
import type { MerchantStore, NewMerchantStore } from '#lib/events/ports/merchant-store.ts';
import type { OrderStore } from '#lib/events/ports/order-store.ts';
import type { Payments } from '#lib/events/ports/payment-provider.ts';
import type { ReconciliationStore } from '#lib/events/ports/reconciliation-store.ts';
import type { RefusalStore } from '#lib/events/ports/refusal-store.ts';
import type { ReplayStore } from '#lib/events/ports/replay-store.ts';
import type { RoutingStore } from '#lib/events/ports/routing-store.ts';
import type { ReplayWork } from '../replay/message.ts';
import type { SignUp } from './sign-up/sign-up.ts';

/** What the assistant needs beside. */
export interface AssistantPorts extends Omit<BudgetPorts, 'clock'> {
  /** Loaded by the first question: neither the library nor the key is needed before. */
  readonly model: () => Promise<ChatModel>;
  readonly confirmations: OneTimeStore;
  /** Aborts after so many milliseconds. */
  readonly deadline: (ms: number) => AbortSignal;
}

export interface ApiPorts {
  readonly events: Pick<EventStore, 'read' | 'readMany' | 'received' | 'hold'>;
  readonly counters: Pick<
    CounterStore,
    'range' | 'partsOfDays' | 'markDue' | 'openedShards' | 'read' | 'settle'
  >;
  /** Rows as they are stored, and what batches of them share: for whoever counts them again. */
  readonly stored: Pick<RecountPorts, 'events' | 'batches' | 'orders'>;
  readonly orders: Pick<OrderStore, 'read' | 'readMany' | 'write'>;
  /** Of browser events a minute, by merchant. */
  readonly browserLimit: Pick<LimitRecord, 'reachedAtMs'>;
  /** What no merchant may set higher for itself. */
  readonly ceilings: MerchantCeilings;
  readonly calls: CallLimiter;
  /** Absent: requests may consume any number of units. */
  readonly units?: CallLimitParts['units'];
  readonly refusals: Pick<RefusalStore, 'sum'>;
  readonly config: Pick<PlatformPauseStore, 'platformPauses'> &
    ApiKeyStore &
    Pick<KeyUseStore, 'keyUses'> &
    Pick<MemberStore, 'memberships' | 'team' | 'changeTeam' | 'claimSubject'> &
    Pick<MerchantStore, 'merchant' | 'merchantNow' | 'updateMerchant' | 'beginSuppression'> &
    NewMerchantStore &
    ExchangeRateStore &
    AuditLog &
    Pick<RoutingStore, 'currentRouting' | 'changeRules'> &
    Pick<
      ConnectionStore,
      | 'connection'
      | 'listConnections'
      | 'everyConnection'
      | 'createConnection'
      | 'addConnection'
      | 'changeConnection'
      | 'deleteConnection'
    >;
  /** Null where the operator makes all shops. */
  readonly signUp: SignUp | null;
  readonly incidents: Pick<IncidentStore, 'listIncidents'>;
  readonly suspicions: Suspicions;
  readonly billing: BillingStore;
  readonly payments: Payments;
  /** True where the deployment says where the provider's secrets are. */
  readonly namesPayments: boolean;
  /** Puts replays at the head of the pipe, and tells plans to go on. */
  readonly replaying: Omit<ClaimReplayPorts, 'clock' | 'report'> & {
    readonly plans: ReplayStore;
    readonly work: MessageSender<ReplayWork>;
  };
  /** For credentials. */
  readonly vault: Vault;
  /** Answers to requests that came with an Idempotency-Key. */
  readonly idempotency: IdempotencyStore;
  readonly eventVault: Pick<EventVault, 'open' | 'openText'>;
  readonly people: Pick<AttributionStore, 'people'> & SuppressedPeople;
  readonly privacy: {
    readonly erasures: Pick<ErasureStore, 'createErasure' | 'erasure' | 'listErasures'>;
    readonly work: MessageSender<TaskWork>;
  };
  readonly reconciling: {
    readonly jobs: Pick<
      ReconciliationStore,
      | 'createReconciliation'
      | 'reconciliation'
      | 'listReconciliations'
      | 'writeReconciliation'
      | 'putPart'
      | 'readPart'
    >;
    readonly work: MessageSender<TaskWork>;
  };
  /** Null where no identity provider is configured: every session is refused. */
  readonly sessions: SessionVerifier | null;
  readonly platforms: readonly Platform[];
  readonly clock: Clock;
  readonly random: Random;
  /** Loaded by the first request that needs them: most processes never preview or test anything. */
  readonly lookups: () => Promise<IdentityLookups>;
  readonly transport: () => Promise<Transport>;
  /** Null where no language model is configured. */
  readonly assistant: AssistantPorts | null;
  /** Origins of the pages that may call the API from a browser, such as the dashboard's. */
  readonly origins: readonly string[];
  /** Told of every answer of 500 and above, and of what was left out of an answer because it could not be had. */
  readonly report: (problem: string, error: unknown, context?: Readonly<Record<string, string>>) => void;
  /** Called for every request; absent in models. */
  readonly answered?: (request: AnsweredRequest) => void;
}
