// What an operator of the deployment may do and no merchant can (operations.ts). It answers behind a function URL that IAM
// guards, so that the permission to invoke it is the whole credential.
import type * as z from 'zod';
import { systemClock, systemPause, systemRandom } from '#lib/adapters/clock/system-clock.ts';
import { createPeople } from '#lib/adapters/cognito/people.ts';
import { createDocumentClient } from '#lib/adapters/dynamodb/core/client.ts';
import type { Db } from '#lib/adapters/dynamodb/core/items/commands.ts';
import { createKeyRotationStore } from '#lib/adapters/dynamodb/core/keys/key-rotation.ts';
import { createCounterStore } from '#lib/adapters/dynamodb/events/counter-store.ts';
import { duePlaces } from '#lib/adapters/dynamodb/events/due-places.ts';
import { createLogger, logLevelFrom } from '#lib/adapters/logger/logger.ts';
import { createRequestLines } from '#lib/adapters/logger/request-lines.ts';
import { createRotatedKeys } from '#lib/adapters/vault/rotated-keys.ts';
import { createVault } from '#lib/adapters/vault/vault.ts';
import { operatorEnvironment } from '#lib/core/tenancy/operator-environment.ts';
import { type RawEnvironment, readEnvironment } from '#lib/core/work/read-environment.ts';
import { environment } from '#lib/events/domain/environment.ts';
import { dataKeyParts } from '#lib/functions/data-keys.ts';
import { helpdeskEnvironment } from '#lib/helpdesk/domain/account/environment.ts';
import { answerOperator } from './answer.ts';
import type { SignedEvent } from './operator.ts';
import type { OperatorPorts } from './ports.ts';
import { operatorStores, sealedStoresOf } from './stores.ts';

/** Its ceilings and tables; of a deployment without it the ceilings are given and the tables are not. */
const ofEventsProduct = environment
  .pick({
    EVENTS_TABLE: true,
    BATCHES_TABLE: true,
    ANALYTICS_TABLE: true,
    SERVER_EVENTS_PER_MINUTE_MAX: true,
    SERVER_EVENTS_PER_DAY_MAX: true,
    BROWSER_EVENTS_PER_MINUTE_MAX: true,
    REPLAYS_PER_DAY_MAX: true,
  })
  .partial({ EVENTS_TABLE: true, BATCHES_TABLE: true, ANALYTICS_TABLE: true });
const ofHelpdesk = helpdeskEnvironment.pick({ HELPDESK_TABLE: true }).partial();
const variables = operatorEnvironment.extend({ ...ofEventsProduct.shape, ...ofHelpdesk.shape });

function ofEvents(
  db: Db,
  { EVENTS_TABLE, BATCHES_TABLE, ANALYTICS_TABLE }: z.output<typeof variables>,
): Pick<OperatorPorts, 'counters' | 'due'> {
  if (EVENTS_TABLE === undefined || BATCHES_TABLE === undefined || ANALYTICS_TABLE === undefined)
    return { counters: null, due: null };
  const counters = createCounterStore(db, ANALYTICS_TABLE);
  return { counters, due: { ...duePlaces(db, { events: EVENTS_TABLE, batches: BATCHES_TABLE }), counters } };
}

/** One line for each request of an operator, who makes few. */
const LINES_PER_MINUTE = 600;

export const createHandler = (env: RawEnvironment) => operatorHandler(env, 'operator-admin');

export async function operatorHandler(
  env: RawEnvironment,
  service: 'operator-admin' | 'operator-reader',
): Promise<(event: unknown) => Promise<unknown>> {
  const settings = readEnvironment(variables, env);
  const logger = createLogger({
    level: logLevelFrom(settings.LOG_LEVEL),
    bindings: { service },
  });
  const db = createDocumentClient();
  const table = settings.CONFIG_TABLE;
  const dataKeys = await dataKeyParts({ db }, settings);
  const ports = {
    ...operatorStores(db, table, systemRandom),
    ...ofEvents(db, settings),
    people: settings.USER_POOL_ID === undefined ? null : createPeople(settings.USER_POOL_ID),
    ceilings: {
      serverEventsPerMinute: settings.SERVER_EVENTS_PER_MINUTE_MAX,
      serverEventsPerDay: settings.SERVER_EVENTS_PER_DAY_MAX,
      browserEventsPerMinute: settings.BROWSER_EVENTS_PER_MINUTE_MAX,
      replaysPerDay: settings.REPLAYS_PER_DAY_MAX,
    },
    vault: createVault(dataKeys),
    rotating: {
      keys: createKeyRotationStore(db, table),
      rotated: createRotatedKeys(dataKeys),
      sealedStores: sealedStoresOf(db, table, settings.HELPDESK_TABLE),
    },
    // `next` has 47 bits of the machine's secure source: a byte of each is as good as any.
    secretBytes: () => Uint8Array.from({ length: 32 }, () => Math.floor(systemRandom.next() * 256)),
    clock: systemClock,
    pause: systemPause,
    random: systemRandom,
    report: (problem: string, error: unknown, context?: Readonly<Record<string, string>>) =>
      logger.error({ err: error, ...context }, problem),
    answered: createRequestLines(logger, { linesPerMinute: LINES_PER_MINUTE, now: systemClock.now }),
  };
  const rules = { mustBeNamed: settings.OPERATORS_NAMED === 'true', mayChange: service === 'operator-admin' };
  return (event) => answerOperator(event as SignedEvent, rules, ports);
}
