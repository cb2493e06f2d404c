import { systemClock, systemRandom } from '#lib/adapters/clock/system-clock.ts';
import { createDocumentClient } from '#lib/adapters/dynamodb/core/client.ts';
import { createDataKeyStore } from '#lib/adapters/dynamodb/core/keys/data-keys.ts';
import { createHelpdeskStores } from '#lib/adapters/dynamodb/helpdesk/helpdesk-stores.ts';
import { createAddressRule } from '#lib/adapters/http/address-guard.ts';
import { createTransport } from '#lib/adapters/http/transport.ts';
import { stageHandler } from '#lib/adapters/lambda/stage-host.ts';
import { createBatchLog } from '#lib/adapters/logger/batch-line.ts';
import { createLogger, logLevelFrom } from '#lib/adapters/logger/logger.ts';
import { createRecordQuarantine, createReport } from '#lib/adapters/logger/quarantine.ts';
import { createSqsClient } from '#lib/adapters/sqs/client.ts';
import { createHelpdeskSenders } from '#lib/adapters/sqs/helpdesk-senders.ts';
import { chooseWrapper } from '#lib/adapters/vault/choose-wrapper.ts';
import { createVault } from '#lib/adapters/vault/vault.ts';
import {
  CARRY_OUT_VARIABLES,
  helpdeskEnvironment,
  type RawEnvironment,
  readEnvironment,
} from '#lib/helpdesk/domain/account/environment.ts';
import { WEBHOOK_USER_AGENT } from '#lib/helpdesk/work/webhook-call.ts';
import { deliveryPointerSchema } from './message.ts';
import { createWebhookStage, REQUESTS_MAX } from './stage.ts';

const variables = helpdeskEnvironment.pick({
  ...CARRY_OUT_VARIABLES,
  WEBHOOK_ALLOW_PRIVATE_CIDRS: true,
  CONFIG_TABLE: true,
  VAULT_KEY_ARN: true,
  VAULT_KEY_FILE: true,
  LOG_LEVEL: true,
});

export async function createHandler(env: RawEnvironment): Promise<(event: unknown) => Promise<unknown>> {
  const settings = readEnvironment(variables, env);
  const logger = createLogger({ level: logLevelFrom(settings.LOG_LEVEL), bindings: { service: 'webhooks' } });
  const report = createReport(logger);
  const db = createDocumentClient();
  const sqs = createSqsClient();
  const tables = { table: settings.HELPDESK_TABLE, auditTable: settings.HELPDESK_AUDIT_TABLE };
  const stage = createWebhookStage({
    stores: createHelpdeskStores(
      db,
      tables,
      systemClock.now,
      createRecordQuarantine(logger, systemClock.now),
    ),
    ...createHelpdeskSenders(sqs, settings),
    vault: createVault({
      wrapper: await chooseWrapper({ keyArn: settings.VAULT_KEY_ARN, keyFile: settings.VAULT_KEY_FILE }),
      keys: createDataKeyStore(db, settings.CONFIG_TABLE),
      clock: systemClock,
    }),
    transport: createTransport({
      addresses: createAddressRule({
        highPorts: true,
        allowedCidrs: settings.WEBHOOK_ALLOW_PRIVATE_CIDRS,
      }),
      userAgent: WEBHOOK_USER_AGENT,
      // Many webhooks may be of one host: none of them waits for a socket that another one holds.
      connections: REQUESTS_MAX,
    }),
    clock: systemClock,
    random: systemRandom,
    report,
    tell: (figure, text) => logger.warn(figure, text),
  });
  const log = createBatchLog(logger, { stage: 'webhooks', intervalMs: 60_000, now: systemClock.now });
  return stageHandler(deliveryPointerSchema, stage, log, systemClock.now, report);
}
