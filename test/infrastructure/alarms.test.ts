// Alarms: each thing that can go wrong has an alarm, and every function and queue it can go wrong in is counted.
import { describe, expect, it } from 'vitest';
import { type Named, resourcesOf, synthesized, target } from './synthesized.ts';

const production = () => synthesized({ ephemeral: false });
const properties = (resource: Named | undefined): Readonly<Record<string, unknown>> =>
  resource?.Properties ?? {};
const ids = (type: string, pattern = /./) =>
  resourcesOf(production(), type)
    .map(({ id }) => id)
    .filter((id) => pattern.test(id))
    .sort();
const alarms = (app = production()) => resourcesOf(app, 'AWS::CloudWatch::Alarm');
const alarmOf = (metric: string) => {
  const [alarm, ...others] = alarms()
    .map(properties)
    .filter(({ MetricName }) => MetricName === metric);
  expect(others).toEqual([]);
  return alarm;
};
/** Functions whose lines are counted into this figure. */
const counted = (metric: string, pattern: string) => {
  const filters = resourcesOf(production(), 'AWS::Logs::MetricFilter').map(properties);
  const found = filters.filter(({ MetricTransformations }) => {
    const [{ MetricName, MetricNamespace } = {}] = MetricTransformations as Record<string, unknown>[];
    return MetricName === metric && MetricNamespace === 'Millrace';
  });
  return found.flatMap(({ FilterPattern, LogGroupName }) =>
    FilterPattern === pattern ? [target(LogGroupName).replace(/Logs[0-9A-F]{8}$/, '')] : [],
  );
};
const metricLine = (metric: string) => `{ $.metric = "${metric}" }`;
const consumers = () =>
  resourcesOf(production(), 'AWS::Lambda::EventSourceMapping').map((source) =>
    target(properties(source).FunctionName).replace(/[0-9A-F]{8}$/, ''),
  );

describe('alarms', () => {
  it('are few, and tell the topic when they begin and when they end', () => {
    const [topic] = ids('AWS::SNS::Topic');
    const names = alarms().map(({ id }) => id.replace(/^(Shared|Helpdesk)?Alarms|[0-9A-F]{8}$/g, ''));
    expect(names.sort()).toEqual([
      'Answers5xx',
      'ConnectionPaused',
      'CounterDrift',
      'DeadLetters',
      'DeliverySlow',
      'Errors',
      'HelpdeskSweepSilent',
      'LimitReached',
      'Quarantine',
      'ReconcileSilent',
      'SweepSilent',
      'Throttled',
      'Waiting',
    ]);
    for (const alarm of alarms())
      for (const action of ['AlarmActions', 'OKActions'])
        expect((properties(alarm)[action] as unknown[]).map(target)).toEqual([topic]);
  });

  it('watch errors and throttles of all functions of the account, and each schedule by itself', () => {
    for (const metric of ['Errors', 'Throttles']) {
      const alarm = alarmOf(metric);
      expect(alarm).toMatchObject({ Namespace: 'AWS/Lambda', EvaluationPeriods: 3, DatapointsToAlarm: 2 });
      expect(alarm).not.toHaveProperty('Dimensions');
    }
    const silent = alarms().filter((alarm) => properties(alarm).MetricName === 'Invocations');
    const watched = silent.map((alarm) =>
      target((properties(alarm).Dimensions as { Value: unknown }[])[0]?.Value),
    );
    const scheduled = resourcesOf(production(), 'AWS::Events::Rule').map((rule) =>
      target((properties(rule).Targets as { Arn: unknown }[])[0]?.Arn),
    );
    expect(watched.sort()).toEqual(scheduled.sort());
    // Nothing that stands still writes a line.
    for (const alarm of silent) expect(properties(alarm)).toMatchObject({ TreatMissingData: 'breaching' });
  });

  it('tell each time when more was given up, while what was given up before still lies there', () => {
    const queues = alarms().flatMap((alarm) => {
      const { Metrics, EvaluationPeriods, DatapointsToAlarm } = properties(alarm);
      if (Metrics === undefined) return [];
      const [growth, waiting] = Metrics as readonly Record<string, unknown>[];
      expect(growth).toMatchObject({ Expression: 'DIFF(FILL(waiting, 0))' });
      // A figure of a queue may be late.
      expect([EvaluationPeriods, DatapointsToAlarm]).toEqual([3, 1]);
      const { Metric } = (waiting?.MetricStat ?? {}) as { readonly Metric: Record<string, unknown> };
      expect(Metric.MetricName).toBe('ApproximateNumberOfMessagesVisible');
      return (Metric.Dimensions as { Value: unknown }[]).map(({ Value }) => target(Value));
    });
    expect(queues.sort()).toEqual(ids('AWS::SQS::Queue', /DeadLetters/));
  });

  it('count what every function cannot read, and what every one that works a queue found waiting', () => {
    const all = ids('AWS::Lambda::Function').map((id) => id.replace(/[0-9A-F]{8}$/, ''));
    // But of those that read no rows of merchants: operators are there when theirs answer.
    const reading = all.filter((id) => !id.startsWith('Operator'));
    expect(counted('Quarantine', '{ $.quarantine = "*" }').sort()).toEqual(reading);
    const waiting = counted('Waiting', metricLine('waiting'));
    expect(waiting).toEqual(expect.arrayContaining([...consumers(), 'Sweep', 'HelpdeskSweep']));
    for (const figure of ['Quarantine', 'Waiting'])
      expect(alarmOf(figure)).toMatchObject({ Namespace: 'Millrace', EvaluationPeriods: 1, Threshold: 0 });
  });

  it('count what every public URL answers with 5xx', () => {
    const urls = resourcesOf(production(), 'AWS::Lambda::Url')
      .filter((url) => properties(url).AuthType === 'NONE')
      .map((url) => target(properties(url).TargetFunctionArn).replace(/[0-9A-F]{8}$/, ''));
    expect(urls.length).toBeGreaterThanOrEqual(4);
    expect(counted('Answers5xx', metricLine('answers_5xx')).sort()).toEqual(urls.sort());
    expect(alarmOf('Answers5xx')).toMatchObject({ EvaluationPeriods: 3, DatapointsToAlarm: 2, Threshold: 5 });
  });

  it.each([
    ['RefusedDeliveries', 'refused_deliveries', ['FanOut', 'Deliver']],
    ['DeprecatedCalls', 'deprecated_calls', ['FanOut', 'Deliver']],
    ['ConnectionPaused', 'connections_paused', ['FanOut', 'Deliver']],
    ['ConnectionPaused', 'webhook_disabled', ['HelpdeskWebhooks']],
    ['LimitReached', 'event_limit_reached', ['Ingestion']],
    ['LimitReached', 'browser_limit_reached', ['BrowserIngestion']],
  ])('count %s from lines with %s of %j', (figure, metric, names) => {
    expect(counted(figure, metricLine(metric))).toEqual(names);
    expect(alarmOf(figure) === undefined).toBe(
      figure === 'RefusedDeliveries' || figure === 'DeprecatedCalls',
    );
  });

  it('watch the drift that reconcile logs, and take the largest line', () => {
    expect(counted('CounterDrift', '{ $.drift > 0 }')).toEqual(['Reconcile']);
    expect(alarmOf('CounterDrift')).toMatchObject({
      Statistic: 'Maximum',
      ComparisonOperator: 'GreaterThanThreshold',
      Threshold: 0,
      TreatMissingData: 'notBreaching',
    });
  });

  it('watch how late the slowest deliveries are, where that is measured', () => {
    expect(alarmOf('DeliveryLatency')).toMatchObject({
      ...{ Namespace: 'Millrace', ExtendedStatistic: 'p99', Threshold: 120_000 },
      ...{ EvaluationPeriods: 3, DatapointsToAlarm: 2 },
    });
    const none = alarms(synthesized({ ephemeral: false, context: { metrics: 'none' } }));
    expect(none.map(properties).filter(({ MetricName }) => MetricName === 'DeliveryLatency')).toEqual([]);
  });

  it('tell when the account costs more than it may, where somebody said how much', () => {
    expect(ids('AWS::Budgets::Budget')).toEqual([]);
    const app = synthesized({ ephemeral: false, context: { monthlyUsd: 50 } });
    const [budget] = resourcesOf(app, 'AWS::Budgets::Budget').map(properties);
    expect(budget?.Budget).toEqual({
      ...{ BudgetType: 'COST', TimeUnit: 'MONTHLY' },
      BudgetLimit: { Amount: 50, Unit: 'USD' },
    });
    const told = budget?.NotificationsWithSubscribers as { Subscribers: { Address: unknown }[] }[];
    const [topic] = ids('AWS::SNS::Topic');
    expect(told.map(({ Subscribers: [one] }) => target(one?.Address))).toEqual([topic, topic]);
    const [policy] = resourcesOf(app, 'AWS::SNS::TopicPolicy').map(properties);
    expect(JSON.stringify(policy)).toContain('budgets.amazonaws.com');
  });

  it('read no log and compute nothing where an emulator cannot', () => {
    const app = synthesized({ ephemeral: true });
    expect(resourcesOf(app, 'AWS::Logs::MetricFilter')).toEqual([]);
    const known = ['AWS/Lambda'];
    for (const alarm of alarms(app)) expect(known).toContain(properties(alarm).Namespace);
  });

  it('may publish to the topic although its policy is not the default one', () => {
    const [policy] = resourcesOf(production(), 'AWS::SNS::TopicPolicy');
    const { Statement: statements } = properties(policy).PolicyDocument as { Statement: unknown[] };
    expect(statements).toContainEqual(
      expect.objectContaining({
        Effect: 'Allow',
        Action: 'sns:Publish',
        Principal: { Service: 'cloudwatch.amazonaws.com' },
      }),
    );
  });
});
