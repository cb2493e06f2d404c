// Requests to platforms, as log lines and metrics. Guarantees: adding up `call` and `calls` lines gives each request once, save what
// a process still held when it ended; one whose events were not all delivered has a line of its own, 60 a minute and process; of
// the others so many as the setting says, and the rest are summed. Names merchants, connections and codes, never an event
// or a person. What became of all events since the last sum is written with it, as metrics, at most every 30 seconds.
import type { AnsweredCall, SignalledConnection } from '../../events/ports/delivery-signals.ts';
import { createCounts, createDurations } from './figures.ts';
import type { Logger } from './logger.ts';
import { METRIC_VALUES_MAX, type MetricSet, metricFields } from './metrics.ts';

const MINUTE_MS = 60_000;
/** A process that gets no more work keeps what it holds: shorter, and less is lost; longer, and fewer lines are paid for. */
const SUMS_EVERY_MS = 30_000;
const FAILED_MAX = 60;
const SHOWN = 10;
const MERCHANTS_SHOWN = 5;

export interface CallLinesOptions {
  /** Requests whose events were all delivered, by minute and process. */
  readonly linesPerMinute: number;
  readonly metrics: MetricSet;
  /** Called for what has a line of its own. */
  readonly callShown?: ((connection: SignalledConnection, call: AnsweredCall) => void) | undefined;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
}

interface Fate {
  delivered: number;
  retried: number;
  notDelivered: number;
}

interface Sums extends Fate {
  /** Requests that have no line of their own. */
  batches: number;
  calls: number;
  events: number;
  bytes: number;
  readonly ms: ReturnType<typeof createDurations>;
  readonly codes: ReturnType<typeof createCounts>;
  readonly merchants: ReturnType<typeof createCounts>;
  readonly connections: Set<string>;
  /** Of all requests, those with lines of their own among them. */
  readonly fates: Map<string, Fate>;
  readonly latency: ReturnType<typeof createDurations>;
}

const noFate = (): Fate => ({ delivered: 0, retried: 0, notDelivered: 0 });
const nothing = (): Sums => ({
  ...noFate(),
  ...{ batches: 0, calls: 0, events: 0, bytes: 0 },
  ...{ ms: createDurations(), codes: createCounts(), merchants: createCounts() },
  ...{ connections: new Set<string>(), fates: new Map<string, Fate>(), latency: createDurations() },
});

/** To be called with each request that was answered. */
export function createCallLines(
  logger: Logger,
  { linesPerMinute, metrics, callShown, now }: CallLinesOptions,
): (connection: SignalledConnection, call: AnsweredCall) => void {
  let own = { startedAtMs: now(), good: 0, failed: 0 };
  let held = nothing();
  let writtenAtMs = Number.NEGATIVE_INFINITY;
  return (connection, call) => {
    const nowMs = now();
    if (nowMs - own.startedAtMs >= MINUTE_MS) own = { startedAtMs: nowMs, good: 0, failed: 0 };
    const fate = fateOf(call);
    const kind = fate.delivered === call.outcomes.length ? 'good' : 'failed';
    own[kind] += 1;
    if (own[kind] <= (kind === 'failed' ? FAILED_MAX : linesPerMinute)) {
      writeOne(logger, connection, call, fate);
      callShown?.(connection, call);
    } else addCall(held, connection, call, fate);
    addFate(held, connection, call, fate);
    if (nowMs - writtenAtMs < SUMS_EVERY_MS) return;
    writeSums(logger, held, metrics, nowMs);
    held = nothing();
    writtenAtMs = nowMs;
  };
}

function fateOf({ outcomes }: AnsweredCall): Fate {
  const fate = noFate();
  for (const { kind } of outcomes) {
    if (kind === 'delivered' || kind === 'duplicate') fate.delivered += 1;
    else if (kind === 'permanent' || kind === 'batch_refused') fate.notDelivered += 1;
    else fate.retried += 1;
  }
  return fate;
}

function writeOne(
  logger: Logger,
  { merchantId, id, platform }: SignalledConnection,
  { outcomes, calls, traces }: AnsweredCall,
  fate: Fate,
): void {
  const names = createCounts();
  const codes = createCounts();
  for (const { name, code, kind } of outcomes) {
    names.add(name);
    codes.add(code ?? kind);
  }
  const ms = createDurations();
  for (const { latencyMs } of calls) ms.add(latencyMs);
  logger.info(
    {
      ...{ kind: 'call', platform, connection: id, merchant: merchantId },
      ...{ events: outcomes.length, ...fate },
      ...{ calls: calls.length, status: calls.at(-1)?.status, p50: ms.at(0.5), p99: ms.at(0.99) },
      bytes: calls.reduce((sum, { bytes }) => sum + bytes, 0),
      ...{ names: names.top(SHOWN), codes: codes.top(SHOWN) },
      ...(traces.length === 0 ? {} : { traces: traces.map(({ traceId }) => traceId) }),
    },
    'call',
  );
}

function addCall(sums: Sums, connection: SignalledConnection, call: AnsweredCall, fate: Fate): void {
  sums.batches += 1;
  sums.events += call.outcomes.length;
  addTo(sums, fate);
  for (const { latencyMs, bytes } of call.calls) {
    sums.calls += 1;
    sums.bytes += bytes;
    sums.ms.add(latencyMs);
  }
  for (const { code, kind } of call.outcomes) sums.codes.add(code ?? kind);
  sums.merchants.add(connection.merchantId, call.outcomes.length);
  if (sums.connections.size < 1_000) sums.connections.add(connection.id);
}

function addFate(
  sums: Sums,
  { platform }: SignalledConnection,
  { outcomes }: AnsweredCall,
  fate: Fate,
): void {
  const known = sums.fates.get(platform) ?? noFate();
  sums.fates.set(platform, known);
  addTo(known, fate);
  for (const { kind, ageMs } of outcomes)
    if (kind === 'delivered' || kind === 'duplicate') sums.latency.add(ageMs);
}

function addTo(sum: Fate, { delivered, retried, notDelivered }: Fate): void {
  sum.delivered += delivered;
  sum.retried += retried;
  sum.notDelivered += notDelivered;
}

function writeSums(logger: Logger, sums: Sums, metrics: MetricSet, nowMs: number): void {
  const { ms, codes, merchants, connections, fates, latency, ...counted } = sums;
  const all = noFate();
  for (const fate of fates.values()) addTo(all, fate);
  const latencies = latency.values(METRIC_VALUES_MAX);
  const measured = {
    ...valuesOf(all),
    ...(latencies.length === 0 ? {} : { DeliveryLatency: latencies }),
  };
  const summed =
    sums.batches === 0
      ? {}
      : {
          ...counted,
          ...{ connections: connections.size, p50: ms.at(0.5), p99: ms.at(0.99) },
          ...{ codes: codes.top(SHOWN), merchants: merchants.top(MERCHANTS_SHOWN) },
        };
  if (metrics !== 'none' || sums.batches > 0)
    logger.info(
      { kind: 'calls', ...summed, ...(metrics === 'none' ? {} : metricFields(measured, nowMs)) },
      'calls',
    );
  if (metrics !== 'by-platform') return;
  for (const [platform, fate] of fates)
    logger.info({ kind: 'calls', ...metricFields(valuesOf(fate), nowMs, { platform }) }, 'calls');
}

/** What did not happen is not written: a metric that is never written costs nothing. */
function valuesOf({ delivered, retried, notDelivered }: Fate) {
  return {
    ...(delivered === 0 ? {} : { Delivered: delivered }),
    ...(retried === 0 ? {} : { Retried: retried }),
    ...(notDelivered === 0 ? {} : { NotDelivered: notDelivered }),
  };
}
