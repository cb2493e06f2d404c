// What operators of the deployment call and nothing else can: the function that makes merchants and looks after them. On core alone,
// so that it is there whichever products are; of the events product it reads tables, which outlive the product.
// Guarantees: its URL takes requests signed by an identity with the permission to invoke it, and no others.
import { CfnOutput, Duration, Stack } from 'aws-cdk-lib';
import { ManagedPolicy, PolicyStatement } from 'aws-cdk-lib/aws-iam';
import type { Construct } from 'constructs';
import { CORE_ENV } from '../../lib/core/topology.ts';
import { INDEX } from '../../lib/events/domain/topology.ts';
import { ceilings, serverLimit } from '../constructs/events/setting-accesses.ts';
import { HttpFunction } from '../constructs/http-function.ts';
import { logging } from '../constructs/setting-accesses.ts';
import { variables } from '../constructs/stage-function.ts';
import { STAGE_MB } from '../memory-sizes.ts';
import { resourcePrefix, stackPrefix } from '../stack-names.ts';
import type { EventsDataStack } from './events-data.ts';
import type { ProductStackProps } from './product-stack.ts';

export interface OperatorStackProps extends ProductStackProps {
  /** Undefined where the product is not deployed. */
  readonly data: EventsDataStack | undefined;
}

/** Counters of merchants, and what is due longest. */
const lookingAfter = ({ events, batches, analytics }: EventsDataStack) => [
  analytics.items('Query'),
  ...[events, batches, analytics].map((table) => table.query(INDEX.due)),
];

export class OperatorStack extends Stack {
  constructor(scope: Construct, id: string, { settings, core, data, synthesizer }: OperatorStackProps) {
    super(scope, id, { synthesizer, description: 'Millrace: what operators of the deployment may do' });
    const admin = new HttpFunction(this, 'OperatorAdmin', {
      service: 'operator/admin',
      description: 'Makes merchants and looks after them',
      callers: 'signed',
      timeout: Duration.seconds(29),
      memorySizeMb: STAGE_MB,
      accesses: [
        ...core.newMerchants(),
        ...core.merchantPages(),
        ...(data === undefined ? [] : lookingAfter(data)),
        variables({ [CORE_ENV.operatorsNamed]: String(!settings.ephemeral) }),
        serverLimit(settings),
        ceilings(settings),
        ...logging(settings),
      ],
    });
    const caller = new ManagedPolicy(this, 'OperatorAdminCaller', {
      description: 'May make merchants of Millrace and look after them',
      // A call of a function URL takes both permissions:
      // https://docs.aws.amazon.com/lambda/latest/dg/urls-auth.html
      statements: [
        new PolicyStatement({
          actions: ['lambda:InvokeFunctionUrl'],
          resources: [admin.functionArn],
          conditions: { StringEquals: { 'lambda:FunctionUrlAuthType': 'AWS_IAM' } },
        }),
        new PolicyStatement({
          actions: ['lambda:InvokeFunction'],
          resources: [admin.functionArn],
          conditions: { Bool: { 'lambda:InvokedViaFunctionUrl': 'true' } },
        }),
        new PolicyStatement({
          // How much waits in the queues of all products, and what was given up.
          actions: ['sqs:GetQueueAttributes'],
          resources: [
            `${stackPrefix(settings.environment)}*`,
            `${resourcePrefix(settings.environment)}-*`,
          ].map((resource) => this.formatArn({ service: 'sqs', resource })),
        }),
        new PolicyStatement({
          // The command finds the addresses of a deployment in its stacks' outputs.
          actions: ['cloudformation:DescribeStacks'],
          resources: [
            this.formatArn({ service: 'cloudformation', resource: 'stack', resourceName: 'Millrace*' }),
          ],
        }),
      ],
    });
    new CfnOutput(this, 'OperatorAdminUrl', { value: admin.endpoint.url });
    new CfnOutput(this, 'OperatorAdminPolicyArn', { value: caller.managedPolicyArn });
  }
}
