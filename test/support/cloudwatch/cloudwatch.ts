// What CloudWatch makes of log lines, by the template's own metric filters, embedded metrics and alarms: no emulator computes
// figures from logs. Refuses what the template says and this does not know, so that no alarm is quietly left out.
// https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/AlarmThatSendsEmail.html (evaluation, missing data)
import * as z from 'zod';
import type { Synthesized } from '#cdk/synthesize.ts';
import { type Named, resourcesOf, serviceAt, serviceOf, target } from '#test/infrastructure/synthesized.ts';

/** A line of a function's log. `time`: milliseconds since the epoch. */
export type LogLine = { readonly time: number; readonly service?: string } & Readonly<
  Record<string, unknown>
>;

export interface Datapoint {
  readonly atMs: number;
  readonly value: number;
}

const alarmSchema = z.object({
  Namespace: z.string().optional(),
  MetricName: z.string().optional(),
  Dimensions: z.array(z.object({ Name: z.string(), Value: z.unknown() })).optional(),
  Metrics: z
    .tuple([
      z.object({ Expression: z.literal('DIFF(FILL(waiting, 0))') }),
      z.object({
        MetricStat: z.object({
          Metric: z.object({ MetricName: z.string(), Namespace: z.string() }),
          Period: z.number(),
          Stat: z.literal('Maximum'),
        }),
      }),
    ])
    .optional(),
  Period: z.number().optional(),
  Statistic: z.enum(['Sum', 'Maximum']).optional(),
  ExtendedStatistic: z.literal('p99').optional(),
  Threshold: z.number(),
  ComparisonOperator: z.enum(['GreaterThanThreshold', 'LessThanThreshold']),
  EvaluationPeriods: z.number(),
  DatapointsToAlarm: z.number().optional(),
  TreatMissingData: z.enum(['notBreaching', 'breaching']),
});
type AlarmProperties = z.output<typeof alarmSchema>;

const emfSchema = z.object({
  Timestamp: z.number(),
  CloudWatchMetrics: z.array(
    z.object({ Namespace: z.string(), Metrics: z.array(z.object({ Name: z.string() })) }),
  ),
});

const PATTERN = /^\{ \$\.(\w+) (?:(=) "([^"]*)"|(>) (\d+)) \}$/;

export function createCloudwatch(app: Synthesized) {
  const series = new Map<string, Datapoint[]>();
  const put = (name: string, point: Datapoint): void => {
    const known = series.get(name) ?? [];
    series.set(name, known);
    known.push(point);
  };
  const services = new Map(
    resourcesOf(app, 'AWS::Lambda::Function').flatMap((lambda) => {
      const { LogGroup } = (lambda.Properties.LoggingConfig ?? {}) as { readonly LogGroup?: unknown };
      return LogGroup === undefined ? [] : [[target(LogGroup), serviceOf(lambda)] as const];
    }),
  );
  const filters = resourcesOf(app, 'AWS::Logs::MetricFilter').map((filter) => filterOf(filter, services));
  const alarms = resourcesOf(app, 'AWS::CloudWatch::Alarm').map((alarm) => ({
    name: alarm.id.replace(/^(Shared|Helpdesk)?Alarms|[0-9A-F]{8}$/g, ''),
    series: seriesOf(app, alarm),
    ...alarmSchema.parse(alarm.Properties),
  }));
  return {
    /** A figure of AWS itself, such as `AWS/Lambda Invocations sweep`, or without the service: of all functions. */
    put,
    /** Lines as functions wrote them. */
    read(lines: readonly LogLine[]): void {
      for (const line of lines) {
        for (const { service, matches, name, figure } of filters)
          if (isOf(service, line) && matches(line)) put(name, { atMs: line.time, value: figure(line) });
        const embedded = emfSchema.safeParse(line._aws);
        if (!embedded.success) continue;
        for (const { Namespace, Metrics } of embedded.data.CloudWatchMetrics)
          for (const { Name } of Metrics)
            for (const value of [line[Name]].flat())
              put(`${Namespace} ${Name}`, { atMs: embedded.data.Timestamp, value: Number(value) });
      }
    },
    /** Names of the alarms that stand at this moment. */
    alarmsAt: (nowMs: number): string[] =>
      alarms
        .filter((alarm) => isBreaching(alarm, series.get(alarm.series) ?? [], nowMs))
        .map(({ name }) => name)
        .sort(),
    names: alarms.map(({ name }) => name).sort(),
    /** Of one metric, as they came. */
    points: (name: string): readonly Datapoint[] => series.get(name) ?? [],
  };
}

/** Functions of the helpdesk leave its name out of their lines, and its API the other half. */
const isOf = (service: string | undefined, { service: named }: LogLine): boolean =>
  [named, `helpdesk-${named}`, `${named}-api`].includes(service);

function filterOf(filter: Named, services: ReadonlyMap<string, string>) {
  const { FilterPattern, MetricTransformations, LogGroupName } = filter.Properties;
  const [, field = '', equals, text = '', , above] = PATTERN.exec(String(FilterPattern)) ?? [];
  if (field === '') throw new Error(`${FilterPattern} is a pattern that is not known here`);
  const [{ MetricName, MetricNamespace, MetricValue }] = MetricTransformations as [Record<string, string>];
  const valueField = /^\$\.(\w+)$/.exec(String(MetricValue))?.[1];
  const matches = (line: LogLine): boolean => {
    const value = line[field];
    if (equals === undefined) return typeof value === 'number' && value > Number(above);
    return text === '*' ? typeof value === 'string' : value === text;
  };
  return {
    service: services.get(target(LogGroupName)),
    name: `${MetricNamespace} ${MetricName}`,
    matches,
    figure: (line: LogLine) => Number(valueField === undefined ? MetricValue : line[valueField]),
  };
}

function seriesOf(app: Synthesized, { Properties }: Named): string {
  const { Namespace, MetricName, Dimensions = [], Metrics } = alarmSchema.parse(Properties);
  const metric = Metrics?.[1].MetricStat.Metric;
  if (metric !== undefined) return `${metric.Namespace} ${metric.MetricName}`;
  const [dimension] = Dimensions;
  if (dimension !== undefined && dimension.Name !== 'FunctionName')
    throw new Error(`${dimension.Name} is a dimension that is not known here`);
  const of = dimension === undefined ? '' : ` ${serviceAt(app, dimension.Value)}`;
  return `${Namespace} ${MetricName}${of}`;
}

/** The periods that end with the one of this moment; where too little is an alarm, with the last one that is whole. */
function isBreaching(alarm: AlarmProperties, points: readonly Datapoint[], nowMs: number): boolean {
  const periodMs = (alarm.Period ?? alarm.Metrics?.[1].MetricStat.Period ?? 0) * 1_000;
  const isTooLittle = alarm.ComparisonOperator === 'LessThanThreshold';
  const current = Math.floor(nowMs / periodMs) - (isTooLittle ? 1 : 0);
  const valueAt = (period: number): number | undefined =>
    statisticOf(
      alarm,
      points.filter(({ atMs }) => atMs <= nowMs && Math.floor(atMs / periodMs) === period),
    );
  // Before anything ran nothing was missing.
  const first = points[0] === undefined ? current : Math.floor(points[0].atMs / periodMs);
  let breaching = 0;
  for (let period = current - alarm.EvaluationPeriods + 1; period <= current; period++) {
    const value =
      alarm.Metrics === undefined ? valueAt(period) : (valueAt(period) ?? 0) - (valueAt(period - 1) ?? 0);
    if (value === undefined) breaching += alarm.TreatMissingData === 'breaching' && period >= first ? 1 : 0;
    else if (alarm.ComparisonOperator === 'GreaterThanThreshold')
      breaching += value > alarm.Threshold ? 1 : 0;
    else breaching += value < alarm.Threshold ? 1 : 0;
  }
  return breaching >= (alarm.DatapointsToAlarm ?? alarm.EvaluationPeriods);
}

function statisticOf(
  { Statistic, ExtendedStatistic }: AlarmProperties,
  points: readonly Datapoint[],
): number | undefined {
  if (points.length === 0) return undefined;
  const values = points.map(({ value }) => value).sort((a, b) => a - b);
  if (ExtendedStatistic !== undefined) return values[Math.ceil(values.length * 0.99) - 1];
  return Statistic === 'Sum' ? values.reduce((sum, value) => sum + value, 0) : values.at(-1);
}
