// What a deployment costs in a month in which nothing happens, from its template.
import { STAGE_MB } from '../../cdk/memory-sizes.ts';
import type { Template } from '../../cdk/synthesize.ts';
import { DUE_SHARDS as HELPDESK_DUE_SHARDS } from '../../lib/adapters/dynamodb/helpdesk/record-store.ts';
import { ASSUMED, PRICES } from './cost-model.ts';

export interface IdleLine {
  readonly what: string;
  readonly count: number;
  /** A month. */
  readonly dollars: number;
}

const MINUTES_PER_MONTH = 43_800;
/** Five pollers for each queue, each asking every 20 seconds (AWS, "Lambda with Amazon SQS"). */
const IDLE_RECEIVES_PER_MINUTE = 15;
/** A query that finds nothing. */
const UNITS_PER_QUERY = 0.5;
/** Of platforms that merchants use: their sources are on, those of the others rest. */
const PLATFORMS_IN_USE = 3;
/** What it may cost, dollars. */
export const IDLE_DOLLARS_MAX = 5;

/** `sweepReadUnits`: of one sweep of events that finds nothing. */
export function idleMonth(
  { Resources }: Template,
  sweepReadUnits: number,
  platformsInUse = PLATFORMS_IN_USE,
): readonly IdleLine[] {
  const resources = Object.values(Resources);
  const ofType = (type: string) => resources.filter(({ Type }) => Type === type);
  const metrics = ofType('AWS::CloudWatch::Alarm').reduce(
    (sum, { Properties }) => sum + metricsOf(Properties),
    0,
  );
  const sources = Object.entries(Resources).filter(
    ([, { Type }]) => Type === 'AWS::Lambda::EventSourceMapping',
  );
  const rest = sources.filter(([id]) => ofType('AWS::Lambda::Function').some((one) => switches(one, id)));
  const platforms = rest.filter(([id]) => id.startsWith('DeliverSqs')).length;
  const unhurried = Math.max(0, platforms - platformsInUse);
  const resting = Math.max(0, rest.length - platformsInUse);
  const polled = sources.length - resting;
  const sweepUnits = (sweepReadUnits + HELPDESK_DUE_SHARDS * UNITS_PER_QUERY) * MINUTES_PER_MONTH;
  const runs = ofType('AWS::Events::Rule').reduce(
    (sum, { Properties }) => sum + runsPerMinute(Properties),
    0,
  );
  const sqsRequest = PRICES.sqsRequest + PRICES.sqsFairRequest;
  const line = (what: string, count: number, price: number): IdleLine => ({
    what,
    count,
    dollars: count * price,
  });
  return [
    line('receives that find nothing', polled * IDLE_RECEIVES_PER_MINUTE * MINUTES_PER_MONTH, sqsRequest),
    line('looks at queues whose sources rest', (resting - unhurried / 2) * MINUTES_PER_MONTH, sqsRequest),
    line('metrics of alarms', metrics, PRICES.alarmMetric),
    line('dashboards', ofType('AWS::CloudWatch::Dashboard').length, PRICES.dashboard),
    line('KMS keys', ofType('AWS::KMS::Key').length, PRICES.kmsKeyMonth),
    line('read by sweeps', sweepUnits, PRICES.readUnit),
    line('invocations of schedules', runs * MINUTES_PER_MONTH, PRICES.lambdaRequest),
    line('time of sweeps, GB-s', gbSeconds(sweepUnits / UNITS_PER_QUERY), PRICES.lambdaGbSec),
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

/** Whether a function's environment names this source, to switch it. */
function switches({ Properties }: Template['Resources'][string], source: string): boolean {
  const { Variables } = (Properties?.Environment ?? {}) as { readonly Variables?: Record<string, unknown> };
  return JSON.stringify(Variables?.EVENT_SOURCES ?? null).includes(`"${source}"`);
}

function runsPerMinute(properties: Readonly<Record<string, unknown>> | undefined): number {
  const [, unit] = /^rate\(1 (minute|hour)\)$/.exec(String(properties?.ScheduleExpression)) ?? [];
  return unit === 'minute' ? 1 : 1 / 60;
}

/** As the model of events has it: waiting, several calls at once, and CPU, of which a function has a share by its memory. */
function gbSeconds(calls: number): number {
  const waitMs = ASSUMED.awsCallMs / ASSUMED.callsAtOnce.sweep;
  const perCall = (waitMs * STAGE_MB + ASSUMED.sdkCallCpuMs * ASSUMED.coreMb) / 1_024 / 1_000;
  return calls * perCall;
}
