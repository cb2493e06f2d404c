// What log lines take of steady traffic, counted: the real writers of lines, for ten minutes of virtual time, called as often as
// functions call them at this rate. How many processes work side by side is assumed: each writes lines of its own.
import { createBatchLog } from '../../lib/adapters/logger/batch-line.ts';
import { createCallLines } from '../../lib/adapters/logger/call-lines.ts';
import { createLogger } from '../../lib/adapters/logger/logger.ts';
import { createRequestLines } from '../../lib/adapters/logger/request-lines.ts';

export interface SignalTraffic {
  /** Events a second, of all merchants. */
  readonly perSec: number;
  readonly platforms: number;
  /** Pollers of each queue, each with a process of its own. */
  readonly gatherers: number;
  /** As deployed where not given. */
  readonly linesPerMinute?: number;
  readonly metrics?: 'none' | 'few' | 'by-platform';
}

const SECONDS = 600;
/** Of one process of ingestion, one request after another. */
const REQUESTS_PER_SEC = 20;
const FOLD_EVERY_SEC = 5;
const BATCH_LINES_MS = 60_000;
const MERCHANT = '8f14e45f-ceea-467f-a111-000000000001';
const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const SPAN = '00f067aa0ba902b7';

/** Bytes of log an event, all functions together. */
export function signalBytes(traffic: SignalTraffic): number {
  const { perSec, platforms, gatherers, linesPerMinute = 10, metrics = 'few' } = traffic;
  let sizeBytes = 0;
  let nowMs = 1_795_000_000_000;
  const now = () => nowMs;
  const destination = {
    write: (line: string) => {
      sizeBytes += Buffer.byteLength(line);
    },
  };
  const loggerOf = (service: string) => createLogger({ level: 'info', bindings: { service }, destination });
  const each = <T>(count: number, make: () => T): readonly T[] => Array.from({ length: count }, make);
  const options = { linesPerMinute, metrics, now };
  const requests = each(Math.ceil(perSec / REQUESTS_PER_SEC), () =>
    createRequestLines(loggerOf('ingestion'), options),
  );
  const stages = ['normalize', 'fan-out', 'aggregate'].map((stage) =>
    each(gatherers, () => createBatchLog(loggerOf(stage), { stage, intervalMs: BATCH_LINES_MS, now })),
  );
  const senders = each(gatherers, () => createCallLines(loggerOf('fan-out'), options));
  const sweep = loggerOf('sweep');
  let events = 0;
  for (let second = 1; second <= SECONDS; second++) {
    nowMs += 1_000;
    const due = Math.floor(second * perSec) - events;
    for (let i = 0; i < due; i++) requests[(events + i) % requests.length]?.(answered);
    events += due;
    const batches = Math.min(gatherers, due);
    for (let process = 0; process < batches; process++) {
      const size = Math.ceil(due / batches);
      for (const stage of stages.slice(0, 2)) stage[process]?.record(batchOf(size));
      for (let index = 0; index < platforms; index++) senders[process]?.(connectionOf(index), callOf(size));
    }
    if (second % FOLD_EVERY_SEC === 0 && due > 0) stages[2]?.[second % gatherers]?.record(batchOf(1));
    if (second % 60 === 0) sweep.info({ rows: 10, batches: 10, slots: 10, waiting: 0, replays: 0 }, 'swept');
  }
  return sizeBytes / events;
}

const answered = {
  ...{ requestId: '4b1c7a52-9c6e-4b07-8a8e-3d3f6f5f0d11', trace: TRACE, route: '/v1/events' },
  ...{ method: 'POST', status: 202, ms: 21, merchant: MERCHANT, key: 'a1b2c3d4', bytesIn: 900, bytesOut: 60 },
  events: { accepted: 1, duplicates: 0, refused: 0, names: { AddToCart: 1 } },
};

const batchOf = (size: number) => ({
  ...{ size, failed: 0, durationMs: 180, bytes: 90 * size },
  merchants: { [MERCHANT]: size },
});

const connectionOf = (index: number) => ({
  ...{ merchantId: MERCHANT, id: `connection_${index}`, platform: `platform${index}` },
});

const callOf = (size: number) => ({
  outcomes: Array.from({ length: size }, (_, index) => ({
    ...{ kind: 'delivered' as const, code: 'ok', name: 'AddToCart', ageMs: 900 + 37 * (index % 11) },
  })),
  calls: [{ status: 200, latencyMs: 150, bytes: 700 * size }],
  traces: Array.from({ length: Math.min(4, size) }, () => ({ traceId: TRACE, parentId: SPAN, spanId: SPAN })),
});
