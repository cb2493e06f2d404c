// One page that shows what became of events, and every product's queues, functions and tables. It finds them by the prefix of
// their names, so this stack refers to no other and any of them can change without it.
import { Duration, Stack } from 'aws-cdk-lib';
import { Dashboard, GraphWidget, type IMetric, MathExpression, Metric } from 'aws-cdk-lib/aws-cloudwatch';
import type { Construct } from 'constructs';
import { metricNamespace } from '../../lib/core/topology.ts';
import type { MillraceStackProps } from '../settings.ts';
import { stackPrefix } from '../stack-names.ts';

export class ObservabilityStack extends Stack {
  constructor(scope: Construct, id: string, { settings, synthesizer }: MillraceStackProps) {
    super(scope, id, { synthesizer, description: 'Millrace: dashboard' });
    const figures = figuresOf(metricNamespace(settings.environment));
    const graph = graphsOf(stackPrefix(settings.environment));
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
          figures('Events at platforms', 'Sum', [
            'Delivered',
            'Retried',
            'NotDelivered',
            'RefusedDeliveries',
          ]),
          figures('From 202 to delivered (p99, ms)', 'p99', ['DeliveryLatency']),
          figures('Waiting (oldest, seconds)', 'Maximum', ['OldestDue', 'OldestUnfinished']),
          figures('Wrong', 'Sum', [
            'Answers5xx',
            'ConnectionPaused',
            'Quarantine',
            'CounterDrift',
            'LimitReached',
          ]),
        ],
        [
          graph('Invocations', 'AWS/Lambda,FunctionName', 'Invocations', 'Sum'),
          graph('Failed invocations', 'AWS/Lambda,FunctionName', 'Errors', 'Sum'),
          graph('Duration (p99, ms)', 'AWS/Lambda,FunctionName', 'Duration', 'p99'),
        ],
        [
          graph('Answers 5xx of each URL', 'AWS/Lambda,FunctionName', 'Url5xxCount', 'Sum'),
          graph('Throttled invocations', 'AWS/Lambda,FunctionName', 'Throttles', 'Sum'),
        ],
        [
          graph('Consumed write units', 'AWS/DynamoDB,TableName', 'ConsumedWriteCapacityUnits', 'Sum'),
          graph('Throttled requests', 'AWS/DynamoDB,TableName,Operation', 'ThrottledRequests', 'Sum'),
        ],
      ].map((row) => row.map((shown) => widget(shown, 24 / row.length))),
    });
  }
}

interface Graph {
  readonly title: string;
  readonly metrics: readonly IMetric[];
}

/** Of the product itself, written by its functions or counted from their lines. */
const figuresOf =
  (namespace: string) =>
  (title: string, statistic: string, names: readonly string[]): Graph => {
    const period = Duration.minutes(5);
    const metrics = names.map((metricName) => new Metric({ namespace, metricName, statistic, period }));
    return { title, metrics };
  };

const graphsOf =
  (prefix: string) =>
  (title: string, dimensions: string, name: string, statistic: string): Graph => {
    const expression = `SEARCH('{${dimensions}} MetricName="${name}" ${prefix}', '${statistic}', 300)`;
    return {
      title,
      metrics: [new MathExpression({ expression, label: '', usingMetrics: {}, period: Duration.minutes(5) })],
    };
  };

function widget({ title, metrics }: Graph, width: number): GraphWidget {
  return new GraphWidget({ title, left: [...metrics], width, height: 6 });
}
