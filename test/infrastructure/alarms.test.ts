// What wakes somebody: every queue, function and schedule is watched, and so are the figures that are logged.
import { describe, expect, it } from 'vitest';
import { type Named, resourcesOf, synthesized, target } from './synthesized.ts';

const production = () => synthesized({ ephemeral: false });
const properties = (resource: Named | undefined): Readonly<Record<string, unknown>> =>
  resource?.Properties ?? {};

describe('alarms', () => {
  it('watch every queue, its dead-letter queue, every function and each schedule, and tell the topic', () => {
    const alarms = resourcesOf(production(), 'AWS::CloudWatch::Alarm');
    const watched = (metric: string) =>
      alarms
        .filter((alarm) => properties(alarm).MetricName === metric)
        .map((alarm) => target((properties(alarm).Dimensions as { Value: unknown }[])[0]?.Value))
        .sort();
    const ids = (type: string, pattern = /./) =>
      resourcesOf(production(), type)
        .map(({ id }) => id)
        .filter((id) => pattern.test(id))
        .sort();
    expect(watched('ApproximateNumberOfMessagesVisible')).toEqual(ids('AWS::SQS::Queue', /Dlq[0-9A-F]{8}$/));
    expect(watched('ApproximateAgeOfOldestMessage')).toEqual(ids('AWS::SQS::Queue', /Queue[0-9A-F]{8}$/));
    expect(watched('Errors')).toEqual(ids('AWS::Lambda::Function'));
    expect(watched('Invocations')).toEqual(ids('AWS::Lambda::Function', /^(Sweep|Reconcile|HelpdeskSweep)/));
    // Every function's log, counted into one figure.
    const filters = resourcesOf(production(), 'AWS::Logs::MetricFilter').map(properties);
    const counting = filters.filter(({ FilterPattern }) => FilterPattern === '{ $.quarantine = "*" }');
    // But of those that read no rows of merchants: operators are there when theirs answer.
    expect(counting).toHaveLength(ids('AWS::Lambda::Function', /^(?!Operator)/).length);
    const quarantine = alarms.filter((alarm) => properties(alarm).MetricName === 'Quarantined');
    expect(quarantine.map((alarm) => properties(alarm).Namespace)).toEqual([
      'MillraceEvents',
      'MillraceHelpdesk',
    ]);
    const [topic] = ids('AWS::SNS::Topic');
    for (const alarm of alarms)
      expect((properties(alarm).AlarmActions as unknown[]).map(target)).toEqual([topic]);
  });

  it('watch what every public URL answers, and whether Lambda lets requests in', () => {
    const alarms = resourcesOf(production(), 'AWS::CloudWatch::Alarm').map(properties);
    const urls = resourcesOf(production(), 'AWS::Lambda::Url')
      .filter((url) => properties(url).AuthType === 'NONE')
      .map((url) => target(properties(url).TargetFunctionArn));
    expect(urls.length).toBeGreaterThanOrEqual(4);
    for (const metric of ['Url5xxCount', 'Throttles']) {
      const watching = alarms.filter(({ MetricName }) => MetricName === metric);
      const watched = watching.map(({ Dimensions }) =>
        target((Dimensions as { Value: unknown }[])[0]?.Value),
      );
      expect(watched.sort()).toEqual([...urls].sort());
      for (const alarm of watching)
        expect(alarm).toMatchObject({ Namespace: 'AWS/Lambda', EvaluationPeriods: 3, DatapointsToAlarm: 2 });
    }
  });

  it('count refused deliveries, and watch for connections that were paused', () => {
    const filters = resourcesOf(production(), 'AWS::Logs::MetricFilter').map(properties);
    const counted = (metric: string) =>
      filters.filter(({ FilterPattern }) => FilterPattern === `{ $.metric = "${metric}" }`);
    for (const metric of ['refused_deliveries', 'connections_paused']) {
      const [filter, ...others] = counted(metric);
      expect(others).toEqual([]);
      expect(target(filter?.LogGroupName)).toMatch(/^DeliverLogs/);
    }
    const paused = resourcesOf(production(), 'AWS::CloudWatch::Alarm')
      .map(properties)
      .filter(({ MetricName }) => MetricName === 'ConnectionPaused');
    expect(paused).toHaveLength(1);
  });

  it('watch the drift that reconcile logs', () => {
    const [filter, ...others] = resourcesOf(production(), 'AWS::Logs::MetricFilter').filter(
      (candidate) => !/\$\.(?:quarantine|metric) /.test(String(properties(candidate).FilterPattern)),
    );
    if (filter === undefined) throw new Error('no filter');
    expect(others).toEqual([]);
    const { LogGroupName: group, FilterPattern: pattern } = properties(filter);
    expect(target(group)).toMatch(/^ReconcileLogs/);
    expect(pattern).toBe('{ $.drift > 0 }');
    const [transformation] = properties(filter).MetricTransformations as Record<string, unknown>[];
    const alarm = resourcesOf(production(), 'AWS::CloudWatch::Alarm').find(
      (candidate) => properties(candidate).MetricName === transformation?.MetricName,
    );
    if (alarm === undefined) throw new Error('no alarm');
    expect(transformation).toMatchObject({ MetricValue: '$.drift' });
    expect(properties(alarm)).toMatchObject({
      Namespace: transformation?.MetricNamespace,
      ComparisonOperator: 'GreaterThanThreshold',
      Threshold: 0,
      TreatMissingData: 'notBreaching',
    });
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
