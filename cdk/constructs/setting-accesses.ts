// What functions get from the settings of a deployment, and the parameters these name.
import { Aws } from 'aws-cdk-lib';
import { CORE_ENV, metricNamespace } from '../../lib/core/topology.ts';
import type { SessionIssuer, Settings } from '../settings.ts';
import { type Access, permission, variables } from './stage-function.ts';

/** Whose session tokens the API takes; without an issuer it takes API keys only. */
export const sessions = (issuer: SessionIssuer | undefined): Access =>
  variables({
    [CORE_ENV.authIssuer]: issuer?.issuer,
    [CORE_ENV.authAudience]: issuer?.audience,
    [CORE_ENV.authJwksUrl]: issuer?.jwksUrl,
  });

/** Which web pages may call the API. */
export const pages = ({ apiCorsOrigins }: Settings): Access =>
  variables({ [CORE_ENV.apiCorsOrigins]: apiCorsOrigins.join(',') || undefined });

export const logging = ({ linesPerMinute, otlpUrl, ...settings }: Settings): readonly Access[] => [
  levels(settings),
  variables({
    [CORE_ENV.linesPerMinute]: String(linesPerMinute),
    [CORE_ENV.otlpUrl]: otlpUrl,
  }),
];

/** Of a function that answers no request and calls no platform, and has names of all queues in the 4 KB of its variables. */
export const levels = ({
  logLevel,
  metrics,
  environment,
}: Pick<Settings, 'logLevel' | 'metrics' | 'environment'>): Access =>
  variables({
    [CORE_ENV.logLevel]: logLevel,
    [CORE_ENV.metrics]: metrics,
    [CORE_ENV.metricNamespace]: environment === undefined ? undefined : metricNamespace(environment),
  });

/** To ask a language model: leave to use this model, or to read this key, and no other. None where no model is configured. */
export function assistant(settings: Settings): readonly Access[] {
  if (settings.assistant === undefined) return [];
  const { provider, model, baseUrl, apiKeyParameter } = settings.assistant;
  return [
    variables({
      [CORE_ENV.aiProvider]: provider,
      [CORE_ENV.aiModel]: model,
      [CORE_ENV.aiBaseUrl]: baseUrl,
      [CORE_ENV.aiApiKeyParameter]: apiKeyParameter,
      [CORE_ENV.aiRequestsPerMinute]: String(settings.aiRequestsPerMinute),
      [CORE_ENV.aiRequestsPerDay]: String(settings.aiRequestsPerDay),
      [CORE_ENV.aiTokensPerDay]: String(settings.aiTokensPerDay),
    }),
    ...(provider === 'bedrock' ? [asking(model)] : []),
    ...(apiKeyParameter === undefined ? [] : [readingParameters(apiKeyParameter)]),
  ];
}

/** Inference profiles of several regions, by what their ids begin with. */
const PROFILE = /^(?:us|us-gov|eu|apac|jp|au|ca|global)\.(?=[a-z0-9-]+\.)/;

function asking(model: string): Access {
  const foundation = (region: string, id: string): string =>
    `arn:${Aws.PARTITION}:bedrock:${region}::foundation-model/${id}`;
  const resources = PROFILE.test(model)
    ? [
        `arn:${Aws.PARTITION}:bedrock:${Aws.REGION}:${Aws.ACCOUNT_ID}:inference-profile/${model}`,
        // A profile passes the question on to whichever of its regions has room.
        foundation('*', model.replace(PROFILE, '')),
      ]
    : [foundation(Aws.REGION, model)];
  return permission(['bedrock:InvokeModelWithResponseStream'], resources);
}

/** Encrypted under the account's own key for parameters, which takes no permission of its own. */
export const readingParameters = (...names: readonly string[]): Access =>
  permission(
    ['ssm:GetParameters'],
    names.map((name) => `arn:${Aws.PARTITION}:ssm:${Aws.REGION}:${Aws.ACCOUNT_ID}:parameter${name}`),
  );
