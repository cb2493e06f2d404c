// Goal: a run that takes more than its budget is told so, figure by figure, and nothing else is.
import { expect, it } from 'vitest';
import type { Template } from '../../cdk/synthesize.ts';
import { BUDGETS, exceeded, kindOf } from '../performance/cost-budgets.ts';
import { IDLE_DOLLARS_MAX, idleExceeded, idleMonth } from '../performance/idle-cost.ts';

it.each(
  BUDGETS.map(
    (budget) =>
      [
        `${budget.perSec}/s to ${budget.platforms}, ${budget.gatherers} pollers${kindOf(budget)}`,
        budget,
      ] as const,
  ),
)('%s is held to each of its limits', (_name, { limits, dollarsMax: { all }, ...key }) => {
  const cell = { ...key, units: limits, dollarsPerMillion: all };
  expect(exceeded(cell)).toEqual([]);
  for (const name of ['writeUnits', 'readUnits', 'sqsRequests', 'invocations', 'platformWaits'] as const) {
    const more = { ...limits, [name]: limits[name] * 1.001 };
    const [only, ...others] = exceeded({ ...cell, units: more });
    expect(only).toContain(`${name} per event at ${key.perSec} a second to ${key.platforms}`);
    expect(others).toEqual([]);
  }
  expect(exceeded({ ...cell, dollarsPerMillion: all + 0.01 })).toEqual([
    expect.stringContaining('a million events'),
  ]);
});

it('has budgets for one poller and for five, small merchants and large ones, one platform to all', () => {
  const cells = BUDGETS.map(
    (budget) => [budget.perSec, budget.platforms, budget.gatherers].join() + kindOf(budget),
  );
  expect(new Set(cells).size).toBe(cells.length);
  const five = [1 / 60, 1, 33, 1_000].flatMap((perSec) =>
    [1, 3, 12].map((platforms) => [perSec, platforms, 5].join()),
  );
  expect(cells).toEqual(
    expect.arrayContaining([
      ...five,
      '5,3,5',
      '33,3,1',
      '33,12,1',
      '1,3,5, from browsers',
      '33,3,5, from browsers',
      '33,3,5, orders alone',
      `${1 / 60},3,5, together`,
    ]),
  );
});

it('says nothing where there is no budget', () => {
  const units = { writeUnits: 99, readUnits: 99, sqsRequests: 99, invocations: 99, platformWaits: 99 };
  const key = { perSec: 2, platforms: 3, gatherers: 5, merchants: 1 } as const;
  expect(exceeded({ ...key, units, dollarsPerMillion: 99 })).toEqual([]);
});

it('charges an idle month for what stands there, and says when it is too much', () => {
  const stat = { MetricStat: {} };
  const template = (alarms: number): Template => ({
    Outputs: {},
    Resources: {
      page: { Type: 'AWS::CloudWatch::Dashboard' },
      always: { Type: 'AWS::Lambda::EventSourceMapping' },
      rare: { Type: 'AWS::Lambda::EventSourceMapping' },
      sweep: {
        Type: 'AWS::Lambda::Function',
        Properties: { Environment: { Variables: { EVENT_SOURCES: { Ref: 'rare' } } } },
      },
      minutely: { Type: 'AWS::Events::Rule', Properties: { ScheduleExpression: 'rate(1 minute)' } },
      hourly: { Type: 'AWS::Events::Rule', Properties: { ScheduleExpression: 'rate(1 hour)' } },
      both: { Type: 'AWS::CloudWatch::Alarm', Properties: { Metrics: [stat, stat, { Expression: 'a+b' }] } },
      ...Object.fromEntries(
        Array.from({ length: alarms }, (_, i) => [`alarm${i}`, { Type: 'AWS::CloudWatch::Alarm' }]),
      ),
    },
  });
  const idle = (alarms: number, platforms = 0) => idleMonth(template(alarms), 0, platforms);
  expect(idle(3).filter(({ count }) => count > 0)).toMatchObject([
    { what: 'receives that find nothing', count: 657_000 },
    { what: 'looks at queues whose sources rest', count: 43_800 },
    { what: 'metrics of alarms', count: 5, dollars: expect.closeTo(0.5, 9) },
    { what: 'dashboards', count: 1, dollars: 3 },
    { what: 'read by sweeps' },
    { what: 'invocations of schedules', count: 43_800 + 730 },
    { what: 'time of sweeps, GB-s' },
  ]);
  expect(idle(3, 1)[0]).toMatchObject({ count: 2 * 657_000 });
  expect(idleExceeded(idle(3))).toEqual([]);
  expect(idleExceeded(idle(10 * IDLE_DOLLARS_MAX))).toHaveLength(1);
});
