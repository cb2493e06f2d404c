// What the API needs to take payments: the names of two parameters, and leave to read these two and no other. What they hold is
// in no template. They are encrypted under the account's own key for parameters, which takes no permission of its own.
import { Aws } from 'aws-cdk-lib';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { ENV } from '#lib/events/domain/topology.ts';
import type { Settings } from '../../settings.ts';
import type { Access } from '../stage-function.ts';

/** None where nothing is sold. */
export function stripe({ stripe: settings }: Settings): readonly Access[] {
  if (settings === undefined) return [];
  const { secretKeyParameter, webhookSecretParameter, apiUrl } = settings;
  return [
    {
      environment: {
        [ENV.stripeSecretKeyParameter]: secretKeyParameter,
        [ENV.stripeWebhookSecretParameter]: webhookSecretParameter,
        ...(apiUrl === undefined ? {} : { [ENV.stripeApiUrl]: apiUrl }),
      },
      statements: [
        new PolicyStatement({
          actions: ['ssm:GetParameters'],
          resources: [secretKeyParameter, webhookSecretParameter].map(
            (name) => `arn:${Aws.PARTITION}:ssm:${Aws.REGION}:${Aws.ACCOUNT_ID}:parameter${name}`,
          ),
        }),
      ],
    },
  ];
}
