// A stage that runs again and again, and the alarm for the day it does not.
import { Duration } from 'aws-cdk-lib';
import { Rule, Schedule } from 'aws-cdk-lib/aws-events';
import { LambdaFunction } from 'aws-cdk-lib/aws-events-targets';
import type { Function as LambdaFn } from 'aws-cdk-lib/aws-lambda';
import type { Construct } from 'constructs';
import type { Alarms } from './alarms.ts';

export function every(
  scope: Construct,
  interval: Duration,
  { name, stage, alarms }: { readonly name: string; readonly stage: LambdaFn; readonly alarms: Alarms },
): void {
  new Rule(scope, `${name}Schedule`, {
    schedule: Schedule.rate(interval),
    // The next turn does what this one missed; a late repetition would only run beside it.
    targets: [new LambdaFunction(stage, { retryAttempts: 0, maxEventAge: Duration.minutes(1) })],
  });
  alarms.watchSilence(name, stage, Duration.minutes(interval.toMinutes() * 5));
}
