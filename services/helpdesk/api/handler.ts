import { setTimeout as wait } from 'node:timers/promises';
import { systemClock, systemRandom } from '#lib/adapters/clock/system-clock.ts';
import { createAuditIntents } from '#lib/adapters/dynamodb/core/audit-log.ts';
import { createDocumentClient } from '#lib/adapters/dynamodb/core/client.ts';
import { createIdempotencyStore } from '#lib/adapters/dynamodb/core/idempotency-store.ts';
import { createApiKeyStore } from '#lib/adapters/dynamodb/core/keys/api-keys.ts';
import { createDataKeyStore } from '#lib/adapters/dynamodb/core/keys/data-keys.ts';
import { createKeyUseStore } from '#lib/adapters/dynamodb/core/keys/key-uses.ts';
import { noteKeyUses } from '#lib/adapters/dynamodb/core/keys/noted-keys.ts';
import { createCallLimiter } from '#lib/adapters/dynamodb/core/limits/call-limiter.ts';
import { createMemberStore } from '#lib/adapters/dynamodb/core/tenancy/members.ts';
import { createMerchantStore } from '#lib/adapters/dynamodb/core/tenancy/merchants.ts';
import { rememberMerchants } from '#lib/adapters/dynamodb/core/tenancy/remembered-merchants.ts';
import { createHelpdeskStores } from '#lib/adapters/dynamodb/helpdesk/helpdesk-stores.ts';
import { createFunctionUrlHandler, type FunctionUrlHandler } from '#lib/adapters/fastify/function-url.ts';
import { createAddressRule } from '#lib/adapters/http/address-guard.ts';
import { createLogger, logLevelFrom } from '#lib/adapters/logger/logger.ts';
import {
  createItemQuarantine,
  createRecordQuarantine,
  createReport,
} from '#lib/adapters/logger/quarantine.ts';
import { createSessionVerifier } from '#lib/adapters/oidc/session-verifier.ts';
import { createSqsClient } from '#lib/adapters/sqs/client.ts';
import { createHelpdeskSenders } from '#lib/adapters/sqs/helpdesk-senders.ts';
import { createMessageSender } from '#lib/adapters/sqs/message-sender.ts';
import { chooseWrapper } from '#lib/adapters/vault/choose-wrapper.ts';
import { createVault } from '#lib/adapters/vault/vault.ts';
import type { SessionVerifier } from '#lib/core/ports/session-verifier.ts';
import type { Transport } from '#lib/core/ports/transport.ts';
import type { ItemQuarantine } from '#lib/core/record/unreadable-item.ts';
import {
  helpdeskEnvironment,
  type RawEnvironment,
  readEnvironment,
} from '#lib/helpdesk/domain/account/environment.ts';
import type { Pointer } from '#lib/helpdesk/work/drain.ts';
import { WEBHOOK_USER_AGENT } from '#lib/helpdesk/work/webhook-call.ts';
import { buildHelpdeskApi } from './app.ts';

const variables = helpdeskEnvironment;

type Settings = ReturnType<typeof readEnvironment<typeof variables>>;

export async function createHandler(env: RawEnvironment): Promise<FunctionUrlHandler> {
  const settings = readEnvironment(variables, env);
  const logger = createLogger({ level: logLevelFrom(settings.LOG_LEVEL), bindings: { service: 'helpdesk' } });
  const setAside = createItemQuarantine(logger, systemClock.now);
  const db = createDocumentClient();
  const tables = { table: settings.HELPDESK_TABLE, auditTable: settings.HELPDESK_AUDIT_TABLE };
  const sqs = createSqsClient({ attempts: 1 });
  const wrapper = await chooseWrapper({ keyFile: settings.VAULT_KEY_FILE, keyArn: settings.VAULT_KEY_ARN });
  const keys = createDataKeyStore(db, settings.CONFIG_TABLE);
  const addresses = createAddressRule({
    highPorts: true,
    allowedCidrs: settings.WEBHOOK_ALLOW_PRIVATE_CIDRS,
  });
  const app = buildHelpdeskApi({
    stores: createHelpdeskStores(
      db,
      tables,
      systemClock.now,
      createRecordQuarantine(logger, systemClock.now),
    ),
    config: configOf(settings, db, setAside),
    audits: createAuditIntents(db, settings.CONFIG_TABLE, 'DESK_AUDITING#', setAside),
    sessions: sessionsOf(settings),
    vault: createVault({ wrapper, keys, clock: systemClock }),
    idempotency: createIdempotencyStore(db, settings.RATES_TABLE),
    limiter: createCallLimiter(db, settings.RATES_TABLE),
    webhooks: { refused: addresses.refused, transport: once(() => loadTransport(addresses)) },
    ...createHelpdeskSenders(sqs, settings),
    acceptedMails: acceptedMailsOf(settings, sqs),
    mailDomain: settings.HELPDESK_MAIL_DOMAIN ?? null,
    origins: settings.API_CORS_ORIGINS ?? [],
    clock: systemClock,
    random: systemRandom,
    pause: (ms) => wait(ms),
    report: createReport(logger),
  });
  return await createFunctionUrlHandler(app);
}

function configOf(
  { CONFIG_TABLE: table }: Settings,
  db: ReturnType<typeof createDocumentClient>,
  setAside: ItemQuarantine,
) {
  const uses = createKeyUseStore(db, table, setAside);
  const stores = {
    ...createApiKeyStore(db, table, systemRandom, 'hdk', setAside),
    ...uses,
    ...createMemberStore(db, table, setAside),
    ...createMerchantStore(db, table),
  };
  return rememberMerchants(noteKeyUses(stores, uses, systemClock), systemClock);
}

function acceptedMailsOf(
  { HELPDESK_INBOUND_MAIL_QUEUE_URL: queueUrl }: Settings,
  sqs: ReturnType<typeof createSqsClient>,
) {
  return queueUrl === undefined ? null : createMessageSender<{ readonly accepted: Pointer }>(sqs, queueUrl);
}

/** Most processes never try a webhook. */
async function loadTransport(addresses: ReturnType<typeof createAddressRule>): Promise<Transport> {
  const { createTransport } = await import('#lib/adapters/http/transport.ts');
  return createTransport({ addresses, userAgent: WEBHOOK_USER_AGENT });
}

function once<T>(load: () => Promise<T>): () => Promise<T> {
  let loaded: Promise<T> | undefined;
  return () => {
    loaded ??= load();
    return loaded;
  };
}

/** A deployment without an identity provider still answers API keys. */
function sessionsOf({ AUTH_ISSUER, AUTH_AUDIENCE, AUTH_JWKS_URL }: Settings): SessionVerifier | null {
  if (AUTH_ISSUER === undefined || AUTH_AUDIENCE === undefined || AUTH_JWKS_URL === undefined) return null;
  const settings = { issuer: AUTH_ISSUER, audience: AUTH_AUDIENCE, jwksUrl: AUTH_JWKS_URL };
  return createSessionVerifier(settings, systemClock);
}
