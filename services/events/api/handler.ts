import { systemClock, systemRandom } from '#lib/adapters/clock/system-clock.ts';
import { createUnitMeter } from '#lib/adapters/concurrency/unit-meter.ts';
import { createIdempotencyStore } from '#lib/adapters/dynamodb/core/idempotency-store.ts';
import { noteKeyUses } from '#lib/adapters/dynamodb/core/keys/noted-keys.ts';
import { createLeaseStore } from '#lib/adapters/dynamodb/core/lease-store.ts';
import { createLimitRecord } from '#lib/adapters/dynamodb/core/limits/limit-record.ts';
import { meterUnits } from '#lib/adapters/dynamodb/core/metered-client.ts';
import { createAttributionStore } from '#lib/adapters/dynamodb/events/attribution-store.ts';
import { createBillingStore } from '#lib/adapters/dynamodb/events/billing-store.ts';
import { createCounterStore } from '#lib/adapters/dynamodb/events/counter-store.ts';
import { createOrderStore } from '#lib/adapters/dynamodb/events/order-store.ts';
import { createRefusalStore } from '#lib/adapters/dynamodb/events/refusal-store.ts';
import { rememberMerchants } from '#lib/adapters/dynamodb/events/remembered-merchants.ts';
import { createConfigStores } from '#lib/adapters/dynamodb/events/routing/config-stores.ts';
import { createErasureStore } from '#lib/adapters/dynamodb/events/tasks/erasure-store.ts';
import { createIncidentStore } from '#lib/adapters/dynamodb/events/tasks/incident-store.ts';
import { createReconciliationStore } from '#lib/adapters/dynamodb/events/tasks/reconciliation-store.ts';
import { createReplayStore } from '#lib/adapters/dynamodb/events/tasks/replay-store.ts';
import { createFunctionUrlHandler, type FunctionUrlHandler } from '#lib/adapters/fastify/function-url.ts';
import { createSqsClient } from '#lib/adapters/sqs/client.ts';
import { createMessageSender } from '#lib/adapters/sqs/message-sender.ts';
import type { Transport } from '#lib/core/ports/transport.ts';
import { createUnitBudget } from '#lib/core/tenancy/unit-budget.ts';
import { createLeasedCalls } from '#lib/core/work/leased-calls.ts';
import { onceItWorks } from '#lib/core/work/once-it-works.ts';
import type { TaskWork } from '#lib/events/domain/deliveries/task-work.ts';
import { environment, type RawEnvironment, readEnvironment } from '#lib/events/domain/environment.ts';
import type { IdentityLookups } from '#lib/events/domain/identity/lookups.ts';
import { signUpEnvironment } from '#lib/events/domain/sign-up.ts';
import { createSuspicions } from '#lib/events/pipeline/connections/suspicions.ts';
import { createBucketMarker } from '#lib/events/pipeline/counting/due-buckets.ts';
import { withOpenBuckets } from '#lib/events/pipeline/counting/open-buckets.ts';
import { createJoinedEventStore } from '#lib/events/pipeline/outcomes-of-batches.ts';
import { PLATFORMS } from '#lib/events/platforms/registry.ts';
import { deployedPlatforms } from '#lib/functions/deployed-platforms.ts';
import { EVENT_TABLES } from '#lib/functions/event-tables.ts';
import { eventVaults, VAULT_VARIABLES } from '#lib/functions/event-vaults.ts';
import { createFunctionBase, type FunctionBase } from '#lib/functions/function-base.ts';
import { pagedTables } from '#lib/functions/paged-tables.ts';
import { sessionVerifier } from '#lib/functions/session-verifier.ts';
import { buildApi } from './app.ts';
import { namesSecrets, paymentsOf } from './billing/payments.ts';
import type { AssistantPorts } from './ports.ts';

const variables = environment
  .pick({
    ...EVENT_TABLES,
    PLATFORMS: true,
    CALL_LIMITS_FACTOR: true,
    READ_UNITS_PER_DAY_MAX: true,
    WRITE_UNITS_PER_DAY_MAX: true,
    BROWSER_EVENTS_PER_MINUTE_MAX: true,
    ANALYTICS_TABLE: true,
    RATES_TABLE: true,
    ACCEPTED_QUEUE_URL: true,
    REPLAYS_QUEUE_URL: true,
    TASK_WORK_QUEUE_URL: true,
    ...VAULT_VARIABLES,
    PLATFORM_SANDBOX_URL: true,
    API_CORS_ORIGINS: true,
    AUTH_ISSUER: true,
    AUTH_AUDIENCE: true,
    AUTH_JWKS_URL: true,
    STRIPE_SECRET_KEY_PARAMETER: true,
    STRIPE_WEBHOOK_SECRET_PARAMETER: true,
    STRIPE_API_URL: true,
  })
  .partial({ AUTH_ISSUER: true, AUTH_AUDIENCE: true, AUTH_JWKS_URL: true });

/** Longer than a request may take. */
const REPLAY_COMMIT_MS = 30_000;

export async function createHandler(env: RawEnvironment): Promise<FunctionUrlHandler> {
  const settings = readEnvironment(variables, env);
  const base = createFunctionBase('api', settings);
  const { db } = base;
  const setAside = base.quarantine.items;
  const counters = createCounterStore(db, settings.ANALYTICS_TABLE);
  const sqs = createSqsClient({ attempts: 1 });
  const taskWork = createMessageSender<TaskWork>(sqs, settings.TASK_WORK_QUEUE_URL);
  const { events, batches } = pagedTables(base, settings);
  const orders = createOrderStore(db, settings.ANALYTICS_TABLE, setAside);
  const { SIGN_UP: rules } = readEnvironment(signUpEnvironment, env);
  const shares = createLeaseStore(db, settings.RATES_TABLE);
  const stores = createConfigStores(db, settings.CONFIG_TABLE, systemRandom, setAside);
  const app = buildApi({
    events: createJoinedEventStore(events, batches),
    stored: { events, batches, orders },
    orders,
    people: createAttributionStore(db, settings.ANALYTICS_TABLE, setAside),
    counters: {
      ...counters,
      range: withOpenBuckets(counters.range, {
        events,
        batches,
        orders,
        platforms: PLATFORMS,
        clock: systemClock,
        report: base.report,
      }),
    },
    replaying: {
      events,
      slots: createBucketMarker(counters, systemClock, REPLAY_COMMIT_MS),
      accepted: createMessageSender(sqs, settings.ACCEPTED_QUEUE_URL),
      plans: createReplayStore(db, settings.CONFIG_TABLE, setAside),
      work: createMessageSender(sqs, settings.REPLAYS_QUEUE_URL),
    },
    browserLimit: createLimitRecord(db, settings.RATES_TABLE),
    calls: createLeasedCalls(shares, settings.CALL_LIMITS_FACTOR),
    units: unitsOf(db, settings),
    ceilings: {
      retentionDays: settings.RETENTION_DAYS_MAX,
      browserEventsPerMinute: settings.BROWSER_EVENTS_PER_MINUTE_MAX,
    },
    refusals: createRefusalStore(db, settings.ANALYTICS_TABLE, setAside),
    idempotency: createIdempotencyStore(db, settings.RATES_TABLE),
    config: rememberMerchants(noteKeyUses(stores, stores, systemClock), systemClock),
    signUp: rules === undefined ? null : { rules, shares },
    incidents: createIncidentStore(db, settings.CONFIG_TABLE, setAside),
    suspicions: createSuspicions({ taskWork, clock: systemClock, report: base.report }),
    billing: createBillingStore(db, settings.CONFIG_TABLE),
    payments: paymentsOf(settings, { clock: systemClock, random: systemRandom, readSecrets }),
    namesPayments: namesSecrets(settings),
    ...(await eventVaults(base, settings)),
    privacy: { erasures: createErasureStore(db, settings.CONFIG_TABLE, setAside), work: taskWork },
    reconciling: { jobs: createReconciliationStore(db, settings.CONFIG_TABLE, setAside), work: taskWork },
    sessions: sessionVerifier(settings),
    platforms: deployedPlatforms(settings.PLATFORMS),
    lookups: onceItWorks(loadLookups),
    transport: onceItWorks(() => loadTransport(settings.PLATFORM_SANDBOX_URL)),
    assistant: await loadAssistant(env, db, settings.RATES_TABLE),
    origins: settings.API_CORS_ORIGINS ?? [],
    clock: systemClock,
    random: systemRandom,
    report: base.report,
    answered: base.answered,
  });
  return await createFunctionUrlHandler(app, base.finished);
}

/** Modules that only previews and tests need: bundled, but not run at a cold start. */
async function loadLookups(): Promise<IdentityLookups> {
  const { nationalPhone } = await import('#lib/adapters/phone/national-phone.ts');
  const { countryCode, regionCode } = await import('#lib/adapters/regions/region-codes.ts');
  return { nationalPhone, countryCode, regionCode };
}

/** Read at the start, so that settings that do not go together are found then; nothing of it where there is no assistant. */
async function loadAssistant(
  env: RawEnvironment,
  db: FunctionBase['db'],
  table: string,
): Promise<AssistantPorts | null> {
  if (env.AI_PROVIDER === undefined) return null;
  const { assistantOf } = await import('./assistant/configured.ts');
  return assistantOf(env, db, table);
}

async function loadTransport(sandboxUrl: string | undefined): Promise<Transport> {
  const { createTransport } = await import('#lib/adapters/http/transport.ts');
  return createTransport(sandboxUrl === undefined ? {} : { sandboxUrl });
}

function unitsOf(
  db: FunctionBase['db'],
  {
    RATES_TABLE: table,
    READ_UNITS_PER_DAY_MAX: read,
    WRITE_UNITS_PER_DAY_MAX: write,
  }: Pick<
    ReturnType<typeof readEnvironment<typeof variables>>,
    'RATES_TABLE' | 'READ_UNITS_PER_DAY_MAX' | 'WRITE_UNITS_PER_DAY_MAX'
  >,
) {
  const meter = createUnitMeter();
  meterUnits(db, meter.add);
  return { meter, ...createUnitBudget(createLeaseStore(db, table), { read, write }) };
}

async function readSecrets(names: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const { readParameters } = await import('#lib/adapters/ssm/parameters.ts');
  return await readParameters(names);
}
