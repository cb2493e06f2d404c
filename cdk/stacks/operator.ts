// What operators of the deployment call and nothing else can: the function that makes merchants and looks after them. On core alone,
// so that it is there whichever products are; of the events product it reads tables, which outlive the product.
// Guarantees: its URL takes requests signed by an identity with the permission to invoke it, and no others.
import { ArnFormat, CfnOutput, Duration, Stack } from 'aws-cdk-lib';
import { ManagedPolicy, PolicyStatement } from 'aws-cdk-lib/aws-iam';
import type { Construct } from 'constructs';
import { CORE_ENV } from '../../lib/core/topology.ts';
import { INDEX } from '../../lib/events/domain/topology.ts';
import { Alarms } from '../constructs/alarms.ts';
import { ceilings, serverLimit } from '../constructs/events/setting-accesses.ts';
import { GradualRelease } from '../constructs/gradual-release.ts';
import { HttpFunction } from '../constructs/http-function.ts';
import { logging } from '../constructs/setting-accesses.ts';
import { variables } from '../constructs/stage-function.ts';
import { STAGE_MB } from '../memory-sizes.ts';
import { isBehindAlias, type Settings } from '../settings.ts';
import { resourcePrefix, stackPrefix } from '../stack-names.ts';
import { onlyKeys } from './core.ts';
import type { EventsDataStack } from './events-data.ts';
import type { HelpdeskDataStack } from './helpdesk-data.ts';
import type { ProductStackProps } from './product-stack.ts';

export interface OperatorStackProps extends ProductStackProps {
  /** Undefined where the product is not deployed. */
  readonly data: EventsDataStack | undefined;
  /** Likewise. */
  readonly helpdesk: HelpdeskDataStack | undefined;
}

/** Secrets of webhooks, which are sealed again when their key is replaced. */
const resealing = ({ records }: HelpdeskDataStack) => [onlyKeys('W#*', records.items('GetItem', 'PutItem'))];

/** Counters of merchants, and what is due longest. */
const lookingAfter = ({ events, batches, analytics }: EventsDataStack) => [
  analytics.items('Query'),
  ...[events, batches, analytics].map((table) => table.query(INDEX.due)),
];

const QUEUE_WRITES = ['ReceiveMessage', 'SendMessage', 'DeleteMessage', 'ChangeMessageVisibility'];

export class OperatorStack extends Stack {
  constructor(scope: Construct, id: string, props: OperatorStackProps) {
    const { settings, core, data, helpdesk, synthesizer } = props;
    super(scope, id, { synthesizer, description: 'Millrace: what operators of the deployment may do' });
    const shared = [
      ...core.merchantPages(),
      ...(data === undefined ? [] : lookingAfter(data)),
      variables({ [CORE_ENV.operatorsNamed]: String(!settings.ephemeral) }),
      serverLimit(settings),
      ceilings(settings),
      ...logging(settings),
    ];
    const behindUrl = {
      callers: 'signed',
      timeout: Duration.seconds(29),
      memorySizeMb: STAGE_MB,
      ephemeral: settings.ephemeral,
      behindAlias: isBehindAlias(settings),
    } as const;
    const admin = new HttpFunction(this, 'OperatorAdmin', {
      ...behindUrl,
      service: 'operator/admin',
      description: 'Makes merchants and looks after them',
      accesses: [...core.newMerchants(), ...(helpdesk === undefined ? [] : resealing(helpdesk)), ...shared],
    });
    const reader = new HttpFunction(this, 'OperatorReader', {
      ...behindUrl,
      service: 'operator/reader',
      description: 'Looks at merchants and changes none',
      accesses: [...core.lookedAtMerchants(), ...shared],
    });
    const alarms = new Alarms(this, 'OperatorAlarms', core.alarmTopic, settings);
    new GradualRelease(this, 'OperatorRelease', settings, [admin, reader], alarms);
    const looking = [
      ...this.#calling(reader),
      // The command finds the addresses of a deployment in its stacks' outputs, and groups of lines among its stacks' resources.
      this.#allowed('cloudformation', ['DescribeStacks', 'ListStackResources'], {
        resource: 'stack',
        resourceName: 'Millrace*',
      }),
      ...this.#queues(settings, ['GetQueueAttributes']),
      // Lines as they come.
      this.#allowed('logs', ['FilterLogEvents'], {
        resource: 'log-group',
        resourceName: `${stackPrefix(settings.environment)}*`,
      }),
      // None of these knows a resource.
      new PolicyStatement({
        actions: ['lambda:GetAccountSettings', 'lambda:ListEventSourceMappings'],
        resources: ['*'],
      }),
    ];
    const policies = {
      OperatorReader: [reader, looking, 'May look at merchants of Millrace and change nothing'],
      OperatorAdmin: [
        admin,
        // What was given up goes back to its queue.
        [...looking, ...this.#calling(admin), ...this.#queues(settings, QUEUE_WRITES)],
        'May make merchants of Millrace and look after them',
      ],
    } as const;
    for (const [name, [fn, statements, description]] of Object.entries(policies)) {
      const policy = new ManagedPolicy(this, `${name}Caller`, { description, statements: [...statements] });
      new CfnOutput(this, `${name}Url`, { value: fn.endpoint.url });
      new CfnOutput(this, `${name}PolicyArn`, { value: policy.managedPolicyArn });
    }
  }

  /** A call of a function URL takes both permissions: https://docs.aws.amazon.com/lambda/latest/dg/urls-auth.html */
  #calling({ live: { functionArn } }: HttpFunction): readonly PolicyStatement[] {
    return [
      new PolicyStatement({
        actions: ['lambda:InvokeFunctionUrl'],
        resources: [functionArn],
        conditions: { StringEquals: { 'lambda:FunctionUrlAuthType': 'AWS_IAM' } },
      }),
      new PolicyStatement({
        actions: ['lambda:InvokeFunction'],
        resources: [functionArn],
        conditions: { Bool: { 'lambda:InvokedViaFunctionUrl': 'true' } },
      }),
    ];
  }

  #queues({ environment }: Settings, actions: readonly string[]): readonly PolicyStatement[] {
    return [`${stackPrefix(environment)}*`, `${resourcePrefix(environment)}-*`].map((resource) =>
      this.#allowed('sqs', actions, { resource }),
    );
  }

  #allowed(
    service: string,
    actions: readonly string[],
    where: { readonly resource: string; readonly resourceName?: string },
  ): PolicyStatement {
    return new PolicyStatement({
      actions: actions.map((action) => `${service}:${action}`),
      resources: [
        this.formatArn({
          service,
          ...where,
          ...(service === 'logs' ? { arnFormat: ArnFormat.COLON_RESOURCE_NAME } : {}),
        }),
      ],
    });
  }
}
