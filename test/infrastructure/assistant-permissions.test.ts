// What a function may do for the assistant: use one model, or read one key; nothing at all where there is no assistant.
import { describe, expect, it } from 'vitest';
import { type Named, resourcesOf, serviceOf, synthesized } from './synthesized.ts';

interface Statement {
  readonly Action: string;
  readonly Resource: unknown;
}

const LIMITS = { AI_REQUESTS_PER_MINUTE: '10', AI_REQUESTS_PER_DAY: '1000', AI_TOKENS_PER_DAY: '5000000' };

function apiWith(context: Readonly<Record<string, string>>) {
  const app = synthesized({ ephemeral: false, context });
  // The helpdesk's drafts ask the same model: that function is granted the same.
  const policies = resourcesOf(app, 'AWS::IAM::Policy');
  const grantsTo = (holder: RegExp) => policies.filter(({ id }) => holder.test(id)).flatMap(grantsOf);
  expect(grantsTo(/^HelpdeskRuns/)).toEqual(grantsTo(/^Api/));
  expect(policies.flatMap(grantsOf)).toEqual([...grantsTo(/^Api/), ...grantsTo(/^HelpdeskRuns/)]);
  const apis = resourcesOf(app, 'AWS::Lambda::Function').filter((lambda) => serviceOf(lambda) === 'api');
  const variables = apis.flatMap(({ Properties }) =>
    Object.entries((Properties.Environment as { Variables: Readonly<Record<string, string>> }).Variables),
  );
  return {
    grants: grantsTo(/^Api/),
    variables: Object.fromEntries(variables.filter(([name]) => name.startsWith('AI_'))),
  };
}

/** Of what costs money, or is a secret. */
function grantsOf({ Properties }: Named): readonly (readonly [action: string, arns: readonly string[]])[] {
  return (Properties.PolicyDocument as { Statement: readonly Statement[] }).Statement.filter(({ Action }) =>
    /^(?:bedrock|ssm):/.test(String(Action)),
  ).map(({ Action, Resource }) => [Action, arnsOf(Resource)]);
}

function arnsOf(resource: unknown): readonly string[] {
  if (Array.isArray(resource)) return resource.flatMap(arnsOf);
  const [, parts] = (resource as { 'Fn::Join': [string, readonly unknown[]] })['Fn::Join'];
  return [
    parts.map((part) => (typeof part === 'string' ? part : `<${(part as { Ref: string }).Ref}>`)).join(''),
  ];
}

describe('for the assistant a function gets', () => {
  it('nothing where there is none', () => {
    expect(apiWith({})).toMatchObject({ grants: [], variables: {} });
  });

  it('one model at Bedrock', () => {
    const { grants, variables } = apiWith({ aiProvider: 'bedrock', aiModel: 'amazon.nova-pro-v1:0' });
    expect(grants).toEqual([
      [
        'bedrock:InvokeModelWithResponseStream',
        ['arn:<AWS::Partition>:bedrock:<AWS::Region>::foundation-model/amazon.nova-pro-v1:0'],
      ],
    ]);
    expect(variables).toEqual({ AI_PROVIDER: 'bedrock', AI_MODEL: 'amazon.nova-pro-v1:0', ...LIMITS });
  });

  it('an inference profile, and its one model in the regions behind it', () => {
    const { grants } = apiWith({ aiProvider: 'bedrock', aiModel: 'eu.amazon.nova-pro-v1:0' });
    expect(grants).toEqual([
      [
        'bedrock:InvokeModelWithResponseStream',
        [
          'arn:<AWS::Partition>:bedrock:<AWS::Region>:<AWS::AccountId>:inference-profile/eu.amazon.nova-pro-v1:0',
          'arn:<AWS::Partition>:bedrock:*::foundation-model/amazon.nova-pro-v1:0',
        ],
      ],
    ]);
  });

  it('one key, which is in no template', () => {
    const { grants, variables } = apiWith({
      aiProvider: 'anthropic',
      aiModel: 'claude-sonnet-4-5',
      aiApiKeyParameter: '/millrace/ai-api-key',
    });
    expect(grants).toEqual([
      [
        'ssm:GetParameters',
        ['arn:<AWS::Partition>:ssm:<AWS::Region>:<AWS::AccountId>:parameter/millrace/ai-api-key'],
      ],
    ]);
    expect(variables).toEqual({
      AI_PROVIDER: 'anthropic',
      AI_MODEL: 'claude-sonnet-4-5',
      AI_API_KEY_PARAMETER: '/millrace/ai-api-key',
      ...LIMITS,
    });
  });
});
