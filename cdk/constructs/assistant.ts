// What a function needs to ask a language model: its settings, and leave to use this model, or to read this key, and no other.
import { Aws } from 'aws-cdk-lib';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { CORE_ENV } from '../../lib/core/topology.ts';
import type { AssistantSettings } from '../assistant-settings.ts';
import type { Settings } from '../settings.ts';
import type { Access } from './stage-function.ts';

/** Inference profiles of several regions, by what their ids begin with. */
const PROFILE = /^(?:us|us-gov|eu|apac|jp|au|ca|global)\.(?=[a-z0-9-]+\.)/;

/** None where no model is configured. */
export function assistant({ assistant: settings }: Settings): readonly Access[] {
  if (settings === undefined) return [];
  const { provider, model, baseUrl, apiKeyParameter } = settings;
  return [
    {
      environment: {
        [CORE_ENV.aiProvider]: provider,
        [CORE_ENV.aiModel]: model,
        ...(baseUrl === undefined ? {} : { [CORE_ENV.aiBaseUrl]: baseUrl }),
        ...(apiKeyParameter === undefined ? {} : { [CORE_ENV.aiApiKeyParameter]: apiKeyParameter }),
        [CORE_ENV.aiRequestsPerMinute]: String(settings.requestsPerMinute),
        [CORE_ENV.aiRequestsPerDay]: String(settings.requestsPerDay),
        [CORE_ENV.aiTokensPerDay]: String(settings.tokensPerDay),
      },
      statements: [...modelStatements(settings), ...keyStatements(settings)],
    },
  ];
}

function modelStatements({ provider, model }: AssistantSettings): readonly PolicyStatement[] {
  if (provider !== 'bedrock') return [];
  const foundation = (region: string, id: string): string =>
    `arn:${Aws.PARTITION}:bedrock:${region}::foundation-model/${id}`;
  const resources = PROFILE.test(model)
    ? [
        `arn:${Aws.PARTITION}:bedrock:${Aws.REGION}:${Aws.ACCOUNT_ID}:inference-profile/${model}`,
        // A profile passes the question on to whichever of its regions has room.
        foundation('*', model.replace(PROFILE, '')),
      ]
    : [foundation(Aws.REGION, model)];
  return [new PolicyStatement({ actions: ['bedrock:InvokeModelWithResponseStream'], resources })];
}

/** Encrypted under the account's own key for parameters, which takes no permission of its own. */
function keyStatements({ apiKeyParameter }: AssistantSettings): readonly PolicyStatement[] {
  if (apiKeyParameter === undefined) return [];
  const resources = [`arn:${Aws.PARTITION}:ssm:${Aws.REGION}:${Aws.ACCOUNT_ID}:parameter${apiKeyParameter}`];
  return [new PolicyStatement({ actions: ['ssm:GetParameters'], resources })];
}
