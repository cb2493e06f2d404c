import { setTimeout as wait } from 'node:timers/promises';
import { systemClock, systemRandom } from '../../../lib/adapters/clock/system-clock.ts';
import { createApiKeyStore } from '../../../lib/adapters/dynamodb/core/api-keys.ts';
import { createAuditIntents } from '../../../lib/adapters/dynamodb/core/audit-log.ts';
import { createCallLimiter } from '../../../lib/adapters/dynamodb/core/call-limiter.ts';
import { createDocumentClient } from '../../../lib/adapters/dynamodb/core/client.ts';
import { createDataKeyStore } from '../../../lib/adapters/dynamodb/core/data-keys.ts';
import { createIdempotencyStore } from '../../../lib/adapters/dynamodb/core/idempotency-store.ts';
import { createKeyUseStore } from '../../../lib/adapters/dynamodb/core/key-uses.ts';
import { createMemberStore } from '../../../lib/adapters/dynamodb/core/members.ts';
import { createMerchantStore } from '../../../lib/adapters/dynamodb/core/merchants.ts';
import { noteKeyUses } from '../../../lib/adapters/dynamodb/core/noted-keys.ts';
import { rememberMerchants } from '../../../lib/adapters/dynamodb/core/remembered-merchants.ts';
import { createHelpdeskStores } from '../../../lib/adapters/dynamodb/helpdesk/helpdesk-stores.ts';
import {
  createFunctionUrlHandler,
  type FunctionUrlHandler,
} from '../../../lib/adapters/fastify/function-url.ts';
import { createAddressRule } from '../../../lib/adapters/http/address-guard.ts';
import { createLogger, logLevelFrom } from '../../../lib/adapters/logger/logger.ts';
import { createSessionVerifier } from '../../../lib/adapters/oidc/session-verifier.ts';
import { createSqsClient } from '../../../lib/adapters/sqs/client.ts';
import { createHelpdeskSenders } from '../../../lib/adapters/sqs/helpdesk-senders.ts';
import { chooseWrapper } from '../../../lib/adapters/vault/choose-wrapper.ts';
import { createVault } from '../../../lib/adapters/vault/vault.ts';
import type { SessionVerifier } from '../../../lib/core/ports/session-verifier.ts';
import type { Transport } from '../../../lib/core/ports/transport.ts';
import {
  helpdeskEnvironment,
  type RawEnvironment,
  readEnvironment,
} from '../../../lib/helpdesk/domain/environment.ts';
import { WEBHOOK_USER_AGENT } from '../../../lib/helpdesk/work/webhook-call.ts';
import { buildHelpdeskApi } from './app.ts';

const variables = helpdeskEnvironment;

type Settings = ReturnType<typeof readEnvironment<typeof variables>>;

export async function createHandler(env: RawEnvironment): Promise<FunctionUrlHandler> {
  const settings = readEnvironment(variables, env);
  const logger = createLogger({ level: logLevelFrom(settings.LOG_LEVEL), bindings: { service: 'helpdesk' } });
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
    stores: createHelpdeskStores(db, tables, systemClock.now, (found) =>
      logger.error({ quarantine: 'record', err: found }, 'a stored record cannot be read'),
    ),
    config: configOf(settings, db),
    audits: createAuditIntents(db, settings.CONFIG_TABLE, 'DESK_AUDITING#'),
    sessions: sessionsOf(settings),
    vault: createVault({ wrapper, keys, clock: systemClock }),
    idempotency: createIdempotencyStore(db, settings.RATES_TABLE),
    limiter: createCallLimiter(db, settings.RATES_TABLE),
    webhooks: { refused: addresses.refused, transport: once(() => loadTransport(addresses)) },
    ...createHelpdeskSenders(sqs, settings),
    mailDomain: settings.HELPDESK_MAIL_DOMAIN ?? null,
    origins: settings.API_CORS_ORIGINS ?? [],
    clock: systemClock,
    random: systemRandom,
    pause: (ms) => wait(ms),
    report: (problem, error, context) => logger.error({ err: error, ...context }, problem),
  });
  return await createFunctionUrlHandler(app);
}

function configOf({ CONFIG_TABLE: table }: Settings, db: ReturnType<typeof createDocumentClient>) {
  const uses = createKeyUseStore(db, table);
  const stores = {
    ...createApiKeyStore(db, table, systemRandom, 'hdk'),
    ...uses,
    ...createMemberStore(db, table),
    ...createMerchantStore(db, table),
  };
  return rememberMerchants(noteKeyUses(stores, uses, systemClock), systemClock);
}

/** Most processes never try a webhook. */
async function loadTransport(addresses: ReturnType<typeof createAddressRule>): Promise<Transport> {
  const { createTransport } = await import('../../../lib/adapters/http/transport.ts');
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
