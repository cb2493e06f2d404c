// Requests to platforms, as log lines and metrics. Guarantees: adding up `call` and `calls` lines gives each request once, save what
// a process still held when it ended; one whose events were not all delivered has a line of its own, 60 a minute and process; of
// the others so many as the setting says, and the rest are summed. Names merchants, connections and codes, never an event
// or a person. What became of all events since the last sum is written with it, as metrics, at most every 30 seconds.
import { createMinuteQuota } from '../../core/signals/minute-quota.ts';
import { isTaken } from '../../events/domain/deliveries/delivery.ts';
import type { AnsweredCall, SignalledConnection } from '../../events/ports/delivery-signals.ts';
import { type Counts, createCounts, createDurations, type Durations } from './figures.ts';
import type { Logger } from './logger.ts';
import { METRIC_VALUES_MAX, type MetricSet, metricFields } from './metrics.ts';

/** A process that gets no more work keeps what it holds: shorter, and less is lost; longer, and fewer lines are paid for. */
const SUMS_EVERY_MS = 30_000;
const FAILED_MAX = 60;
const SHOWN = 10;
const MERCHANTS_SHOWN = 5;

export interface CallLinesOptions {
  /** Requests whose events were all delivered, by minute and process. */
  readonly linesPerMinute: number;
  readonly metrics: MetricSet;
  readonly namespace?: string | undefined;
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

interface Measured {
  events: number;
  calls: number;
  bytes: number;
  /** Orders that waited for their page, and for how long in all. */
  waited: number;
  waitedMs: number;
  readonly ms: Durations;
  readonly codes: Counts;
}

interface Sums extends Fate, Measured {
  /** Requests that have no line of their own. */
  batches: number;
  readonly merchants: Counts;
  readonly connections: Set<string>;
  /** Of all requests, those with lines of their own among them. */
  readonly fates: Map<string, Fate>;
  readonly latency: Durations;
}

const noFate = (): Fate => ({ delivered: 0, retried: 0, notDelivered: 0 });
const unmeasured = (): Measured => ({
  ...{ events: 0, calls: 0, bytes: 0, waited: 0, waitedMs: 0 },
  ...{ ms: createDurations(), codes: createCounts() },
});
const nothing = (): Sums => ({
  ...noFate(),
  ...unmeasured(),
  ...{ batches: 0, merchants: createCounts() },
  ...{ connections: new Set<string>(), fates: new Map<string, Fate>(), latency: createDurations() },
});

/** To be called with each request that was answered. */
export function createCallLines(
  logger: Logger,
  { linesPerMinute, metrics, namespace, callShown, now }: CallLinesOptions,
): (connection: SignalledConnection, call: AnsweredCall) => void {
  const quota = createMinuteQuota(now);
  let held = nothing();
  let writtenAtMs = Number.NEGATIVE_INFINITY;
  return (connection, call) => {
    const nowMs = now();
    const fate = fateOf(call);
    const kind = fate.delivered === call.outcomes.length ? 'good' : 'failed';
    if (quota.take(kind, kind === 'failed' ? FAILED_MAX : linesPerMinute)) {
      writeOne(logger, connection, call, fate);
      callShown?.(connection, call);
    } else addCall(held, connection, call, fate);
    addFate(held, connection, call, fate);
    if (nowMs - writtenAtMs < SUMS_EVERY_MS) return;
    writeSums(logger, held, { metrics, namespace }, nowMs);
    held = nothing();
    writtenAtMs = nowMs;
  };
}

function fateOf({ outcomes }: AnsweredCall): Fate {
  const fate = noFate();
  for (const { kind } of outcomes) {
    if (isTaken(kind)) fate.delivered += 1;
    else if (kind === 'permanent' || kind === 'batch_refused') fate.notDelivered += 1;
    else fate.retried += 1;
  }
  return fate;
}

function writeOne(
  logger: Logger,
  { merchantId, id, platform }: SignalledConnection,
  call: AnsweredCall,
  fate: Fate,
): void {
  const own = unmeasured();
  measure(own, call);
  const names = createCounts();
  for (const { name } of call.outcomes) names.add(name);
  const { events, calls, bytes, ms, codes } = own;
  const deprecation = call.calls.find((one) => one.deprecation)?.deprecation;
  logger.info(
    {
      ...{ kind: 'call', platform, connection: id, merchant: merchantId },
      ...{ events, ...fate },
      ...waitOf(own),
      ...{ calls, status: call.calls.at(-1)?.status, p50: ms.at(0.5), p99: ms.at(0.99), bytes },
      ...{ names: names.top(SHOWN), codes: codes.top(SHOWN) },
      ...(deprecation === undefined ? {} : { deprecation }),
      ...(call.traces.length === 0 ? {} : { traces: call.traces.map(({ traceId }) => traceId) }),
    },
    'call',
  );
}

function addCall(sums: Sums, connection: SignalledConnection, call: AnsweredCall, fate: Fate): void {
  sums.batches += 1;
  addTo(sums, fate);
  measure(sums, call);
  sums.merchants.add(connection.merchantId, call.outcomes.length);
  if (sums.connections.size < 1_000) sums.connections.add(connection.id);
}

function measure(into: Measured, { outcomes, calls }: AnsweredCall): void {
  into.events += outcomes.length;
  for (const { latencyMs, bytes } of calls) {
    into.calls += 1;
    into.bytes += bytes;
    into.ms.add(latencyMs);
  }
  for (const { code, kind, pageWaitMs } of outcomes) {
    into.codes.add(code ?? kind);
    if (pageWaitMs === undefined) continue;
    into.waited += 1;
    into.waitedMs += pageWaitMs;
  }
}

/** What of the time from 202 to delivered is the wait that merchants want. Most lines have none. */
const waitOf = ({ waited, waitedMs }: Pick<Measured, 'waited' | 'waitedMs'>) =>
  waited === 0 ? {} : { waited, waitedMs };

function addFate(
  sums: Sums,
  { platform }: SignalledConnection,
  { outcomes }: AnsweredCall,
  fate: Fate,
): void {
  const known = sums.fates.get(platform) ?? noFate();
  sums.fates.set(platform, known);
  addTo(known, fate);
  for (const { kind, ageMs } of outcomes) if (isTaken(kind)) sums.latency.add(ageMs);
}

function addTo(sum: Fate, { delivered, retried, notDelivered }: Fate): void {
  sum.delivered += delivered;
  sum.retried += retried;
  sum.notDelivered += notDelivered;
}

function writeSums(
  logger: Logger,
  sums: Sums,
  { metrics, namespace }: Pick<CallLinesOptions, 'metrics' | 'namespace'>,
  nowMs: number,
): void {
  const { ms, codes, merchants, connections, fates, latency, waited, waitedMs, ...counted } = sums;
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
          ...waitOf(sums),
          ...{ connections: connections.size, p50: ms.at(0.5), p99: ms.at(0.99) },
          ...{ codes: codes.top(SHOWN), merchants: merchants.top(MERCHANTS_SHOWN) },
        };
  if (metrics !== 'none' || sums.batches > 0)
    logger.info(
      {
        kind: 'calls',
        ...summed,
        ...(metrics === 'none' ? {} : metricFields(measured, nowMs, {}, namespace)),
      },
      'calls',
    );
  if (metrics !== 'by-platform') return;
  for (const [platform, fate] of fates)
    logger.info({ kind: 'calls', ...metricFields(valuesOf(fate), nowMs, { platform }, namespace) }, 'calls');
}

/** What did not happen is not written: a metric that is never written costs nothing. */
function valuesOf({ delivered, retried, notDelivered }: Fate) {
  return {
    ...(delivered === 0 ? {} : { Delivered: delivered }),
    ...(retried === 0 ? {} : { Retried: retried }),
    ...(notDelivered === 0 ? {} : { NotDelivered: notDelivered }),
  };
}
