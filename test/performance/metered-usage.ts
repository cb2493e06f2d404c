// What a piece of work cost: the difference of two readings of the meters, stage by stage.
import type { DynamoUsage } from '../support/metering/dynamodb-metering.ts';
import type { SqsUsage } from '../support/metering/sqs-metering.ts';
import type { MeteredPipeline } from './metered-pipeline.ts';
import type { PlatformTraffic } from './metered-stages.ts';

export const STAGES = [
  'ingestion',
  'normalize',
  'fan-out',
  'deliver',
  'aggregate',
  'sweep',
  'reconcile',
] as const;
export type Stage = (typeof STAGES)[number];

export interface StageCost {
  /** The events table. */
  readonly events: DynamoUsage;
  /** The batches table: what rows share, and what became of them. */
  readonly batches: DynamoUsage;
  /** The analytics table: grows with slots, not with events. */
  readonly counters: DynamoUsage;
  readonly config: DynamoUsage;
  /** The rates table: what limits of browser events take. */
  readonly rates: DynamoUsage;
  /** What the stage sent. */
  readonly sent: SqsUsage;
  readonly invocations: number;
}

export interface Cost {
  readonly stages: Readonly<Record<Stage, StageCost>>;
  /** What receiving and deleting cost, over all queues. */
  readonly polling: SqsUsage;
  readonly platforms: PlatformTraffic;
}

/** Runs the work and says what it cost. */
export async function costOf(pipeline: MeteredPipeline, work: () => Promise<void>): Promise<Cost> {
  const before = reading(pipeline);
  await work();
  return difference(reading(pipeline), before);
}

/** Write units of rows and their batches, over all stages. */
export const eventWriteUnits = (cost: Cost): number =>
  sum(cost, (stage) => stage.events.writeUnits + stage.batches.writeUnits);
export const counterWriteUnits = (cost: Cost): number => sum(cost, (stage) => stage.counters.writeUnits);
export const rateWriteUnits = (cost: Cost): number => sum(cost, (stage) => stage.rates.writeUnits);
export const readUnits = (cost: Cost, stages: readonly Stage[] = STAGES): number =>
  sum(
    cost,
    ({ events, batches, counters, config, rates }) =>
      [events, batches, counters, config, rates].reduce((units, table) => units + table.readUnits, 0),
    stages,
  );

/** Requests that carried something: sends, receives and deletes. Receives that found nothing are a matter of time, not of events. */
export const sqsRequests = (cost: Cost): number =>
  sum(cost, (stage) => stage.sent.requests) + cost.polling.requests - cost.polling.emptyReceives;

/** Those of them that queues with fairness between merchants charge more for. */
export const fairRequests = (cost: Cost): number =>
  sum(cost, (stage) => stage.sent.fairRequests) + cost.polling.fairRequests;

function sum(cost: Cost, of: (stage: StageCost) => number, stages: readonly Stage[] = STAGES): number {
  return stages.reduce((total, stage) => total + of(cost.stages[stage]), 0);
}

function reading({ dynamo, sqs, tables, invocations, platformTraffic }: MeteredPipeline): Cost {
  const stage = (label: Stage): StageCost => ({
    events: dynamo.usage({ label, table: tables.EVENTS_TABLE }),
    batches: dynamo.usage({ label, table: tables.BATCHES_TABLE }),
    counters: dynamo.usage({ label, table: tables.ANALYTICS_TABLE }),
    config: dynamo.usage({ label, table: tables.CONFIG_TABLE }),
    rates: dynamo.usage({ label, table: tables.RATES_TABLE }),
    sent: sqs.usage({ label }),
    invocations: invocations.get(label) ?? 0,
  });
  return {
    stages: Object.fromEntries(STAGES.map((label) => [label, stage(label)])) as Record<Stage, StageCost>,
    polling: sqs.usage({ label: 'poller' }),
    platforms: platformTraffic(),
  };
}

/** Without so many times what the other is, number by number. */
export const less = (cost: Cost, other: Cost, times: number): Cost =>
  combine(cost, other, (own, otherOwn) => Math.max(0, own - otherOwn * times));

/** Number by number; the largest item is the largest so far, which no difference can tell. */
const difference = (after: Cost, before: Cost): Cost => combine(after, before, (late, early) => late - early);

function combine<T>(after: T, before: T | undefined, of: (after: number, before: number) => number): T {
  if (typeof after === 'number') return of(after, (before ?? 0) as number) as T;
  const entries = Object.entries(after as Record<string, unknown>).map(([name, value]) => [
    name,
    name === 'itemSizeMaxBytes'
      ? value
      : combine(value, (before as Record<string, unknown> | undefined)?.[name], of),
  ]);
  return Object.fromEntries(entries) as T;
}
