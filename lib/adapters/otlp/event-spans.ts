// What happens to events, as spans: the request that brought them, their normalization, and each request to a platform. Spans are of
// what has a log line of its own (and of normalization as many), so that they are as few. They carry what lines carry, and
// nothing of a person.
import type { AnsweredRequest } from '../../core/http/http-message.ts';
import { plainMethod } from '../../core/http/request-rules.ts';
import { madeSpanId, type Trace } from '../../core/record/trace.ts';
import { createMinuteQuota } from '../../core/signals/minute-quota.ts';
import { isTaken } from '../../events/domain/deliveries/delivery.ts';
import type { AnsweredCall, SignalledConnection } from '../../events/ports/delivery-signals.ts';
import type { Span } from './exporter.ts';

export interface EventSpansOptions {
  readonly add: (span: Span) => void;
  /** Batches of normalize that have spans, by minute and process. */
  readonly linesPerMinute: number;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
}

/** To be called with each request and call that has a line, and with every batch: its first traces, its rows, when it began. */
export function createEventSpans({ add, linesPerMinute, now }: EventSpansOptions) {
  const quota = createMinuteQuota(now);
  const addAll = (spans: readonly Span[]): void => {
    for (const span of spans) add(span);
  };
  return {
    requestShown: (request: AnsweredRequest): void => addAll(requestSpan(request, now())),
    callShown: (connection: SignalledConnection, call: AnsweredCall): void =>
      addAll(callSpans(connection, call, now())),
    normalized: (traces: readonly Trace[], size: number, startMs: number): void => {
      if (quota.take('normalize', linesPerMinute)) addAll(normalizeSpans(traces, size, startMs, now()));
    },
  };
}

/** None where the request belongs to no trace. */
function requestSpan(request: AnsweredRequest, endMs: number): readonly Span[] {
  const { trace, parent, requestId, route, status, ms, code, merchant, events } = request;
  const method = plainMethod(request.method);
  if (trace === undefined) return [];
  const span: Span = {
    name: `${method} ${route ?? 'none'}`,
    kind: 'server',
    traceId: trace,
    // Events of a trace that was made for them name this span as their parent.
    spanId: parent === undefined ? madeSpanId(trace) : madeSpanId(`${trace}/${requestId}`),
    parentId: parent,
    startMs: endMs - ms,
    endMs,
    isError: status >= 500,
    attributes: {
      ...{ 'http.request.method': method, 'http.route': route, 'http.response.status_code': status },
      ...{ 'error.type': code, 'millrace.merchant': merchant, 'millrace.request': requestId },
      ...{ 'millrace.accepted': events?.accepted, 'millrace.refused': events?.refused },
    },
  };
  return [span];
}

/** One for each trace that is named. */
function normalizeSpans(
  traces: readonly Trace[],
  size: number,
  startMs: number,
  endMs: number,
): readonly Span[] {
  return traces.map(({ traceId, parentId }) => ({
    ...{ name: 'normalize', kind: 'internal', traceId, parentId, startMs, endMs, isError: false },
    spanId: madeSpanId(`${traceId}/${parentId}/normalize/${startMs}`),
    attributes: { 'millrace.batch_size': size },
  }));
}

/** One for each trace that is named. */
function callSpans(
  { platform, id, merchantId }: SignalledConnection,
  { traces, outcomes, calls }: AnsweredCall,
  endMs: number,
): readonly Span[] {
  const startMs = endMs - calls.reduce((sum, { latencyMs }) => sum + latencyMs, 0);
  const failed = outcomes.find(({ kind }) => !isTaken(kind));
  return traces.map(({ traceId, parentId, spanId }) => ({
    ...{ name: `deliver ${platform}`, kind: 'client', traceId, parentId, spanId, startMs, endMs },
    isError: failed !== undefined,
    attributes: {
      ...{ 'millrace.platform': platform, 'millrace.connection': id, 'millrace.merchant': merchantId },
      ...{ 'millrace.batch_size': outcomes.length, 'millrace.calls': calls.length },
      ...{ 'http.response.status_code': calls.at(-1)?.status, 'error.type': failed?.code ?? failed?.kind },
    },
  }));
}
