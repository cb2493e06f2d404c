// Where alarms go, and one page that shows the pipeline. The page finds queues and functions by the prefix of their names, so
// this stack refers to no other and any of them can change without it.
import { CfnOutput, Duration, Stack } from 'aws-cdk-lib';
import { Dashboard, GraphWidget, type IMetric, MathExpression } from 'aws-cdk-lib/aws-cloudwatch';
import { ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Topic } from 'aws-cdk-lib/aws-sns';
import { EmailSubscription } from 'aws-cdk-lib/aws-sns-subscriptions';
import type { Construct } from 'constructs';
import type { MillraceStackProps } from '../settings.ts';

export class ObservabilityStack extends Stack {
  readonly alarmTopic: Topic;

  constructor(scope: Construct, id: string, props: MillraceStackProps) {
    super(scope, id, {
      synthesizer: props.synthesizer,
      description: 'Millrace: alarm topic and dashboard',
    });
    this.alarmTopic = new Topic(this, 'Alarms', {
      displayName: 'Millrace alarms',
      enforceSSL: !props.settings.ephemeral,
    });
    // The topic's own policy takes the place of the default one, which let the account's alarms publish.
    this.alarmTopic.grantPublish(
      new ServicePrincipal('cloudwatch.amazonaws.com', {
        conditions: { StringEquals: { 'aws:SourceAccount': this.account } },
      }),
    );
    if (props.settings.alarmEmail !== undefined) {
      this.alarmTopic.addSubscription(new EmailSubscription(props.settings.alarmEmail));
    }
    new CfnOutput(this, 'AlarmTopicArn', { value: this.alarmTopic.topicArn });

    new Dashboard(this, 'Pipeline', {
      defaultInterval: Duration.hours(6),
      widgets: [
        [
          graph(
            'Waiting in the queues (oldest, seconds)',
            'AWS/SQS,QueueName',
            'ApproximateAgeOfOldestMessage',
            'Maximum',
          ),
          graph(
            'Messages in the queues',
            'AWS/SQS,QueueName',
            'ApproximateNumberOfMessagesVisible',
            'Maximum',
          ),
        ],
        [
          graph('Invocations', 'AWS/Lambda,FunctionName', 'Invocations', 'Sum'),
          graph('Failed invocations', 'AWS/Lambda,FunctionName', 'Errors', 'Sum'),
          graph('Duration (p99, ms)', 'AWS/Lambda,FunctionName', 'Duration', 'p99'),
        ],
        [
          graph('Consumed write units', 'AWS/DynamoDB,TableName', 'ConsumedWriteCapacityUnits', 'Sum'),
          graph('Throttled requests', 'AWS/DynamoDB,TableName,Operation', 'ThrottledRequests', 'Sum'),
        ],
      ].map((row) => row.map((metric) => widget(metric, 24 / row.length))),
    });
  }
}

interface Graph {
  readonly title: string;
  readonly metric: IMetric;
}

function graph(title: string, dimensions: string, name: string, statistic: string): Graph {
  const expression = `SEARCH('{${dimensions}} MetricName="${name}" Millrace', '${statistic}', 300)`;
  return {
    title,
    metric: new MathExpression({ expression, label: '', usingMetrics: {}, period: Duration.minutes(5) }),
  };
}

function widget({ title, metric }: Graph, width: number): GraphWidget {
  return new GraphWidget({ title, left: [metric], width, height: 6 });
}
