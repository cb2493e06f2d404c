// Where alarms of all products go. Only CloudWatch of this account may publish to it.
import { Stack } from 'aws-cdk-lib';
import { ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Topic } from 'aws-cdk-lib/aws-sns';
import { EmailSubscription } from 'aws-cdk-lib/aws-sns-subscriptions';
import type { Construct } from 'constructs';
import type { Settings } from '../settings.ts';

export class AlarmTopic extends Topic {
  constructor(scope: Construct, id: string, { ephemeral, alarmEmail }: Settings) {
    super(scope, id, { displayName: 'Millrace alarms', enforceSSL: !ephemeral });
    // The topic's own policy takes the place of the default one, which let the account's alarms publish.
    this.grantPublish(
      new ServicePrincipal('cloudwatch.amazonaws.com', {
        conditions: { StringEquals: { 'aws:SourceAccount': Stack.of(this).account } },
      }),
    );
    if (alarmEmail !== undefined) this.addSubscription(new EmailSubscription(alarmEmail));
  }
}
