// E-mail of the helpdesk, where a deployment names a domain: SES sends and receives, what came in lies in a bucket, and a queue
// tells of each mail and of each event of a mail that was sent.
// Guarantees: nobody but SES puts a mail there, and only for this account; mails are encrypted, private and kept for as long as
// the audit log. What SES asks of the domain's DNS, and switching its one active rule set over, is up to people: both are in
// the outputs and in docs/deploy.md.
import { Aws, CfnOutput, Duration, RemovalPolicy } from 'aws-cdk-lib';
import { PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import {
  BlockPublicAccess,
  Bucket,
  BucketEncryption,
  type CfnBucket,
  ObjectOwnership,
} from 'aws-cdk-lib/aws-s3';
import {
  CfnConfigurationSet,
  CfnConfigurationSetEventDestination,
  CfnEmailIdentity,
  CfnReceiptRule,
  CfnReceiptRuleSet,
} from 'aws-cdk-lib/aws-ses';
import { Topic } from 'aws-cdk-lib/aws-sns';
import { SqsSubscription } from 'aws-cdk-lib/aws-sns-subscriptions';
import { Construct } from 'constructs';
import { HELPDESK_ENV } from '#lib/helpdesk/domain/topology.ts';
import type { Settings } from '../../settings.ts';
import type { QueueWithDlq } from '../queue-with-dlq.ts';
import { type Access, permission, variables } from '../stage-function.ts';

const INBOUND = 'inbound/';
const KEPT = Duration.days(400);
/** What is known of a mail after SES took it. */
const EVENTS = ['send', 'delivery', 'deliveryDelay', 'bounce', 'complaint', 'reject'];

export interface HelpdeskMailProps {
  readonly domain: string;
  readonly settings: Pick<Settings, 'ephemeral'>;
  /** Told of each mail that came in. */
  readonly inbound: QueueWithDlq;
  /** Told of each event of a mail that was sent. */
  readonly events: QueueWithDlq;
}

export class HelpdeskMail extends Construct {
  readonly inbound: QueueWithDlq;
  readonly events: QueueWithDlq;
  readonly #domain: string;
  readonly #bucket: Bucket;
  readonly #configurationSet: string;

  constructor(scope: Construct, id: string, { domain, settings, inbound, events }: HelpdeskMailProps) {
    super(scope, id);
    this.#domain = domain;
    this.inbound = inbound;
    this.events = events;
    this.#bucket = this.#createBucket(settings.ephemeral);
    this.#notify(inbound);
    this.#configurationSet = this.#publish(events);
    this.#receive();
    const identity = new CfnEmailIdentity(this, 'Identity', { emailIdentity: domain });
    for (const n of [1, 2, 3] as const)
      new CfnOutput(this, `Dkim${n}`, {
        value: `${identity.getAtt(`DkimDNSTokenName${n}`)} CNAME ${identity.getAtt(`DkimDNSTokenValue${n}`)}`,
      });
    new CfnOutput(this, 'Mx', { value: `${domain} MX 10 inbound-smtp.${Aws.REGION}.amazonaws.com` });
  }

  /** To compose mails under the domain; replies have addresses of it. */
  domain(): Access {
    return variables({ [HELPDESK_ENV.mailDomain]: this.#domain });
  }

  sending(): readonly Access[] {
    const arn = (what: string) => `arn:${Aws.PARTITION}:ses:${Aws.REGION}:${Aws.ACCOUNT_ID}:${what}`;
    const resources = [arn(`identity/${this.#domain}`), arn(`configuration-set/${this.#configurationSet}`)];
    return [
      this.domain(),
      permission(['ses:SendEmail', 'ses:SendRawEmail'], resources, {
        [HELPDESK_ENV.mailConfigurationSet]: this.#configurationSet,
      }),
    ];
  }

  reading(): readonly Access[] {
    return [
      this.domain(),
      this.#objects('s3:GetObject'),
      // Without it an object that is gone is a forbidden one.
      permission(['s3:ListBucket'], [this.#bucket.bucketArn]),
    ];
  }

  erasing(): Access {
    return this.#objects('s3:DeleteObject');
  }

  #objects(action: string): Access {
    return permission([action], [this.#bucket.arnForObjects(`${INBOUND}*`)], {
      [HELPDESK_ENV.mailBucket]: this.#bucket.bucketName,
    });
  }

  #createBucket(ephemeral: boolean): Bucket {
    const bucket = new Bucket(this, 'Mails', {
      blockPublicAccess: BlockPublicAccess.BLOCK_ALL,
      encryption: BucketEncryption.S3_MANAGED,
      enforceSSL: true,
      objectOwnership: ObjectOwnership.BUCKET_OWNER_ENFORCED,
      removalPolicy: ephemeral ? RemovalPolicy.DESTROY : RemovalPolicy.RETAIN,
      lifecycleRules: [{ expiration: KEPT, abortIncompleteMultipartUploadAfter: Duration.days(1) }],
    });
    bucket.addToResourcePolicy(letting('ses', 's3:PutObject', bucket.arnForObjects(`${INBOUND}*`)));
    return bucket;
  }

  /** By a property of the bucket: the library's own way is a function that runs while deploying. */
  #notify({ queue }: QueueWithDlq): void {
    const granted = queue.addToResourcePolicy(letting('s3', 'sqs:SendMessage', queue.queueArn));
    const resource = this.#bucket.node.defaultChild as CfnBucket;
    resource.notificationConfiguration = {
      queueConfigurations: [
        {
          event: 's3:ObjectCreated:*',
          queue: queue.queueArn,
          filter: { s3Key: { rules: [{ name: 'prefix', value: INBOUND }] } },
        },
      ],
    };
    // S3 tries the queue when it is told of it.
    if (granted.policyDependable !== undefined) resource.node.addDependency(granted.policyDependable);
  }

  /** The name of the configuration set. */
  #publish({ queue }: QueueWithDlq): string {
    const topic = new Topic(this, 'Events', { enforceSSL: true });
    topic.addSubscription(new SqsSubscription(queue, { rawMessageDelivery: true }));
    topic.addToResourcePolicy(letting('ses', 'sns:Publish', topic.topicArn));
    const set = new CfnConfigurationSet(this, 'Sent', {});
    new CfnConfigurationSetEventDestination(this, 'SentEvents', {
      configurationSetName: set.ref,
      eventDestination: {
        enabled: true,
        matchingEventTypes: EVENTS,
        snsDestination: { topicArn: topic.topicArn },
      },
    });
    return set.ref;
  }

  #receive(): void {
    const rules = new CfnReceiptRuleSet(this, 'Rules', {});
    const rule = new CfnReceiptRule(this, 'Inbound', {
      ruleSetName: rules.ref,
      rule: {
        enabled: true,
        recipients: [this.#domain],
        scanEnabled: true,
        actions: [{ s3Action: { bucketName: this.#bucket.bucketName, objectKeyPrefix: INBOUND } }],
      },
    });
    // SES tries the bucket when the rule is made.
    if (this.#bucket.policy !== undefined) rule.node.addDependency(this.#bucket.policy);
    new CfnOutput(this, 'ReceiptRuleSet', { value: rules.ref });
  }
}

/** For a service of AWS, and only on behalf of this account. */
const letting = (service: string, action: string, resource: string): PolicyStatement =>
  new PolicyStatement({
    principals: [new ServicePrincipal(`${service}.amazonaws.com`)],
    actions: [action],
    resources: [resource],
    conditions: { StringEquals: { 'aws:SourceAccount': Aws.ACCOUNT_ID } },
  });
