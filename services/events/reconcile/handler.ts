import { systemClock } from '../../../lib/adapters/clock/system-clock.ts';
import { createDocumentClient } from '../../../lib/adapters/dynamodb/core/client.ts';
import { createDayKeyStore } from '../../../lib/adapters/dynamodb/core/day-keys.ts';
import { merchants } from '../../../lib/adapters/dynamodb/core/merchants.ts';
import { createBatchStore } from '../../../lib/adapters/dynamodb/events/batch-store.ts';
import { createCounterStore } from '../../../lib/adapters/dynamodb/events/counter-store.ts';
import { createEventStore } from '../../../lib/adapters/dynamodb/events/event-store.ts';
import { createLogger, logLevelFrom } from '../../../lib/adapters/logger/logger.ts';
import { createQuarantineLog, createReport } from '../../../lib/adapters/logger/quarantine.ts';
import { createSqsClient } from '../../../lib/adapters/sqs/client.ts';
import { createMessageSender } from '../../../lib/adapters/sqs/message-sender.ts';
import type { Merchant } from '../../../lib/core/tenancy/merchant.ts';
import { environment, type RawEnvironment, readEnvironment } from '../../../lib/events/domain/environment.ts';
import { PLATFORMS } from '../../../lib/events/platforms/registry.ts';
import { runErasure } from './erasure.ts';
import { runReconcile } from './stage.ts';

const variables = environment.pick({
  EVENTS_TABLE: true,
  BATCHES_TABLE: true,
  ANALYTICS_TABLE: true,
  CONFIG_TABLE: true,
  COUNTER_REFRESH_QUEUE_URL: true,
  LOG_LEVEL: true,
});

export async function createHandler(env: RawEnvironment): Promise<(event: unknown) => Promise<unknown>> {
  const settings = readEnvironment(variables, env);
  const logger = createLogger({
    level: logLevelFrom(settings.LOG_LEVEL),
    bindings: { service: 'reconcile' },
  });
  const db = createDocumentClient();
  const quarantine = createQuarantineLog(logger, systemClock.now);
  const ports = {
    events: createEventStore(db, settings.EVENTS_TABLE, quarantine),
    batches: createBatchStore(db, settings.BATCHES_TABLE, quarantine),
    counters: createCounterStore(db, settings.ANALYTICS_TABLE),
    counterRefresh: createMessageSender(createSqsClient(), settings.COUNTER_REFRESH_QUEUE_URL),
    platforms: PLATFORMS,
    clock: systemClock,
    report: createReport(logger),
  };
  const erasure = {
    dayKeys: createDayKeyStore(db, settings.CONFIG_TABLE),
    clock: systemClock,
    report: ports.report,
  };
  return async () => {
    const everyMerchant: Merchant[] = [];
    for await (const merchant of merchants(db, settings.CONFIG_TABLE)) everyMerchant.push(merchant);
    // First: whatever the audit meets, what is due to be erased is erased.
    const erased = await runErasure(everyMerchant, erasure);
    logger[erased.failedMerchants === 0 ? 'info' : 'warn'](erased, 'erased');
    const ids = async function* () {
      for (const { merchantId } of everyMerchant) yield merchantId;
    };
    const report = await runReconcile({ ...ports, merchants: ids });
    // The alarm reads `drift` from this line.
    logger[report.drift + report.failed === 0 ? 'info' : 'warn'](report, 'reconciled');
    return { ...report, ...erased };
  };
}
