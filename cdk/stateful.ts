// What a deployment must never lose by the way: resources that hold what nothing brings back, or are known outside by their name.
// CloudFormation replaces one, or lets go of it, without asking; so templates are compared before.
import type { Template, TemplateResource } from './synthesize.ts';

interface Kind {
  readonly name: string;
  /** Properties that cannot be changed without another resource in its place. */
  readonly identity: readonly string[];
  /** Default an empty one. */
  readonly instead?: string;
}

/** By the pages "Update requires: Replacement" of https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference (2026-11-27). */
const KINDS: Readonly<Record<string, Kind>> = {
  'AWS::DynamoDB::Table': { name: 'table', identity: ['TableName', 'KeySchema', 'LocalSecondaryIndexes'] },
  // CloudFormation calls another `MultiRegion` an update, and then fails at it.
  'AWS::KMS::Key': { name: 'key', identity: ['KeySpec', 'KeyUsage', 'MultiRegion', 'Origin'] },
  'AWS::S3::Bucket': { name: 'bucket', identity: ['BucketName'] },
  'AWS::Cognito::UserPool': { name: 'pool of users', identity: ['AliasAttributes', 'UsernameAttributes'] },
  'AWS::Cognito::UserPoolClient': { name: 'client of the pages', identity: ['UserPoolId', 'GenerateSecret'] },
  'AWS::Cognito::UserPoolDomain': { name: 'address for signing in', identity: ['Domain', 'UserPoolId'] },
  'AWS::SES::EmailIdentity': { name: 'mail identity', identity: ['EmailIdentity'] },
  'AWS::Lambda::Url': {
    name: 'public address',
    identity: ['TargetFunctionArn', 'Qualifier'],
    instead: 'another',
  },
  'AWS::CloudFront::Distribution': { name: 'public address', identity: [] },
};

export interface Loss {
  /** Logical id. */
  readonly id: string;
  readonly text: string;
}

/** Of what is deployed in a stack, what the new template would replace or let go of. */
export function lossesIn(
  stack: string,
  deployed: Pick<Template, 'Resources'>,
  next: Pick<Template, 'Resources'>,
): readonly Loss[] {
  return Object.entries(deployed.Resources).flatMap(([id, before]) => {
    const kind = KINDS[before.Type];
    if (kind === undefined) return [];
    const what = `${stack}: the ${kind.name} ${id}`;
    const after = next.Resources[id];
    if (after?.Type !== before.Type) return [{ id, text: `${what} would be taken out` }];
    const other = kind.identity.filter((name) => propertyOf(before, name) !== propertyOf(after, name));
    return other.length === 0
      ? []
      : [
          {
            id,
            text: `${what} would be replaced by ${kind.instead ?? 'an empty one'} (${other.join(', ')} is another)`,
          },
        ];
  });
}

const propertyOf = ({ Properties = {} }: TemplateResource, name: string): string | undefined =>
  JSON.stringify(Properties[name]);
