// What a deployment costs in a month in which nothing happens, from its template.
import type { Template } from '../../cdk/synthesize.ts';
import { PRICES } from './cost-model.ts';

export interface IdleLine {
  readonly what: string;
  readonly count: number;
  /** A month. */
  readonly dollars: number;
}

const MINUTES_PER_MONTH = 43_800;
/** Five pollers for each queue, each asking every 20 seconds (AWS, "Lambda with Amazon SQS"). */
const IDLE_RECEIVES_PER_MINUTE = 15;
/** A sweep every minute, the audit every hour. */
const RUNS_PER_MINUTE = 1 + 1 / 60;
/** What it may cost, dollars. It is to cost 5. */
export const IDLE_DOLLARS_MAX = 19.8;

export function idleMonth({ Resources }: Template, sweepReadUnits: number): readonly IdleLine[] {
  const resources = Object.values(Resources);
  const count = (type: string): number => resources.filter(({ Type }) => Type === type).length;
  const metrics = resources
    .filter(({ Type }) => Type === 'AWS::CloudWatch::Alarm')
    .reduce((sum, { Properties }) => sum + metricsOf(Properties), 0);
  const receives = count('AWS::Lambda::EventSourceMapping') * IDLE_RECEIVES_PER_MINUTE * MINUTES_PER_MONTH;
  const line = (what: string, count: number, price: number): IdleLine => ({
    what,
    count,
    dollars: count * price,
  });
  return [
    line('receives that find nothing', receives, PRICES.sqsRequest + PRICES.sqsFairRequest),
    line('metrics of alarms', metrics, PRICES.alarmMetric),
    line('dashboards', count('AWS::CloudWatch::Dashboard'), PRICES.dashboard),
    line('KMS keys', count('AWS::KMS::Key'), PRICES.kmsKeyMonth),
    line('read by sweeps', sweepReadUnits * MINUTES_PER_MONTH, PRICES.readUnit),
    line('invocations of schedules', RUNS_PER_MINUTE * MINUTES_PER_MONTH, PRICES.lambdaRequest),
  ];
}

export const idleDollars = (lines: readonly IdleLine[]): number =>
  lines.reduce((sum, { dollars }) => sum + dollars, 0);

/** A sentence where it costs more than it may. */
export function idleExceeded(lines: readonly IdleLine[]): readonly string[] {
  const all = idleDollars(lines);
  return all <= IDLE_DOLLARS_MAX
    ? []
    : [`A month of nothing costs $${all.toFixed(2)}: the limit is $${IDLE_DOLLARS_MAX}`];
}

/** An expression over several metrics is charged for each of them. */
function metricsOf(properties: Readonly<Record<string, unknown>> | undefined): number {
  const queries = properties?.Metrics as readonly { readonly MetricStat?: unknown }[] | undefined;
  return queries === undefined ? 1 : queries.filter(({ MetricStat }) => MetricStat !== undefined).length;
}
