// What wakes somebody up. An alarm lives beside what it watches, so that removing a platform removes its alarms and no
// stack holds on to another one's queues.
import { Duration, Stack } from 'aws-cdk-lib';
import {
  Alarm,
  type AlarmProps,
  ComparisonOperator,
  Metric,
  TreatMissingData,
} from 'aws-cdk-lib/aws-cloudwatch';
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import { FilterPattern, type IFilterPattern, type ILogGroup, MetricFilter } from 'aws-cdk-lib/aws-logs';
import type { ITopic } from 'aws-cdk-lib/aws-sns';
import { Construct } from 'constructs';
import type { Settings } from '../settings.ts';
import type { QueueWithDlq } from './queue-with-dlq.ts';

const PERIOD = Duration.minutes(5);
/** Of five minutes: a start that took too long, or a table that was throttled once, is repeated by the sender. */
const URL_FAILURES_MAX = 5;

/** In two of three periods: a single failure is retried and needs no action. */
const REPEATED = { evaluationPeriods: 3, datapointsToAlarm: 2 } as const;

/** What follows the name of a queue or function. An alarm that there is once has a name, and a heading, of its own. */
const KINDS = ['DlqNotEmpty', 'Waiting', 'Errors', 'Answers5xx', 'Throttled', 'Silent'];

/** The heading of the runbook for an alarm: one for all alarms of a kind. */
function runbookOf(id: string): string {
  const kind = KINDS.find((end) => id.endsWith(end)) ?? id;
  return `docs/runbook.md#${kind.toLowerCase()}`;
}

export type LoggingFunction = IFunction & { readonly logGroup: ILogGroup };

interface WatchedLines {
  readonly filterPattern: IFilterPattern;
  /** Where in the line the figure is. */
  readonly metricValue: string;
  readonly statistic: 'Sum' | 'Maximum';
  readonly alarmDescription: string;
}

export class Alarms extends Construct {
  readonly #topic: ITopic;
  readonly #readsLogs: boolean;

  /** Emulators of AWS keep no logs to read: an ephemeral deployment has no alarm on a log line. */
  constructor(scope: Construct, id: string, topic: ITopic, { ephemeral }: Pick<Settings, 'ephemeral'>) {
    super(scope, id);
    this.#topic = topic;
    this.#readsLogs = !ephemeral;
  }

  /** Tells when a message was given up, and when the oldest one has waited longer than `waitMax`. */
  watchQueue(name: string, watched: QueueWithDlq, waitMax: Duration): void {
    this.#alarm(`${name}DlqNotEmpty`, {
      alarmDescription: `Messages of ${name} failed repeatedly. Their rows are safe and are retried; find out why they failed.`,
      metric: watched.dlq.metricApproximateNumberOfMessagesVisible({ period: PERIOD, statistic: 'Maximum' }),
    });
    this.#alarm(`${name}Waiting`, {
      alarmDescription: `The oldest message of ${name} has waited for more than ${waitMax.toMinutes()} minutes.`,
      metric: watched.queue.metricApproximateAgeOfOldestMessage({ period: PERIOD, statistic: 'Maximum' }),
      threshold: waitMax.toSeconds(),
      evaluationPeriods: 2,
    });
  }

  /** Alarms when invocations fail in two of three periods: a single failure is retried and needs no action. */
  watchErrors(name: string, watched: IFunction): void {
    this.#alarm(`${name}Errors`, {
      alarmDescription: `Invocations of ${name} keep failing.`,
      metric: watched.metricErrors({ period: PERIOD, statistic: 'Sum' }),
      ...REPEATED,
    });
  }

  /**
   * Tells when a public URL answers 5xx, or Lambda refuses its invocations, in two of three periods. A handler answers what it
   * catches, so that `Errors` stays 0 while every request gets a 503.
   */
  watchUrl(name: string, watched: IFunction): void {
    this.watchErrors(name, watched);
    const every = { period: PERIOD, statistic: 'Sum' };
    const repeated = { ...REPEATED, threshold: URL_FAILURES_MAX };
    this.#alarm(`${name}Answers5xx`, {
      alarmDescription: `Requests to the URL of ${name} keep getting 5xx: senders repeat what they send. Its log says why.`,
      metric: watched.metric('Url5xxCount', every),
      ...repeated,
    });
    this.#alarm(`${name}Throttled`, {
      alarmDescription: `Lambda keeps refusing requests to the URL of ${name}: its share of the concurrency, or the account's, is used up.`,
      metric: watched.metricThrottles(every),
      ...repeated,
    });
  }

  /** A figure of the log lines that name this metric, without an alarm. */
  countMetric(name: string, { logGroup }: LoggingFunction, metric: string): void {
    const filterPattern = FilterPattern.stringValue('$.metric', '=', metric);
    if (this.#readsLogs) this.#filter(name, logGroup, filterPattern, '$.value');
  }

  /** Tells when a function logs that it counted something that somebody should know of. */
  watchMetric(
    name: string,
    watched: LoggingFunction,
    { metric, alarmDescription }: { readonly metric: string; readonly alarmDescription: string },
  ): void {
    this.#watchLines(name, watched, {
      filterPattern: FilterPattern.stringValue('$.metric', '=', metric),
      metricValue: '$.value',
      statistic: 'Sum',
      alarmDescription,
    });
  }

  /** Tells when a scheduled function has not run for `silenceMax`: retries stand or fall with it. */
  watchSilence(name: string, watched: IFunction, silenceMax: Duration): void {
    this.#alarm(`${name}Silent`, {
      alarmDescription: `${name} has not run for ${silenceMax.toMinutes()} minutes: nothing is retried meanwhile.`,
      metric: watched.metricInvocations({ period: silenceMax, statistic: 'Sum' }),
      threshold: 1,
      comparisonOperator: ComparisonOperator.LESS_THAN_THRESHOLD,
      treatMissingData: TreatMissingData.BREACHING,
    });
  }

  /** Tells when a function met a row or a platform that stands still: it logs a line that says `quarantine`. */
  watchQuarantine(watched: Readonly<Record<string, LoggingFunction>>): void {
    if (!this.#readsLogs) return;
    const names = { metricNamespace: Stack.of(this).stackName, metricName: 'Quarantined' };
    for (const [name, { logGroup }] of Object.entries(watched)) {
      const filterPattern = FilterPattern.exists('$.quarantine');
      new MetricFilter(this, `${name}Quarantine`, { logGroup, filterPattern, ...names });
    }
    this.#alarm('Quarantine', {
      alarmDescription:
        'A stored row cannot be read, or a platform throws. Everything else goes on; the log lines with `quarantine` name it.',
      metric: new Metric({
        namespace: names.metricNamespace,
        metricName: names.metricName,
        period: PERIOD,
        statistic: 'Sum',
      }),
    });
  }

  /** Tells when a log line of `watched` carries a figure above 0 under this name. */
  watchFigure(name: string, watched: LoggingFunction, figure: string): void {
    this.#watchLines(name, watched, {
      filterPattern: FilterPattern.numberValue(`$.${figure}`, '>', 0),
      metricValue: `$.${figure}`,
      statistic: 'Maximum',
      alarmDescription: `A log line of ${watched.node.id} says ${figure} above 0: what it found is in that line.`,
    });
  }

  #watchLines(name: string, { logGroup }: LoggingFunction, lines: WatchedLines): void {
    if (!this.#readsLogs) return;
    const { filterPattern, metricValue, statistic, alarmDescription } = lines;
    const filter = this.#filter(name, logGroup, filterPattern, metricValue);
    this.#alarm(name, {
      alarmDescription,
      metric: filter.metric({ period: PERIOD, statistic }),
    });
  }

  #filter(name: string, logGroup: ILogGroup, filterPattern: IFilterPattern, metricValue: string) {
    const metricNamespace = Stack.of(this).stackName;
    return new MetricFilter(this, `${name}Filter`, {
      logGroup,
      filterPattern,
      metricNamespace,
      metricName: name,
      metricValue,
    });
  }

  /** By default for a figure above 0 in one period. */
  #alarm(id: string, props: Partial<AlarmProps> & Pick<AlarmProps, 'metric' | 'alarmDescription'>): void {
    const alarm = new Alarm(this, id, {
      threshold: 0,
      comparisonOperator: ComparisonOperator.GREATER_THAN_THRESHOLD,
      evaluationPeriods: 1,
      treatMissingData: TreatMissingData.NOT_BREACHING,
      ...props,
      alarmDescription: `${props.alarmDescription} What to do: ${runbookOf(id)}`,
    });
    alarm.addAlarmAction(new SnsAction(this.#topic));
    alarm.addOkAction(new SnsAction(this.#topic));
  }
}
