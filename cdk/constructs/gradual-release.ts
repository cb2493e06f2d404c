// How a new version takes over behind the aliases of a stack: CodeDeploy gives it a tenth of the work, and all of it a quarter of an
// hour later. An alarm meanwhile, or one that stands already, and the alias goes back, and the stack with it.
// As long as that, because the slowest alarms need two periods of five minutes, and what counts for them comes late.
import { ArnFormat, Stack } from 'aws-cdk-lib';
import { LambdaApplication, LambdaDeploymentConfig, LambdaDeploymentGroup } from 'aws-cdk-lib/aws-codedeploy';
import { PolicyDocument, PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Alias } from 'aws-cdk-lib/aws-lambda';
import { Construct } from 'constructs';
import type { Settings } from '../settings.ts';
import type { Alarms } from './alarms.ts';
import { LIVE, type StageFunction } from './stage-function.ts';

export class GradualRelease extends Construct {
  /** Emulators compute no alarm that could take a version back: there the alias moves at once. */
  constructor(
    scope: Construct,
    id: string,
    { ephemeral, release }: Pick<Settings, 'ephemeral' | 'release'>,
    functions: readonly StageFunction[],
    alarms: Alarms,
  ) {
    super(scope, id);
    if (ephemeral || release !== 'gradual') return;
    const application = new LambdaApplication(this, 'Application');
    const watching = alarms.ofReleases();
    for (const fn of functions)
      if (fn.live instanceof Alias)
        new LambdaDeploymentGroup(this, fn.node.id, {
          application,
          role: this.#createRole(fn).withoutPolicyUpdates(),
          alias: fn.live,
          alarms: [...watching],
          deploymentConfig: LambdaDeploymentConfig.CANARY_10PERCENT_15MINUTES,
        });
  }

  /**
   * What AWSCodeDeployRoleForLambdaLimited allows, of one function, and without hooks. In the role itself, so that it is there before
   * the alias moves, which is named because it waits for its group. One role for all would be a circle: variables of the sweep
   * name sources, and these wait for their aliases.
   */
  #createRole({ node, functionArn }: StageFunction): Role {
    const alarms = Stack.of(this).formatArn({
      service: 'cloudwatch',
      resource: 'alarm',
      resourceName: '*',
      arnFormat: ArnFormat.COLON_RESOURCE_NAME,
    });
    const statements = [
      new PolicyStatement({ actions: ['cloudwatch:DescribeAlarms'], resources: [alarms] }),
      new PolicyStatement({
        actions: ['lambda:GetAlias', 'lambda:UpdateAlias', 'lambda:GetProvisionedConcurrencyConfig'],
        resources: [functionArn, `${functionArn}:${LIVE}`],
      }),
    ];
    return new Role(this, `${node.id}Role`, {
      assumedBy: new ServicePrincipal('codedeploy.amazonaws.com'),
      inlinePolicies: { Shift: new PolicyDocument({ statements }) },
    });
  }
}
