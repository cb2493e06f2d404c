// What a run of a region comes to, in the figures every scenario reports.
import { PRICES } from '../performance/cost-model.ts';
import { DYNAMODB, LAMBDA, SQS } from './aws/quotas.ts';
import type { CapacityReport } from './dynamodb/capacity.ts';
import { quantile } from './journal.ts';
import type { Region } from './region.ts';

export interface Hot {
  /** `events/by_time`, and which key of it. */
  readonly where: string;
  readonly key: string;
  readonly units: number;
  readonly limit: number;
  readonly second: number;
}

export interface LongestUnit {
  readonly service: string;
  readonly ms: number;
  readonly timeoutMs: number;
  readonly timeouts: number;
}

export interface QuotaUse {
  readonly quota: string;
  readonly used: number;
  readonly limit: number;
}

export type Figures = ReturnType<typeof figuresOf>;

/** A part of the traffic that runs for all of it, and for how long it came. */
export interface Sample {
  readonly standsFor: number;
  readonly trafficMs: number;
}

export function figuresOf(region: Region, sample?: Sample) {
  const { journal } = region;
  const statuses = journal.statuses();
  const sent = [...statuses.values()].reduce((sum, count) => sum + count, 0);
  const accepted = journal.accepted();
  const refusals = [...journal.refusals().keys()];
  const latencies = journal.latencies();
  const capacity = region.capacity();
  const total = (of: (report: CapacityReport) => number): number =>
    capacity.reduce((sum, report) => sum + of(report), 0);
  const invocations = region.usage.names().reduce((sum, name) => sum + region.usage.of(name).invocations, 0);
  const per = (count: number): number => count / Math.max(1, accepted);
  return {
    sent,
    accepted,
    refused: sent - accepted,
    /** By status, most first: 503 is ours, 429 is Lambda's, 502 a function that died. */
    refusals: [...statuses].filter(([status]) => status !== 202).sort((a, b) => b[1] - a[1]),
    /** Seconds with a refusal; of those, the most in a row. */
    refusedSeconds: refusals.length,
    refusedRunSec: longestRun(refusals),
    /** Accepted events that a platform still lacks. */
    missing: journal.missing(),
    copies: journal.copies(),
    p50Ms: quantile(latencies, 0.5),
    p99Ms: quantile(latencies, 0.99),
    hottest: hottestOf(capacity),
    longest: longestOf(region),
    writeUnitsPerEvent: per(total(({ writeUnits }) => writeUnits)),
    readUnitsPerEvent: per(total(({ readUnits }) => readUnits)),
    sqsPerEvent: per(region.usage.sqsRequests().all),
    invocationsPerEvent: per(invocations),
    dollarsPerMillion: per(dollarsOf(region)) * 1e6,
    /** Most used first. */
    quotas: (sample === undefined ? peaksOf(region, capacity) : meansOf(region, capacity, sample)).sort(
      (a, b) => b.used / b.limit - a.used / a.limit,
    ),
    deadLetters: [...region.queues.values()].reduce((sum, queue) => sum + queue.deadLetters(), 0),
    /** Taken by the slowest platform in its best ten seconds, a second. */
    drainPerSec: Math.min(...journal.platforms.map((slug) => bestTenSeconds(journal.perSecond(slug)))),
    problems: problemsOf(region),
  };
}

/** What DynamoDB, SQS and Lambda charge for it; functions by modelled time. */
export function dollarsOf({ capacity, usage, functions }: Region): number {
  const units = capacity().reduce(
    (sum, { writeUnits, readUnits }) => sum + writeUnits * PRICES.writeUnit + readUnits * PRICES.readUnit,
    0,
  );
  const { all, grouped } = usage.sqsRequests();
  const time = [...functions.values()].reduce((sum, { name, memoryMb }) => {
    const { billedMs, invocations } = usage.of(name);
    return (
      sum + (billedMs / 1_000) * (memoryMb / 1_024) * PRICES.lambdaGbSec + invocations * PRICES.lambdaRequest
    );
  }, 0);
  return units + all * PRICES.sqsRequest + grouped * PRICES.sqsFairRequest + time;
}

function hottestOf(capacity: readonly CapacityReport[]): Hot[] {
  const hot = capacity.flatMap(({ name, hottestWrite, hottestRead }) => [
    { where: `${name} writes`, limit: DYNAMODB.partitionWriteUnits, ...hottestWrite },
    { where: `${name} reads`, limit: DYNAMODB.partitionReadUnits, ...hottestRead },
  ]);
  return hot
    .sort((a, b) => b.units / b.limit - a.units / a.limit)
    .map(({ where, key, units, limit, atMs }) => ({
      where,
      key,
      units,
      limit,
      second: Math.floor(atMs / 1_000),
    }));
}

function longestOf({ functions }: Region): LongestUnit {
  const units = [...functions.values()].map((fn) => {
    const { longestMs, timeoutMs, timeouts } = fn.report();
    return { service: fn.name, ms: longestMs, timeoutMs, timeouts };
  });
  return units.sort((a, b) => b.ms / b.timeoutMs - a.ms / a.timeoutMs)[0] as LongestUnit;
}

/** How much of each limit of AWS, and of our own settings, the run used in its busiest moment. */
function peaksOf(region: Region, capacity: readonly CapacityReport[]): QuotaUse[] {
  const { account, eventSources, queues } = region;
  const uses: QuotaUse[] = [
    { quota: 'concurrency of the account', used: account.peak(), limit: account.concurrencyMax },
    {
      quota: 'requests/s of ingestion (10 for each unit of concurrency)',
      used: region.fn('ingestion').report().requestsPeak,
      limit: account.concurrencyMax * LAMBDA.requestsPerConcurrency,
    },
    ...eventSources
      .map((source) => source.report())
      .map(({ queue, concurrencyPeak, concurrencyMax }) => ({
        quota: `concurrency of ${shortName(queue)} (setting)`,
        used: concurrencyPeak,
        limit: concurrencyMax,
      })),
    ...[...queues.values()].map((queue) => ({
      quota: `messages in flight of ${shortName(queue.spec.name)}`,
      used: queue.inFlightPeak(),
      limit: SQS.inFlightMax,
    })),
    ...capacity.flatMap(({ name, writePeak, readPeak }) => [
      { quota: `writes/s of table ${name}`, used: writePeak, limit: DYNAMODB.tableWriteUnits },
      { quota: `reads/s of table ${name}`, used: readPeak, limit: DYNAMODB.tableReadUnits },
    ]),
    ...keysOf(capacity),
  ];
  return uses.filter(({ used }) => used > 0);
}

/** Of a sample: what all share at its mean, since the peaks of few do not add up to the peak of many; keys as they are. */
function meansOf(
  region: Region,
  capacity: readonly CapacityReport[],
  { standsFor, trafficMs }: Sample,
): QuotaUse[] {
  const each = (total: number): number => Math.round((total * standsFor) / (trafficMs / 1_000));
  const billedSec = region.usage
    .names()
    .reduce((sum, name) => sum + region.usage.of(name).billedMs / 1_000, 0);
  const uses: QuotaUse[] = [
    { quota: 'concurrency of the account', used: each(billedSec), limit: LAMBDA.concurrencyMax },
    {
      quota: 'requests/s of ingestion (10 for each unit of concurrency)',
      used: each(region.usage.of('ingestion').invocations),
      limit: LAMBDA.concurrencyMax * LAMBDA.requestsPerConcurrency,
    },
    ...queueUse(region, each),
    ...capacity.filter(isShared).map((report) => ({
      quota: `writes/s of one shard of ${report.name}`,
      used: sharedKeyRate(report, { standsFor, trafficMs }),
      limit: DYNAMODB.partitionWriteUnits,
    })),
    ...capacity.flatMap(({ name, writeUnits, readUnits }) => [
      { quota: `writes/s of table ${name}`, used: each(writeUnits), limit: DYNAMODB.tableWriteUnits },
      { quota: `reads/s of table ${name}`, used: each(readUnits), limit: DYNAMODB.tableReadUnits },
    ]),
    ...keysOf(capacity),
  ];
  return uses.filter(({ used }) => used > 0);
}

/** Invocations at once that the functions behind queues would need, of those their queues may cause together. */
function queueUse({ eventSources, usage }: Region, each: (total: number) => number): QuotaUse[] {
  const sources = Map.groupBy(
    eventSources.map((source) => source.report()),
    ({ service }) => service,
  );
  return [...sources].map(([service, of]) => ({
    quota: `concurrency of ${service} (setting)`,
    used: each(usage.of(service).billedMs / 1_000),
    limit: of.reduce((sum, { concurrencyMax }) => sum + concurrencyMax, 0),
  }));
}

/** The shards of a due index hold every merchant's rows. */
const isShared = ({ name }: CapacityReport): boolean => name.endsWith('/due');

/** Write units a second of one of the keys that all merchants share, if all sent as the sample does. */
export function sharedKeyRate(
  { writeUnits, keysAtPeak }: CapacityReport,
  { standsFor, trafficMs }: Sample,
): number {
  return Math.round((writeUnits * standsFor) / (trafficMs / 1_000) / Math.max(1, keysAtPeak));
}

const keysOf = (capacity: readonly CapacityReport[]): QuotaUse[] =>
  capacity.flatMap(({ name, hottestWrite, hottestRead }) => [
    {
      quota: `writes/s of one key of ${name}`,
      used: hottestWrite.units,
      limit: DYNAMODB.partitionWriteUnits,
    },
    { quota: `reads/s of one key of ${name}`, used: hottestRead.units, limit: DYNAMODB.partitionReadUnits },
  ]);

/** `CoreDeliveriesmetaQueue1A2B3C4D` → `Deliveriesmeta`. */
const shortName = (queue: string): string => queue.replace(/Queue[0-9A-F]{8}$/, '');

/** The most consecutive seconds. */
function longestRun(seconds: readonly number[]): number {
  let longest = 0;
  let run = 0;
  let previous = Number.NaN;
  for (const second of [...seconds].sort((a, b) => a - b)) {
    run = second === previous + 1 ? run + 1 : 1;
    longest = Math.max(longest, run);
    previous = second;
  }
  return longest;
}

/** The best rate of ten seconds in a row, from then on. */
export function bestTenSeconds(perSecond: ReadonlyMap<number, number>, fromMs = 0): number {
  const first = Math.floor(fromMs / 1_000);
  let best = 0;
  for (const second of perSecond.keys()) {
    if (second < first) continue;
    let sum = 0;
    for (let i = 0; i < 10; i++) sum += perSecond.get(second + i) ?? 0;
    best = Math.max(best, sum / 10);
  }
  return best;
}

function problemsOf({ usage, platforms }: Region): string[] {
  const counts: [string, number][] = [];
  for (const name of usage.names()) {
    const { problems, counted } = usage.of(name);
    for (const [text, count] of [...problems, ...counted]) counts.push([`${name}: ${text}`, count]);
  }
  for (const [reason, count] of platforms.refused()) counts.push([`refused by ${reason}`, count]);
  return counts.sort((a, b) => b[1] - a[1]).map(([text, count]) => `${count} x ${text}`);
}
