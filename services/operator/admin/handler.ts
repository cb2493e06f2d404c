// What an operator of the deployment may do and no merchant can: making merchants. It answers behind a function URL that IAM
// guards, so that the permission to invoke it is the whole credential.
import { systemClock, systemRandom } from '#lib/adapters/clock/system-clock.ts';
import { createPeople } from '#lib/adapters/cognito/people.ts';
import { createAuditLog } from '#lib/adapters/dynamodb/core/audit-log.ts';
import { createDocumentClient } from '#lib/adapters/dynamodb/core/client.ts';
import { createApiKeyStore } from '#lib/adapters/dynamodb/core/keys/api-keys.ts';
import { createDataKeyStore } from '#lib/adapters/dynamodb/core/keys/data-keys.ts';
import { createMemberStore } from '#lib/adapters/dynamodb/core/tenancy/members.ts';
import { createMerchantStore, createNewMerchantStore } from '#lib/adapters/dynamodb/events/merchants.ts';
import { createLogger, logLevelFrom } from '#lib/adapters/logger/logger.ts';
import { createRequestLines } from '#lib/adapters/logger/request-lines.ts';
import { createKmsWrapper } from '#lib/adapters/vault/kms-wrapper.ts';
import { createVault } from '#lib/adapters/vault/vault.ts';
import { operatorEnvironment } from '#lib/core/tenancy/operator-environment.ts';
import { type RawEnvironment, readEnvironment } from '#lib/core/work/read-environment.ts';
import { answerOperator } from './answer.ts';
import type { SignedEvent } from './operator.ts';

/** One line for each request of an operator, who makes few. */
const LINES_PER_MINUTE = 600;

export async function createHandler(env: RawEnvironment): Promise<(event: unknown) => Promise<unknown>> {
  const settings = readEnvironment(operatorEnvironment, env);
  const logger = createLogger({
    level: logLevelFrom(settings.LOG_LEVEL),
    bindings: { service: 'operator-admin' },
  });
  const db = createDocumentClient();
  const table = settings.CONFIG_TABLE;
  const ports = {
    config: {
      ...createAuditLog(db, table),
      ...createMemberStore(db, table),
      ...createMerchantStore(db, table),
      ...createNewMerchantStore(db, table),
    },
    keys: {
      evk: createApiKeyStore(db, table, systemRandom, 'evk'),
      hdk: createApiKeyStore(db, table, systemRandom, 'hdk'),
    },
    people: settings.USER_POOL_ID === undefined ? null : createPeople(settings.USER_POOL_ID),
    vault: createVault({
      wrapper: createKmsWrapper(settings.VAULT_KEY_ARN),
      keys: createDataKeyStore(db, table),
      clock: systemClock,
    }),
    // `next` has 47 bits of the machine's secure source: a byte of each is as good as any.
    secretBytes: () => Uint8Array.from({ length: 32 }, () => Math.floor(systemRandom.next() * 256)),
    clock: systemClock,
    random: systemRandom,
    report: (problem: string, error: unknown, context?: Readonly<Record<string, string>>) =>
      logger.error({ err: error, ...context }, problem),
    answered: createRequestLines(logger, { linesPerMinute: LINES_PER_MINUTE, now: systemClock.now }),
  };
  const mustBeNamed = settings.OPERATORS_NAMED === 'true';
  return (event) => answerOperator(event as SignedEvent, mustBeNamed, ports);
}
