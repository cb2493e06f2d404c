import { systemClock, systemPause, systemRandom } from '#lib/adapters/clock/system-clock.ts';
import { createAuditIntents } from '#lib/adapters/dynamodb/core/audit-log.ts';
import { createIdempotencyStore } from '#lib/adapters/dynamodb/core/idempotency-store.ts';
import { createApiKeyStore } from '#lib/adapters/dynamodb/core/keys/api-keys.ts';
import { createKeyUseStore } from '#lib/adapters/dynamodb/core/keys/key-uses.ts';
import { noteKeyUses } from '#lib/adapters/dynamodb/core/keys/noted-keys.ts';
import { createCallLimiter } from '#lib/adapters/dynamodb/core/limits/call-limiter.ts';
import { createMemberStore } from '#lib/adapters/dynamodb/core/tenancy/members.ts';
import { createProfileStore } from '#lib/adapters/dynamodb/core/tenancy/profiles.ts';
import { rememberProfiles } from '#lib/adapters/dynamodb/core/tenancy/remembered-profiles.ts';
import { createFunctionUrlHandler, type FunctionUrlHandler } from '#lib/adapters/fastify/function-url.ts';
import { createAddressRule } from '#lib/adapters/http/address-guard.ts';
import { createSqsClient } from '#lib/adapters/sqs/client.ts';
import { createMessageSender } from '#lib/adapters/sqs/message-sender.ts';
import { createVault } from '#lib/adapters/vault/vault.ts';
import type { Transport } from '#lib/core/ports/transport.ts';
import { onceItWorks } from '#lib/core/work/once-it-works.ts';
import { dataKeyParts } from '#lib/functions/data-keys.ts';
import { createFunctionBase, type FunctionBase } from '#lib/functions/function-base.ts';
import { helpdeskPorts } from '#lib/functions/helpdesk-ports.ts';
import { sessionVerifier } from '#lib/functions/session-verifier.ts';
import {
  helpdeskEnvironment,
  type RawEnvironment,
  readEnvironment,
} from '#lib/helpdesk/domain/account/environment.ts';
import type { Pointer } from '#lib/helpdesk/domain/pointer.ts';
import { WEBHOOK_USER_AGENT } from '#lib/helpdesk/work/webhook-call.ts';
import { buildHelpdeskApi } from './app.ts';

type Settings = ReturnType<typeof readEnvironment<typeof helpdeskEnvironment>>;

export async function createHandler(env: RawEnvironment): Promise<FunctionUrlHandler> {
  const settings = readEnvironment(helpdeskEnvironment, env);
  const base = createFunctionBase('helpdesk', settings);
  const { db, quarantine } = base;
  const sqs = createSqsClient({ attempts: 1 });
  const addresses = createAddressRule({
    highPorts: true,
    allowedCidrs: settings.WEBHOOK_ALLOW_PRIVATE_CIDRS,
  });
  const app = buildHelpdeskApi({
    ...helpdeskPorts(base, settings, sqs),
    config: configOf(settings, base),
    audits: createAuditIntents(db, settings.CONFIG_TABLE, 'DESK_AUDITING#', quarantine.items),
    sessions: sessionVerifier(settings),
    vault: createVault(await dataKeyParts(base, settings)),
    idempotency: createIdempotencyStore(db, settings.RATES_TABLE),
    limiter: createCallLimiter(db, settings.RATES_TABLE),
    webhooks: { refused: addresses.refused, transport: onceItWorks(() => loadTransport(addresses)) },
    acceptedMails: acceptedMailsOf(settings, sqs),
    mailDomain: settings.HELPDESK_MAIL_DOMAIN ?? null,
    origins: settings.API_CORS_ORIGINS ?? [],
    pause: systemPause,
    answered: base.answered,
  });
  return await createFunctionUrlHandler(app, base.finished);
}

function configOf({ CONFIG_TABLE: table }: Settings, { db, quarantine }: FunctionBase) {
  const uses = createKeyUseStore(db, table, quarantine.items);
  const stores = {
    ...createApiKeyStore(db, table, systemRandom, 'hdk', quarantine.items),
    ...uses,
    ...createMemberStore(db, table, quarantine.items),
  };
  return {
    ...noteKeyUses(stores, uses, systemClock),
    merchant: rememberProfiles(createProfileStore(db, table).merchant, systemClock).read,
  };
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
