// Alarms of a deployment. An alarm costs what it reads, every month, so there is one for each thing that can go wrong and not for
// each queue and function: these write a log line that names them, and the lines of all are counted into one figure. What no
// line could tell is watched by figures of AWS: functions that fail or do not run, and messages that were given up.
import { Duration } from 'aws-cdk-lib';
import {
  Alarm,
  type AlarmProps,
  ComparisonOperator,
  type IAlarm,
  MathExpression,
  Metric,
  TreatMissingData,
} from 'aws-cdk-lib/aws-cloudwatch';
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import { FilterPattern, type IFilterPattern, type ILogGroup, MetricFilter } from 'aws-cdk-lib/aws-logs';
import type { ITopic } from 'aws-cdk-lib/aws-sns';
import type { IQueue } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import { metricNamespace } from '../../lib/core/topology.ts';
import { isBehindAlias, type Settings } from '../settings.ts';
import { resourcePrefix } from '../stack-names.ts';

const PERIOD = Duration.minutes(5);
const SUM = { period: PERIOD, statistic: 'Sum' } as const;

/** In two of three periods: a single failure is retried and needs no action. */
export const REPEATED = { evaluationPeriods: 3, datapointsToAlarm: 2 } as const;
/** Of five minutes: a start that took too long, or a table that was throttled once, is repeated by the sender. */
const REPEATED_OFTEN = { ...REPEATED, threshold: 5 } as const;

/** Alarms of core that take a release back. Known by name: an import would hold core's template. */
const OF_RELEASES: readonly string[] = ['Errors', 'Answers5xx', 'Waiting', 'DeadLetters'];

/** The heading of the runbook for an alarm: its name, without that of a schedule. */
const runbookOf = (id: string): string =>
  `docs/runbook.md#${(id.endsWith('Silent') ? 'Silent' : id).toLowerCase()}`;

export type LoggingFunction = IFunction & { readonly logGroup: ILogGroup };

/** Lines that are counted: those that name this metric, or have this field. */
type Lines = { readonly metric: string } | { readonly has: string } | { readonly above0: string };

/** Figures that functions of every product write. Their alarms are in core. */
export const SHARED_FIGURES = {
  Answers5xx: { metric: 'answers_5xx' },
  Quarantine: { has: 'quarantine' },
  Waiting: { metric: 'waiting' },
} as const satisfies Readonly<Record<string, Lines>>;

interface FigureOptions {
  readonly statistic?: string;
  readonly figure?: string;
  /** Whether it takes a release of its stack back. */
  readonly ofReleases?: boolean;
}

type AlarmOptions = Partial<Omit<AlarmProps, 'metric'>> & Pick<AlarmProps, 'alarmDescription'>;

export class Alarms extends Construct {
  readonly #topic: ITopic;
  readonly #isAws: boolean;
  readonly #namespace: string;
  readonly #prefix: string;
  readonly #areNamed: boolean;
  readonly #ofReleases: IAlarm[] = [];

  /** Emulators of AWS keep no logs to read and compute no figures: an ephemeral deployment has no alarm on either. */
  constructor(
    scope: Construct,
    id: string,
    topic: ITopic,
    { ephemeral, environment, release }: Pick<Settings, 'ephemeral' | 'environment' | 'release'>,
  ) {
    super(scope, id);
    this.#prefix = resourcePrefix(environment);
    this.#areNamed = isBehindAlias({ release });
    this.#namespace = metricNamespace(environment);
    this.#topic = topic;
    this.#isAws = !ephemeral;
  }

  /** What is the same for every product. Lambda sums up errors and throttles of all functions of the account and region. */
  watchEverything(): void {
    this.#alarm('Errors', new Metric({ namespace: 'AWS/Lambda', metricName: 'Errors', ...SUM }), {
      alarmDescription: 'Invocations of a function keep failing.',
      ...REPEATED,
    });
    this.#alarm('Throttled', new Metric({ namespace: 'AWS/Lambda', metricName: 'Throttles', ...SUM }), {
      alarmDescription:
        "Lambda keeps refusing invocations: a function's share of the concurrency, or the account's, is used up.",
      ...REPEATED_OFTEN,
    });
    this.watchFigure('Answers5xx', {
      alarmDescription: 'Requests to a public URL keep getting 5xx: senders repeat what they send.',
      ...REPEATED_OFTEN,
    });
    this.watchFigure('Waiting', {
      alarmDescription: 'Messages or rows have waited for too long to be worked.',
    });
    this.watchFigure('ConnectionPaused', {
      alarmDescription:
        'A platform refuses the credentials of a merchant’s connection, or a receiver of webhooks is gone: what is for it waits or ends. The log line names it.',
    });
    this.watchFigure('Quarantine', {
      alarmDescription:
        'A stored row cannot be read, or a platform throws. Everything else goes on; the log lines with `quarantine` name it.',
    });
  }

  /**
   * Tells each time when messages were given up. By how their number grows: they stay for days, and what comes meanwhile must raise
   * the alarm again. Figures of a queue may be late, and a queue that is not used has none.
   */
  watchDeadLetters(queue: IQueue): void {
    if (!this.#isAws) return;
    const waiting = queue.metricApproximateNumberOfMessagesVisible({ period: PERIOD, statistic: 'Maximum' });
    const growth = new MathExpression({
      expression: 'DIFF(FILL(waiting, 0))',
      usingMetrics: { waiting },
      period: PERIOD,
    });
    this.#alarm('DeadLetters', growth, {
      alarmDescription:
        'Messages failed repeatedly. Their rows are safe and are retried; find out why they failed.',
      evaluationPeriods: 3,
      datapointsToAlarm: 1,
    });
  }

  /** Tells when a scheduled function has not run for `silenceMax`: retries stand or fall with it. */
  watchSilence(name: string, watched: IFunction, silenceMax: Duration): void {
    this.#alarm(`${name}Silent`, watched.metricInvocations({ period: silenceMax, statistic: 'Sum' }), {
      alarmDescription: `${name} has not run for ${silenceMax.toMinutes()} minutes: nothing is retried meanwhile.`,
      threshold: 1,
      comparisonOperator: ComparisonOperator.LESS_THAN_THRESHOLD,
      treatMissingData: TreatMissingData.BREACHING,
    });
  }

  /** That take a release of this stack back: core's, and its own. */
  ofReleases(): readonly IAlarm[] {
    const shared = OF_RELEASES.map((id) => Alarm.fromAlarmName(this, `Shared${id}`, this.#nameOf(id)));
    return [...shared, ...this.#ofReleases];
  }

  /** Alarms when a figure that is counted from log lines, or written in them (`figure`), is above 0. */
  watchFigure(
    name: string,
    { statistic = 'Sum', figure, ofReleases = false, ...options }: AlarmOptions & FigureOptions,
  ): void {
    if (!this.#isAws) return;
    const metricName = figure ?? name;
    const metric = new Metric({ namespace: this.#namespace, metricName, period: PERIOD, statistic });
    const alarm = this.#alarm(name, metric, options);
    if (ofReleases) this.#ofReleases.push(alarm);
  }

  /** Counts lines of one function into a figure, which may be that of other functions as well. */
  countLines(name: string, watched: Readonly<Record<string, LoggingFunction>>, lines: Lines): void {
    if (!this.#isAws) return;
    for (const [id, { logGroup }] of Object.entries(watched))
      new MetricFilter(this, `${id}${name}`, {
        logGroup,
        ...filterOf(lines),
        metricNamespace: this.#namespace,
        metricName: name,
      });
  }

  /** By default for a figure above 0 in one period. */
  #alarm(id: string, metric: AlarmProps['metric'], options: AlarmOptions): Alarm {
    const alarm = new Alarm(this, id, {
      metric,
      threshold: 0,
      comparisonOperator: ComparisonOperator.GREATER_THAN_THRESHOLD,
      evaluationPeriods: 1,
      treatMissingData: TreatMissingData.NOT_BREACHING,
      ...options,
      ...(this.#areNamed && OF_RELEASES.includes(id) ? { alarmName: this.#nameOf(id) } : {}),
      alarmDescription: `${options.alarmDescription} What to do: ${runbookOf(id)}`,
    });
    alarm.addAlarmAction(new SnsAction(this.#topic));
    alarm.addOkAction(new SnsAction(this.#topic));
    return alarm;
  }

  #nameOf(id: string): string {
    return `${this.#prefix}-${id}`;
  }
}

function filterOf(lines: Lines): { readonly filterPattern: IFilterPattern; readonly metricValue: string } {
  if ('metric' in lines)
    return {
      filterPattern: FilterPattern.stringValue('$.metric', '=', lines.metric),
      metricValue: '$.value',
    };
  if ('has' in lines) return { filterPattern: FilterPattern.exists(`$.${lines.has}`), metricValue: '1' };
  return {
    filterPattern: FilterPattern.numberValue(`$.${lines.above0}`, '>', 0),
    metricValue: `$.${lines.above0}`,
  };
}
