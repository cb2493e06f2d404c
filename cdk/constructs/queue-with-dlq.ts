// A queue of pointers, and the queue that takes what failed in any of them.
// Guarantees: a message that fails five times moves aside and is kept for 14 days; a message in work stays hidden for six
// times the function's timeout, as AWS asks of queues that feed functions
// (https://docs.aws.amazon.com/lambda/latest/dg/services-sqs-configure.html); encrypted at rest, and in transit where it leaves the machine.
import { Duration, RemovalPolicy, Stack } from 'aws-cdk-lib';
import { Queue, QueueEncryption } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import { resourcePrefix } from '../stack-names.ts';
import { type Access, permission } from './stage-function.ts';

export interface QueueWithDlqProps {
  /** Timeout of the function that works this queue. */
  readonly consumerTimeout: Duration;
  /** Emulators on this machine speak plain HTTP, and MiniStack honours the policy that forbids it. */
  readonly httpsOnly: boolean;
  /** Default the one whose names say none. */
  readonly environment?: string | undefined;
}

/** Known by its name: an import of core's would keep a deployment from going back to a release whose core has no such queue. */
const deadLettersOf = (environment: string | undefined) => `${resourcePrefix(environment)}-dead-letters`;
const RECEIVES_MAX = 5;
const VISIBILITY_FACTOR = 6;
/** Rows bring back what a queue loses, so a longer wait in it would serve nobody. */
const RETENTION = Duration.days(4);
const DLQ_RETENTION = Duration.days(14);

export class QueueWithDlq extends Construct {
  readonly queue: Queue;
  readonly #sends: readonly string[];

  constructor(scope: Construct, id: string, props: QueueWithDlqProps) {
    super(scope, id);
    this.#sends = sends(!props.httpsOnly);
    const dlqArn = Stack.of(this).formatArn({ service: 'sqs', resource: deadLettersOf(props.environment) });
    // A message says which queue it comes from, and a redrive takes it back there.
    const dlq = Queue.fromQueueArn(this, 'DeadLetters', dlqArn);
    this.queue = new Queue(this, 'Queue', {
      ...common(props),
      retentionPeriod: RETENTION,
      visibilityTimeout: Duration.seconds(props.consumerTimeout.toSeconds() * VISIBILITY_FACTOR),
      deadLetterQueue: { queue: dlq, maxReceiveCount: RECEIVES_MAX },
    });
  }

  /** Permission to send, with the queue's URL in the environment under `name`. */
  sender(name: string): Access {
    return sendTo([this.queue], this.#sends, { [name]: this.queue.queueUrl });
  }
}

export const deadLetters = (
  scope: Construct,
  id: string,
  props: Pick<QueueWithDlqProps, 'httpsOnly' | 'environment'>,
): Queue =>
  new Queue(scope, id, {
    ...common(props),
    queueName: deadLettersOf(props.environment),
    retentionPeriod: DLQ_RETENTION,
  });

/** Queues hold hints, never truth: deleting one with its stack loses nothing. */
const common = ({ httpsOnly }: Pick<QueueWithDlqProps, 'httpsOnly'>) => ({
  encryption: QueueEncryption.SQS_MANAGED,
  enforceSSL: httpsOnly,
  removalPolicy: RemovalPolicy.DESTROY,
});

/**
 * The actions that sending takes. MiniStack, which checks permissions, takes sending several messages at once for an action of its
 * own, which AWS does not know.
 */
export const sends = (isEphemeral: boolean): readonly string[] =>
  isEphemeral ? ['sqs:SendMessage', 'sqs:SendMessageBatch'] : ['sqs:SendMessage'];

/** One statement for all of them, so that a policy does not grow with the number of platforms. */
export const sendTo = (
  queues: readonly Queue[],
  actions: ReturnType<typeof sends>,
  environment: Access['environment'],
): Access =>
  permission(
    actions,
    queues.map(({ queueArn }) => queueArn),
    environment,
  );
