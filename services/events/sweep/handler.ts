import { systemClock } from '#lib/adapters/clock/system-clock.ts';
import { createCounterStore } from '#lib/adapters/dynamodb/events/counter-store.ts';
import { createHorizonStore } from '#lib/adapters/dynamodb/events/pages/horizons.ts';
import { createTableExpiry } from '#lib/adapters/dynamodb/events/pages/table-expiry.ts';
import { createConnectionStore } from '#lib/adapters/dynamodb/events/routing/connection-store.ts';
import { createPlatformPauseStore } from '#lib/adapters/dynamodb/events/routing/platform-pauses.ts';
import { createReplayStore } from '#lib/adapters/dynamodb/events/tasks/replay-store.ts';
import { createSqsClient } from '#lib/adapters/sqs/client.ts';
import { createMessageSender } from '#lib/adapters/sqs/message-sender.ts';
import { createPlatformSenders } from '#lib/adapters/sqs/platform-senders.ts';
import { environment, type RawEnvironment, readEnvironment } from '#lib/events/domain/environment.ts';
import { withPausedPlatforms } from '#lib/events/pipeline/connections/paused-platforms.ts';
import { createExpiryGuard } from '#lib/events/pipeline/pages/guard-expiry.ts';
import { resumePlans } from '#lib/events/pipeline/recovery/resume-plans.ts';
import { deployedPlatforms } from '#lib/functions/deployed-platforms.ts';
import { EVENT_TABLES, eventTables } from '#lib/functions/event-tables.ts';
import { createFunctionBase, type FunctionHandler } from '#lib/functions/function-base.ts';
import { restingSources } from '#lib/functions/resting-sources.ts';
import { createClosingWindows } from './closing-windows.ts';
import { createOldest } from './oldest.ts';
import { runSweep } from './stage.ts';

const variables = environment.pick({
  ...EVENT_TABLES,
  PLATFORMS: true,
  ANALYTICS_TABLE: true,
  CONFIG_TABLE: true,
  NORMALIZED_QUEUE_URL: true,
  COUNTER_REFRESH_QUEUE_URL: true,
  DELIVERY_QUEUE_URLS: true,
  DUE_WORK_QUEUE_URL: true,
  REPLAYS_QUEUE_URL: true,
  TASK_WORK_QUEUE_URL: true,
  AUDIT_QUEUE_URL: true,
  EVENT_SOURCES: true,
});

export async function createHandler(env: RawEnvironment): Promise<FunctionHandler> {
  const settings = readEnvironment(variables, env);
  const base = createFunctionBase('sweep', settings);
  const { db, logger, quarantine } = base;
  const sqs = createSqsClient();
  const oldest = createOldest(systemClock);
  const ports = {
    ...oldest,
    ...eventTables(base, settings),
    counters: createCounterStore(db, settings.ANALYTICS_TABLE),
    config: withPausedPlatforms(
      createConnectionStore(db, settings.CONFIG_TABLE, quarantine.items),
      createPlatformPauseStore(db, settings.CONFIG_TABLE),
      systemClock,
    ),
    normalized: createMessageSender(sqs, settings.NORMALIZED_QUEUE_URL, { fair: false }),
    deliveries: createPlatformSenders(sqs, settings.DELIVERY_QUEUE_URLS),
    platforms: deployedPlatforms(settings.PLATFORMS),
    work: createMessageSender(sqs, settings.DUE_WORK_QUEUE_URL),
    counterRefresh: createMessageSender(sqs, settings.COUNTER_REFRESH_QUEUE_URL),
    replays: createReplayStore(db, settings.CONFIG_TABLE, quarantine.items),
    replayWork: createMessageSender(sqs, settings.REPLAYS_QUEUE_URL),
    windows: createClosingWindows({
      taskWork: createMessageSender(sqs, settings.TASK_WORK_QUEUE_URL),
      clock: systemClock,
      report: base.report,
    }),
  };
  const queues = {
    ...settings.DELIVERY_QUEUE_URLS,
    DueWork: settings.DUE_WORK_QUEUE_URL,
    Replays: settings.REPLAYS_QUEUE_URL,
    TaskWork: settings.TASK_WORK_QUEUE_URL,
    Audit: settings.AUDIT_QUEUE_URL,
  };
  // What is new is sent without the queue of its platform: those hold what waits anyway.
  const unhurried = Object.keys(settings.DELIVERY_QUEUE_URLS);
  const tend = restingSources(base, sqs, settings.EVENT_SOURCES, queues, unhurried);
  const guard = createExpiryGuard({
    horizons: createHorizonStore(db, settings.CONFIG_TABLE),
    expiry: createTableExpiry(db, [settings.EVENTS_TABLE, settings.BATCHES_TABLE]),
    clock: systemClock,
    archives: settings.PAGES === 'on',
    report: base.report,
  });
  return async () => {
    const [swept, replays, , late] = await Promise.all([
      runSweep(ports),
      resumePlans(ports),
      tend(),
      guard(),
    ]);
    const report = { ...swept, replays };
    base.waiting(report.waiting + late);
    base.measure(oldest.measured());
    if (report.rows + report.batches + report.slots + report.replays > 0) logger.info(report, 'swept');
    return report;
  };
}
