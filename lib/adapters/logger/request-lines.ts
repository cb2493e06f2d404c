// What public URLs answered, as log lines. Guarantees: adding up `request` and `requests` lines gives each request once, save what
// a process still held when it ended; a request that failed or was slow has a line of its own, 60 a minute and process; of the
// others so many as the setting says, and the rest are summed into one line a minute. Nothing a person sent is in a line: paths
// are patterns, names of events are ours.
import type { AnsweredRequest } from '../../core/http/http-message.ts';
import { plainMethod } from '../../core/http/request-rules.ts';
import { createMinuteQuota } from '../../core/signals/minute-quota.ts';
import { MINUTE_MS } from '../../core/work/time-slot.ts';
import { type Counts, createCounts, createDurations, type Durations } from './figures.ts';
import type { Logger } from './logger.ts';

const SLOW_MS = 2_000;
/** Of requests that failed by our fault, or were slow. */
const NOTABLE_MAX = 60;
const SHOWN = 10;
const FAILED = 'answered with 5xx';
const MERCHANTS_SHOWN = 20;

export interface RequestLinesOptions {
  /** Of answers below 400, and again of those from 400 to 499; by minute and process. */
  readonly linesPerMinute: number;
  /** Called for what has a line of its own. */
  readonly requestShown?: ((request: AnsweredRequest) => void) | undefined;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
}

interface Sums {
  requests: number;
  failed: number;
  bytesIn: number;
  bytesOut: number;
  accepted: number;
  duplicates: number;
  refused: number;
  readonly statuses: Counts;
  readonly codes: Counts;
  readonly routes: Counts;
  readonly merchants: Counts;
  readonly names: Counts;
  readonly durations: Durations;
}

const nothing = (): Sums => ({
  ...{ requests: 0, failed: 0, bytesIn: 0, bytesOut: 0, accepted: 0, duplicates: 0, refused: 0 },
  statuses: createCounts(),
  codes: createCounts(),
  routes: createCounts(),
  merchants: createCounts(),
  names: createCounts(),
  durations: createDurations(),
});

/** To be called with each request that was answered. */
export function createRequestLines(
  logger: Logger,
  { linesPerMinute, requestShown, now }: RequestLinesOptions,
): (request: AnsweredRequest) => void {
  let startedAtMs = now();
  let held = nothing();
  const quota = createMinuteQuota(now);
  return (request) => {
    if (now() - startedAtMs >= MINUTE_MS) {
      if (held.requests > 0) writeSums(logger, held);
      held = nothing();
      startedAtMs = now();
    }
    const kind = kindOf(request);
    if (!quota.take(kind, kind === 'notable' ? NOTABLE_MAX : linesPerMinute)) return add(held, request);
    writeOne(logger, request);
    requestShown?.(request);
  };
}

function kindOf({ status, ms }: AnsweredRequest): 'notable' | 'refused' | 'good' {
  if (status >= 500 || ms > SLOW_MS) return 'notable';
  return status >= 400 ? 'refused' : 'good';
}

/** Counted by the alarm, at a level that every deployment writes. */
const failures = (value: number) => (value === 0 ? {} : { metric: 'answers_5xx', value });

function writeOne(
  logger: Logger,
  { events, requestId, parent: _parent, method, ms, ...request }: AnsweredRequest,
): void {
  const { names, ...tally } = events ?? {};
  const isFailed = request.status >= 500;
  const line = {
    kind: 'request',
    ...failures(isFailed ? 1 : 0),
    request: requestId,
    method: plainMethod(method),
    ...request,
    ms: Math.round(ms),
    ...tally,
    ...(names === undefined ? {} : { names: topOf(names) }),
  };
  if (isFailed) logger.error(line, FAILED);
  else logger.info(line, 'request');
}

function topOf(names: Readonly<Record<string, number>>): Readonly<Record<string, number>> | undefined {
  const counts = createCounts();
  for (const [name, count] of Object.entries(names)) counts.add(name, count);
  return counts.top(SHOWN);
}

function add(sums: Sums, { status, code, route, merchant, events, ...request }: AnsweredRequest): void {
  sums.requests += 1;
  if (status >= 500) sums.failed += 1;
  sums.bytesIn += request.bytesIn;
  sums.bytesOut += request.bytesOut ?? 0;
  sums.durations.add(request.ms);
  sums.statuses.add(String(status));
  sums.routes.add(route ?? 'none');
  if (code !== undefined) sums.codes.add(code);
  if (merchant !== undefined) sums.merchants.add(merchant);
  if (events === undefined) return;
  sums.accepted += events.accepted;
  sums.duplicates += events.duplicates;
  sums.refused += events.refused;
  for (const [name, count] of Object.entries(events.names)) sums.names.add(name, count);
}

function writeSums(logger: Logger, sums: Sums): void {
  const { statuses, codes, routes, merchants, names, durations, failed, ...counted } = sums;
  const line = {
    kind: 'requests',
    ...failures(failed),
    ...counted,
    p50: durations.at(0.5),
    p99: durations.at(0.99),
    statuses: statuses.top(SHOWN),
    routes: routes.top(SHOWN),
    codes: codes.top(SHOWN),
    merchants: merchants.top(MERCHANTS_SHOWN),
    names: names.top(SHOWN),
  };
  if (failed > 0) logger.error(line, FAILED);
  else logger.info(line, 'requests');
}
