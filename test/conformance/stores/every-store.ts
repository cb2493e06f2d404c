// The suites of all stores on tables of one database, so that each rule is held where our code runs: by DynamoDB's emulators, and by
// the database in memory that other tests put behind the same stores.
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { createIdempotencyStore } from '#lib/adapters/dynamodb/core/idempotency-store.ts';
import { createApiKeyStore } from '#lib/adapters/dynamodb/core/keys/api-keys.ts';
import { createDataKeyStore } from '#lib/adapters/dynamodb/core/keys/data-keys.ts';
import { createDayKeyStore } from '#lib/adapters/dynamodb/core/keys/day-keys.ts';
import { createCallLimiter } from '#lib/adapters/dynamodb/core/limits/call-limiter.ts';
import { createDailyBudget } from '#lib/adapters/dynamodb/core/limits/daily-budget.ts';
import { createOneTimeStore } from '#lib/adapters/dynamodb/core/one-time-store.ts';
import { createAttributionStore } from '#lib/adapters/dynamodb/events/attribution-store.ts';
import { createBillingStore } from '#lib/adapters/dynamodb/events/billing-store.ts';
import { createCounterStore } from '#lib/adapters/dynamodb/events/counter-store.ts';
import { createOrderStore } from '#lib/adapters/dynamodb/events/order-store.ts';
import { createRefusalStore } from '#lib/adapters/dynamodb/events/refusal-store.ts';
import { createConfigStores } from '#lib/adapters/dynamodb/events/routing/config-stores.ts';
import { createRowErasure } from '#lib/adapters/dynamodb/events/rows/erased-rows.ts';
import { createEventStore } from '#lib/adapters/dynamodb/events/rows/event-store.ts';
import { ERASURES } from '#lib/adapters/dynamodb/events/tasks/erasure-store.ts';
import { createJobStore } from '#lib/adapters/dynamodb/events/tasks/job-store.ts';
import {
  createReconciliationStore,
  RECONCILIATIONS,
} from '#lib/adapters/dynamodb/events/tasks/reconciliation-store.ts';
import { createReplayStore, PLAN } from '#lib/adapters/dynamodb/events/tasks/replay-store.ts';
import type { TableName } from '#lib/core/record/define-kind.ts';
import { createSeededRandom } from '../../support/memory/random.ts';
import { assistantConformance } from './assistant-stores.suite.ts';
import { attributionStoreConformance } from './attribution-store.suite.ts';
import { billingConformance } from './billing-store.suite.ts';
import { callLimiterConformance } from './call-limiter.suite.ts';
import { configConformance } from './config.suite.ts';
import { counterStoreConformance } from './counter-store.suite.ts';
import { dayKeyConformance } from './day-keys.suite.ts';
import { eventStoreConformance } from './event-store.suite.ts';
import { exchangeRateConformance } from './exchange-rate-store.suite.ts';
import { idempotencyConformance } from './idempotency-store.suite.ts';
import { erasureOf, jobsConformance, planOf, reconciliationOf } from './jobs.suite.ts';
import { keyProductsConformance } from './key-products.suite.ts';
import { orderStoreConformance } from './order-store.suite.ts';
import { reconciliationStoreConformance } from './reconciliation-store.suite.ts';
import { refusalStoreConformance } from './refusal-store.suite.ts';
import { replayStoreConformance } from './replay-store.suite.ts';
import { tenancyConformance } from './tenancy.suite.ts';

export interface TestedTables {
  readonly db: DynamoDBDocumentClient;
  readonly nameOf: (table: TableName) => string;
}

export const TESTED_TABLES = ['config', 'rates', 'analytics', 'events'] as const;

/** `open` may hand out the same tables every time: tests use merchants of their own. */
export function storesConformance(name: string, open: () => TestedTables): void {
  const on =
    <Store>(table: TableName, create: (db: DynamoDBDocumentClient, table: string) => Store) =>
    (): Store => {
      const { db, nameOf } = open();
      return create(db, nameOf(table));
    };
  const later =
    <Store>(make: () => Store) =>
    async (): Promise<Store> =>
      make();
  const random = createSeededRandom('keys');
  const config = on('config', (db, table) => createConfigStores(db, table, random));

  configConformance(name, async () => ({ config: config(), dataKeys: on('config', createDataKeyStore)() }));
  tenancyConformance(name, later(config));
  keyProductsConformance(name, () => ({
    evk: on('config', (db, table) => createApiKeyStore(db, table, random))(),
    hdk: on('config', (db, table) => createApiKeyStore(db, table, random, 'hdk'))(),
  }));
  dayKeyConformance(name, on('config', createDayKeyStore));
  billingConformance(name, on('config', createBillingStore));
  const erasures = on('config', (db, table) => createJobStore(db, table, ERASURES));
  jobsConformance(`${name}: erasures`, erasureOf, erasures);
  const reconciliations = on('config', (db, table) => createJobStore(db, table, RECONCILIATIONS));
  jobsConformance(`${name}: reconciliations`, reconciliationOf, reconciliations);
  jobsConformance(
    `${name}: replay plans`,
    planOf,
    on('config', (db, table) => createJobStore(db, table, PLAN)),
  );
  replayStoreConformance(name, on('config', createReplayStore));
  reconciliationStoreConformance(name, on('config', createReconciliationStore));
  exchangeRateConformance(name, config);
  callLimiterConformance(name, on('rates', createCallLimiter));
  idempotencyConformance(name, on('rates', createIdempotencyStore));
  assistantConformance(name, () => ({
    confirmations: on('rates', createOneTimeStore)(),
    perDay: on('rates', createDailyBudget)(),
  }));
  attributionStoreConformance(name, later(on('analytics', createAttributionStore)));
  orderStoreConformance(name, later(on('analytics', createOrderStore)));
  refusalStoreConformance(name, later(on('analytics', createRefusalStore)));
  counterStoreConformance(name, later(on('analytics', createCounterStore)));
  eventStoreConformance(name, async () => ({
    ...on('events', createEventStore)(),
    ...on('events', createRowErasure)(),
  }));
}
