// What every function has: its logger, reports of what failed or cannot be read, and DynamoDB. `handler.ts` files alone import
// this folder; everything else gets ports.
import type { ZodType } from 'zod';
import { systemClock } from '../adapters/clock/system-clock.ts';
import { createDocumentClient } from '../adapters/dynamodb/core/client.ts';
import { stageHandler } from '../adapters/lambda/stage-host.ts';
import { createBatchLog } from '../adapters/logger/batch-line.ts';
import { createLogger, logLevelFrom } from '../adapters/logger/logger.ts';
import { type MetricSet, metricFields } from '../adapters/logger/metrics.ts';
import {
  createItemQuarantine,
  createQuarantineLog,
  createRecordQuarantine,
  createReport,
} from '../adapters/logger/quarantine.ts';
import { createRequestLines } from '../adapters/logger/request-lines.ts';
import { createWaitLine } from '../adapters/logger/wait-line.ts';
import { createEventSpans } from '../adapters/otlp/event-spans.ts';
import { createExporter } from '../adapters/otlp/exporter.ts';
import type { BatchResult, Received } from '../core/ports/queue.ts';
import { MINUTE_MS } from '../core/work/time-slot.ts';

const BATCH_LINES_MS = 60_000;
/** How long a message may wait for a stage, with the first repetitions of what failed; minutes. */
const WAIT_MAX = 20;
const WAIT_MAX_OF: Readonly<Record<string, number>> = {
  normalize: 10,
  'fan-out': 10,
  webhooks: 25,
  tasks: 60,
  reconcile: 60,
};

export type FunctionHandler = (event: unknown) => Promise<unknown>;

export type FunctionBase = ReturnType<typeof createFunctionBase>;

export interface SignalSettings {
  readonly LOG_LEVEL?: string | undefined;
  readonly LINES_PER_MINUTE?: number;
  readonly METRICS?: MetricSet;
  readonly METRIC_NAMESPACE?: string | undefined;
  readonly OTLP_URL?: string | undefined;
}

/** `service` names the function in its log lines. */
export function createFunctionBase(
  service: string,
  { LOG_LEVEL, LINES_PER_MINUTE = 10, METRICS = 'few', METRIC_NAMESPACE, OTLP_URL }: SignalSettings,
) {
  const { now } = systemClock;
  const logger = createLogger({ level: logLevelFrom(LOG_LEVEL), bindings: { service } });
  const report = createReport(logger);
  const exporter =
    OTLP_URL === undefined ? undefined : createExporter({ url: OTLP_URL, service, now, report });
  const own = { linesPerMinute: LINES_PER_MINUTE, now };
  const spans = exporter === undefined ? undefined : createEventSpans({ ...own, add: exporter.add });
  const signalling = { ...own, metrics: METRICS, namespace: METRIC_NAMESPACE, ...spans };
  return {
    logger,
    /** How much is said of what happens. */
    signalling,
    /** Writes metrics, where the deployment has any. */
    measure: (values: Parameters<typeof metricFields>[0]): void => {
      if (METRICS !== 'none' && Object.keys(values).length > 0)
        logger.info({ kind: 'metrics', ...metricFields(values, now(), {}, METRIC_NAMESPACE) }, 'metrics');
    },
    report,
    /** To be waited for before an invocation ends. */
    finished: async (): Promise<void> => await exporter?.flush(),
    /** Called for what is stored and cannot be read. */
    quarantine: {
      rows: createQuarantineLog(logger, now),
      /** Of the config table. */
      items: createItemQuarantine(logger, now),
      /** Of the helpdesk. */
      records: createRecordQuarantine(logger, now),
    },
    /** Called with each request that a public URL answered: the alarm counts those from 500 on. */
    answered: createRequestLines(logger, signalling),
    /** Called with the number of rows that have waited for too long: the alarm counts the lines. */
    waiting: (rows: number): void => {
      if (rows > 0) logger.error({ metric: 'waiting', value: rows }, 'rows have waited for too long');
    },
    db: createDocumentClient(),
  };
}

/** The function that SQS calls with batches for a stage. */
export function stageFunction<Message>(
  name: string,
  { logger, report, finished }: Pick<FunctionBase, 'logger' | 'report' | 'finished'>,
  schema: ZodType<Message>,
  stage: (messages: readonly Received<Message>[]) => Promise<BatchResult>,
): FunctionHandler {
  const { now } = systemClock;
  const log = createBatchLog(logger, { stage: name, intervalMs: BATCH_LINES_MS, now });
  const maxMs = (WAIT_MAX_OF[name] ?? WAIT_MAX) * MINUTE_MS;
  const waited = createWaitLine(logger, { stage: name, maxMs, now });
  const run = stageHandler(schema, stage, log, now, report, waited);
  return async (event) => {
    try {
      return await run(event);
    } finally {
      await finished();
    }
  };
}
