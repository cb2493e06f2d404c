import { createAttributionStore } from '#lib/adapters/dynamodb/events/attribution-store.ts';
import { createCounterStore } from '#lib/adapters/dynamodb/events/counter-store.ts';
import { createMerchantStore } from '#lib/adapters/dynamodb/events/merchants.ts';
import { createConnectionStore } from '#lib/adapters/dynamodb/events/routing/connection-store.ts';
import { createRowErasure } from '#lib/adapters/dynamodb/events/rows/erased-rows.ts';
import { createErasureStore } from '#lib/adapters/dynamodb/events/tasks/erasure-store.ts';
import { createIncidentStore } from '#lib/adapters/dynamodb/events/tasks/incident-store.ts';
import { createReconciliationStore } from '#lib/adapters/dynamodb/events/tasks/reconciliation-store.ts';
import { nationalPhone } from '#lib/adapters/phone/national-phone.ts';
import { countryCode, regionCode } from '#lib/adapters/regions/region-codes.ts';
import { createSqsClient } from '#lib/adapters/sqs/client.ts';
import { createMessageSender } from '#lib/adapters/sqs/message-sender.ts';
import type { Transport } from '#lib/core/ports/transport.ts';
import { environment, type RawEnvironment, readEnvironment } from '#lib/events/domain/environment.ts';
import { createPagedErasure, createPagedEvents } from '#lib/events/pipeline/pages/paged-events.ts';
import { PLATFORMS } from '#lib/events/platforms/registry.ts';
import { EVENT_TABLES, eventTables } from '#lib/functions/event-tables.ts';
import { eventVaults, VAULT_VARIABLES } from '#lib/functions/event-vaults.ts';
import { createFunctionBase, type FunctionHandler, stageFunction } from '#lib/functions/function-base.ts';
import { pagePorts } from '#lib/functions/paged-tables.ts';
import { taskWorkSchema } from './message.ts';
import { createTaskStage } from './stage.ts';

const variables = environment.pick({
  ...VAULT_VARIABLES,
  ...EVENT_TABLES,
  ANALYTICS_TABLE: true,
  TASK_WORK_QUEUE_URL: true,
  NOTICE_MAIL_DOMAIN: true,
  PLATFORM_SANDBOX_URL: true,
});

export async function createHandler(env: RawEnvironment): Promise<FunctionHandler> {
  const settings = readEnvironment(variables, env);
  const base = createFunctionBase('tasks', settings);
  const { db, quarantine } = base;
  const tables = eventTables(base, settings);
  const stored = { ...tables.events, ...createRowErasure(db, settings.EVENTS_TABLE) };
  const pages = pagePorts(base, settings);
  let transport: Transport | undefined;
  const stage = createTaskStage({
    ...tables,
    ...(await eventVaults(base, settings)),
    erasures: createErasureStore(db, settings.CONFIG_TABLE, quarantine.items),
    events:
      pages === null
        ? stored
        : {
            ...createPagedEvents({ ...pages, events: stored }, true),
            ...createPagedErasure({ ...pages, events: stored }),
          },
    incidents: createIncidentStore(db, settings.CONFIG_TABLE, quarantine.items),
    reconciliations: createReconciliationStore(db, settings.CONFIG_TABLE, quarantine.items),
    people: createAttributionStore(db, settings.ANALYTICS_TABLE, quarantine.items),
    counters: createCounterStore(db, settings.ANALYTICS_TABLE),
    config: {
      ...createMerchantStore(db, settings.CONFIG_TABLE),
      ...createConnectionStore(db, settings.CONFIG_TABLE),
    },
    // Rare: loaded when there is something to say.
    notices: async () => {
      const domain = settings.NOTICE_MAIL_DOMAIN;
      if (domain === undefined) return null;
      const { createNoticeSender } = await import('#lib/adapters/ses/notice-sender.ts');
      return createNoticeSender(domain);
    },
    platforms: PLATFORMS,
    transport: async () => {
      transport ??= await loadTransport(settings.PLATFORM_SANDBOX_URL);
      return transport;
    },
    lookups: { nationalPhone, countryCode, regionCode },
    work: createMessageSender(createSqsClient(), settings.TASK_WORK_QUEUE_URL),
  });
  return stageFunction('tasks', base, taskWorkSchema, stage);
}

async function loadTransport(sandboxUrl: string | undefined): Promise<Transport> {
  const { createTransport } = await import('#lib/adapters/http/transport.ts');
  return createTransport(sandboxUrl === undefined ? {} : { sandboxUrl });
}
