// From counted calls and units to dollars. Units, requests, invocations, bytes stored and bytes sent to platforms are counted;
// how long an invocation takes is assumed, and each assumption is a named number below. Free tiers are ignored.
import type { Cost, Stage, StageCost } from './metered-usage.ts';
import {
  counterWriteUnits,
  eventWriteUnits,
  fairRequests,
  rateWriteUnits,
  readUnits,
  STAGES,
  sqsRequests,
} from './metered-usage.ts';
import { signalBytes } from './signal-bytes.ts';
import type { StoredBytes } from './stored-bytes.ts';

/** US East (N. Virginia), on demand, US dollars; list prices as of 2026-11-21. */
export const PRICES = {
  /** https://aws.amazon.com/dynamodb/pricing/on-demand/ */
  writeUnit: 0.625 / 1e6,
  readUnit: 0.125 / 1e6,
  /** https://aws.amazon.com/dynamodb/pricing/provisioned/: one unit in each second of an hour */
  writeCapacityHour: 0.00065,
  readCapacityHour: 0.00013,
  tableGbMonth: 0.25,
  /** https://aws.amazon.com/s3/pricing/, S3 Standard; PUT and LIST, GET */
  pageGbMonth: 0.023,
  pageWrite: 0.005 / 1e3,
  pageRead: 0.0004 / 1e3,
  backupGbMonth: 0.2,
  /** https://aws.amazon.com/sqs/pricing/ */
  sqsRequest: 0.4 / 1e6,
  /** On top of it for queues whose messages carry a group id (fair queues). */
  sqsFairRequest: 0.1 / 1e6,
  /** https://aws.amazon.com/lambda/pricing/ (arm64) */
  lambdaGbSec: 0.0000133334,
  lambdaRequest: 0.2 / 1e6,
  /** https://aws.amazon.com/cloudwatch/pricing/ */
  logGb: 0.5,
  /** https://aws.amazon.com/kms/pricing/ */
  kmsRequest: 0.03 / 1e4,
  /** https://aws.amazon.com/ec2/pricing/on-demand/#Data_Transfer */
  dataOutGb: 0.09,
  /** https://aws.amazon.com/cloudwatch/pricing/: a month of an alarm, for each metric that it reads; of a dashboard */
  alarmMetric: 0.1,
  dashboard: 3,
  kmsKeyMonth: 1,
} as const;

/** What is not counted. */
export const ASSUMED = {
  /** An answer of DynamoDB inside a region, milliseconds; SQS the same. */
  awsCallMs: 5,
  /** An answer of an advertising platform, milliseconds. */
  platformCallMs: 150,
  /** CPU of one SDK call and of one event in one stage, milliseconds of a whole core. */
  sdkCallCpuMs: 0.5,
  eventCpuMs: 0.05,
  /** Memory that brings one whole core, MB. */
  coreMb: 1_769,
  /** Billed per invocation besides, milliseconds. */
  overheadMs: 1,
  instances: 4,
  /** A wrapping key is unwrapped by one instance of a stage every so many seconds; see lib/adapters/vault/wrapping-keys.ts. */
  wrappingKeySec: 3_600,
  wrappingKeys: 16,
  /** Stages that open or seal. */
  sealingStages: 2,
  /** An answer to a request of a merchant, bytes. */
  answerBytes: 500,
  /** For how long events are kept, months. */
  keptMonths: 3,
  /** Until DynamoDB deletes what has expired, and for how long pages are kept of that, days. */
  expiryLagDays: 1,
  pageDays: 82,
  /** CPU of moving one event into a page, milliseconds of a whole core. */
  archiveCpuMs: 0.3,
  /** AWS calls that one invocation has under way at once. */
  callsAtOnce: {
    ingestion: 1,
    normalize: 16,
    'fan-out': 16,
    deliver: 16,
    aggregate: 1,
    sweep: 4,
    reconcile: 1,
  },
} as const;

export type Part = 'processing' | 'data out' | 'kept for 90 days';

export interface Line {
  readonly part: Part;
  readonly what: string;
  /** How many, per event. */
  readonly perEvent: number;
  readonly unit: string;
  /** For a million events. */
  readonly dollars: number;
}

const MILLION = 1e6;
const GB = 1e9;

export interface Traffic {
  /** How many the cost is of. */
  readonly events: number;
  /** In which they came; shared with other merchants where there are such. */
  readonly seconds: number;
  /** So many merchants of this kind there are. */
  readonly merchants: number;
  readonly platforms: number;
  /** Pollers of each queue. */
  readonly gatherers: number;
  readonly memoryMb: Readonly<Record<Stage, number>>;
  /** What is left of them in the tables. */
  readonly stored: StoredBytes;
  readonly archived: Archived;
}

/** What it took to move the events into pages. */
export interface Archived {
  readonly cost: Cost;
  /** Of pages, lists and indexes. */
  readonly bytes: number;
  /** Merchants whose day it was; each sent less than fills a page. */
  readonly days: number;
  /** A page and a list each; a day has more of them where it has more events. */
  readonly pages: number;
  /** Whatever is done once for a day. */
  readonly writes: number;
  readonly reads: number;
}

const DAY_SEC = 86_400;
const PAGE_EVENTS = 1_000;

export function modelOf(
  cost: Cost,
  { events, seconds, merchants, platforms, gatherers, memoryMb, stored, archived }: Traffic,
): readonly Line[] {
  const line = (
    what: string,
    count: number,
    unit: string,
    price: number,
    part: Part = 'processing',
  ): Line => ({
    part,
    what,
    perEvent: count / events,
    unit,
    dollars: (count / events) * price * MILLION,
  });
  const invocations = STAGES.reduce((sum, stage) => sum + cost.stages[stage].invocations, 0);
  const gbSec = (stages: readonly Stage[]): number =>
    stages.reduce((sum, stage) => sum + gbSeconds(stage, cost, events, memoryMb[stage]), 0);
  const logged = events * signalBytes({ perSec: events / seconds, platforms, gatherers });
  const hours = seconds / ASSUMED.wrappingKeySec;
  const keys = hours * ASSUMED.sealingStages * ASSUMED.instances * Math.min(merchants, ASSUMED.wrappingKeys);
  const out = cost.platforms.sizeBytes + events * ASSUMED.answerBytes;
  const pageMonths = (archived.bytes / GB) * (ASSUMED.pageDays / 30);
  // A run is a part of a day, whose index is written as often as a whole day's.
  const dayEvents = (events / seconds / merchants) * DAY_SEC;
  const perDay = (count: number, each = 1): number => ((count / archived.days) * each * events) / dayEvents;
  const pagesWritten = perDay(archived.pages, Math.max(1, dayEvents / PAGE_EVENTS));
  const kept = 'kept for 90 days';
  return [
    line('DynamoDB: rows and batches, written', eventWriteUnits(cost), 'write units', PRICES.writeUnit),
    line('DynamoDB: limits of browsers, written', rateWriteUnits(cost), 'write units', PRICES.writeUnit),
    line('DynamoDB: counters, written', counterWriteUnits(cost), 'write units', PRICES.writeUnit),
    line('DynamoDB: read to accept and deliver', readUnits(cost, PATH), 'read units', PRICES.readUnit),
    line('DynamoDB: read to count and audit', readUnits(cost, COUNTING), 'read units', PRICES.readUnit),
    line('SQS: sent, received, deleted', sqsRequests(cost), 'requests', PRICES.sqsRequest),
    line('SQS: surcharge of fair queues', fairRequests(cost), 'requests', PRICES.sqsFairRequest),
    line('Lambda: invocations', invocations, 'requests', PRICES.lambdaRequest),
    line('Lambda: time of ingestion', gbSec(['ingestion']), 'GB-s (assumed)', PRICES.lambdaGbSec),
    line('Lambda: time of the stages', gbSec(PATH.slice(1)), 'GB-s (assumed)', PRICES.lambdaGbSec),
    line('Lambda: time to count and audit', gbSec(COUNTING), 'GB-s (assumed)', PRICES.lambdaGbSec),
    line('CloudWatch: logs', logged / GB, 'GB', PRICES.logGb),
    line('KMS: wrapping keys', keys, 'requests (assumed)', PRICES.kmsRequest),
    line('Data out: to platforms, and answers', out / GB, 'GB', PRICES.dataOutGb, 'data out'),
    line('Kept: tables', stored.table / GB, 'GB-months', PRICES.tableGbMonth, kept),
    line('Kept: indexes', stored.indexes / GB, 'GB-months', PRICES.tableGbMonth, kept),
    line('Kept: backups', stored.table / GB, 'GB-months', PRICES.backupGbMonth, kept),
    line('Kept: pages', pageMonths, 'GB-months', PRICES.pageGbMonth, kept),
    line('Pages: DynamoDB, read', readUnits(archived.cost), 'read units', PRICES.readUnit, kept),
    line('Pages: written', pagesWritten + perDay(archived.writes), 'requests', PRICES.pageWrite, kept),
    line('Pages: read', perDay(archived.reads), 'requests', PRICES.pageRead, kept),
    line('Pages: time', archiveGbSec(archived, events, memoryMb), 'GB-s (assumed)', PRICES.lambdaGbSec, kept),
  ];
}

const PATH: readonly Stage[] = ['ingestion', 'normalize', 'fan-out', 'deliver'];
const COUNTING: readonly Stage[] = ['aggregate', 'sweep', 'reconcile'];

export const totalDollars = (lines: readonly Line[], of?: Part): number =>
  lines.reduce((sum, { part, dollars }) => (of === undefined || part === of ? sum + dollars : sum), 0);

/** One after another where one waits for the other, side by side as far as the stage goes; CPU is not overlapped. */
function gbSeconds(stage: Stage, cost: Cost, events: number, memoryMb: number): number {
  const own = cost.stages[stage];
  const calls = callsOf(own);
  const waitMs = (calls * ASSUMED.awsCallMs) / ASSUMED.callsAtOnce[stage];
  const rounds = stage === 'fan-out' || stage === 'deliver' ? cost.platforms.rounds[stage] : 0;
  const platformMs = rounds * ASSUMED.platformCallMs;
  const cpuMs = calls * ASSUMED.sdkCallCpuMs + events * ASSUMED.eventCpuMs;
  const billedMs =
    own.invocations * ASSUMED.overheadMs + waitMs + platformMs + (cpuMs * ASSUMED.coreMb) / memoryMb;
  return (billedMs / 1_000) * (memoryMb / 1_024);
}

function archiveGbSec(
  { cost, pages, writes, reads }: Archived,
  events: number,
  memoryMb: Traffic['memoryMb'],
): number {
  const memory = memoryMb.reconcile;
  const calls = callsOf(cost.stages.reconcile) + pages + writes + reads;
  const cpuMs = calls * ASSUMED.sdkCallCpuMs + events * ASSUMED.archiveCpuMs;
  return ((calls * ASSUMED.awsCallMs + (cpuMs * ASSUMED.coreMb) / memory) / 1_000) * (memory / 1_024);
}

const callsOf = ({ events, batches, counters, config, rates, sent }: StageCost): number =>
  [events, batches, counters, config, rates, sent]
    .flatMap(({ calls }) => Object.values(calls))
    .reduce((sum, count) => sum + count, 0);
