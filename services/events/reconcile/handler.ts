import { createDayKeyStore } from '#lib/adapters/dynamodb/core/keys/day-keys.ts';
import { createAttributionStore } from '#lib/adapters/dynamodb/events/attribution-store.ts';
import { createCounterStore } from '#lib/adapters/dynamodb/events/counter-store.ts';
import { createMerchantStore, merchantIds } from '#lib/adapters/dynamodb/events/merchants.ts';
import { createOrderStore } from '#lib/adapters/dynamodb/events/order-store.ts';
import { createHorizonStore } from '#lib/adapters/dynamodb/events/pages/horizons.ts';
import { createErasureStore } from '#lib/adapters/dynamodb/events/tasks/erasure-store.ts';
import { createIncidentStore } from '#lib/adapters/dynamodb/events/tasks/incident-store.ts';
import { createReconciliationStore } from '#lib/adapters/dynamodb/events/tasks/reconciliation-store.ts';
import { createSqsClient } from '#lib/adapters/sqs/client.ts';
import { createMessageSender } from '#lib/adapters/sqs/message-sender.ts';
import { environment, type RawEnvironment, readEnvironment } from '#lib/events/domain/environment.ts';
import { PLATFORMS } from '#lib/events/platforms/registry.ts';
import { EVENT_TABLES, eventTables } from '#lib/functions/event-tables.ts';
import { eventVaults, VAULT_VARIABLES } from '#lib/functions/event-vaults.ts';
import {
  createFunctionBase,
  type FunctionBase,
  type FunctionHandler,
  stageFunction,
} from '#lib/functions/function-base.ts';
import { pagedTables, pagePorts } from '#lib/functions/paged-tables.ts';
import { recountNewest } from './list-merchants.ts';
import { recountMessageSchema } from './message.ts';
import { createReconcileStage } from './stage.ts';

const variables = environment.pick({
  ...EVENT_TABLES,
  ANALYTICS_TABLE: true,
  ...VAULT_VARIABLES,
  COUNTER_REFRESH_QUEUE_URL: true,
  AUDIT_QUEUE_URL: true,
  TASK_WORK_QUEUE_URL: true,
});

export async function createHandler(env: RawEnvironment): Promise<FunctionHandler> {
  const settings = readEnvironment(variables, env);
  const base = createFunctionBase('reconcile', settings);
  const { db, logger, quarantine } = base;
  const sqs = createSqsClient();
  const ports = {
    ...pagedTables(base, settings),
    archive: archivePorts(base, settings),
    counters: createCounterStore(db, settings.ANALYTICS_TABLE),
    people: createAttributionStore(db, settings.ANALYTICS_TABLE, quarantine.items),
    ...(await eventVaults(base, settings)),
    orders: createOrderStore(db, settings.ANALYTICS_TABLE, quarantine.items),
    counterRefresh: createMessageSender<never>(sqs, settings.COUNTER_REFRESH_QUEUE_URL),
    recounts: createMessageSender<never>(sqs, settings.AUDIT_QUEUE_URL, { fair: false }),
    merchantIds: (after?: string) => merchantIds(db, settings.CONFIG_TABLE, quarantine.items, after),
    merchant: createMerchantStore(db, settings.CONFIG_TABLE).merchant,
    dayKeys: createDayKeyStore(db, settings.CONFIG_TABLE),
    erasures: createErasureStore(db, settings.CONFIG_TABLE, quarantine.items),
    incidents: createIncidentStore(db, settings.CONFIG_TABLE, quarantine.items),
    reconciliations: createReconciliationStore(db, settings.CONFIG_TABLE, quarantine.items),
    taskWork: createMessageSender<never>(sqs, settings.TASK_WORK_QUEUE_URL),
    platforms: PLATFORMS,
    retentionDaysMax: settings.RETENTION_DAYS_MAX,
  };
  const stage = createReconcileStage(ports, (found) => {
    // The alarm reads `drift` from this line.
    const isQuiet = found.drift + found.failed + found.failedErasures + found.failedArchives === 0;
    logger[isQuiet ? 'info' : 'warn'](found, 'reconciled');
  });
  const work = stageFunction('reconcile', base, recountMessageSchema, stage);
  // Two sources: the schedule, once an hour, and the queue.
  return (event) => (isBatch(event) ? work(event) : recountNewest(ports, stage));
}

function archivePorts(base: FunctionBase, settings: ReturnType<typeof readEnvironment<typeof variables>>) {
  const pages = settings.PAGES === 'on' ? pagePorts(base, settings) : null;
  if (pages === null) return undefined;
  const horizons = createHorizonStore(base.db, settings.CONFIG_TABLE);
  return { ...eventTables(base, settings), ...pages, horizons };
}

const isBatch = (event: unknown): boolean =>
  Array.isArray((event as { readonly Records?: unknown } | null)?.Records);
