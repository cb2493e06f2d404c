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
import { FilterPattern, type ILogGroup, MetricFilter } from 'aws-cdk-lib/aws-logs';
import type { ITopic } from 'aws-cdk-lib/aws-sns';
import { Construct } from 'constructs';
import type { QueueWithDlq } from './queue-with-dlq.ts';

const PERIOD = Duration.minutes(5);

export class Alarms extends Construct {
  readonly #topic: ITopic;

  constructor(scope: Construct, id: string, topic: ITopic) {
    super(scope, id);
    this.#topic = topic;
  }

  /** Tells when a message was given up, and when the oldest one has waited longer than `waitMax`. */
  watchQueue(name: string, watched: QueueWithDlq, waitMax: Duration): void {
    this.#alarm(`${name}DlqNotEmpty`, {
      alarmDescription: `Messages of ${name} failed repeatedly. Their rows are safe and are retried; find out why they failed.`,
      metric: watched.dlq.metricApproximateNumberOfMessagesVisible({ period: PERIOD, statistic: 'Maximum' }),
      threshold: 0,
      comparisonOperator: ComparisonOperator.GREATER_THAN_THRESHOLD,
      evaluationPeriods: 1,
    });
    this.#alarm(`${name}Waiting`, {
      alarmDescription: `The oldest message of ${name} has waited for more than ${waitMax.toMinutes()} minutes.`,
      metric: watched.queue.metricApproximateAgeOfOldestMessage({ period: PERIOD, statistic: 'Maximum' }),
      threshold: waitMax.toSeconds(),
      comparisonOperator: ComparisonOperator.GREATER_THAN_THRESHOLD,
      evaluationPeriods: 2,
    });
  }

  /** Tells when invocations fail in two of three periods: a single failure is retried and needs nobody. */
  watchErrors(name: string, watched: IFunction): void {
    this.#alarm(`${name}Errors`, {
      alarmDescription: `Invocations of ${name} keep failing.`,
      metric: watched.metricErrors({ period: PERIOD, statistic: 'Sum' }),
      threshold: 0,
      comparisonOperator: ComparisonOperator.GREATER_THAN_THRESHOLD,
      evaluationPeriods: 3,
      datapointsToAlarm: 2,
    });
  }

  /** Tells when a scheduled function has not run for `silenceMax`: retries stand or fall with it. */
  watchSilence(name: string, watched: IFunction, silenceMax: Duration): void {
    this.#alarm(`${name}Silent`, {
      alarmDescription: `${name} has not run for ${silenceMax.toMinutes()} minutes: nothing is retried meanwhile.`,
      metric: watched.metricInvocations({ period: silenceMax, statistic: 'Sum' }),
      threshold: 1,
      comparisonOperator: ComparisonOperator.LESS_THAN_THRESHOLD,
      evaluationPeriods: 1,
      treatMissingData: TreatMissingData.BREACHING,
    });
  }

  /** Tells when a function met a row or a platform that stands still: it logs a line that says `quarantine`. */
  watchQuarantine(watched: Readonly<Record<string, IFunction & { readonly logGroup: ILogGroup }>>): void {
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
      threshold: 0,
      comparisonOperator: ComparisonOperator.GREATER_THAN_THRESHOLD,
      evaluationPeriods: 1,
    });
  }

  /** Tells when a log line of `watched` carries a figure above 0 under this name. */
  watchFigure(name: string, watched: IFunction & { readonly logGroup: ILogGroup }, figure: string): void {
    const filter = watched.logGroup.addMetricFilter(name, {
      filterPattern: FilterPattern.numberValue(`$.${figure}`, '>', 0),
      metricNamespace: Stack.of(this).stackName,
      metricName: name,
      metricValue: `$.${figure}`,
    });
    this.#alarm(name, {
      alarmDescription: `A log line of ${watched.node.id} says ${figure} above 0: what it found is in that line.`,
      metric: filter.metric({ period: PERIOD, statistic: 'Maximum' }),
      threshold: 0,
      comparisonOperator: ComparisonOperator.GREATER_THAN_THRESHOLD,
      evaluationPeriods: 1,
    });
  }

  #alarm(id: string, props: AlarmProps): void {
    const alarm = new Alarm(this, id, { treatMissingData: TreatMissingData.NOT_BREACHING, ...props });
    alarm.addAlarmAction(new SnsAction(this.#topic));
    alarm.addOkAction(new SnsAction(this.#topic));
  }
}
