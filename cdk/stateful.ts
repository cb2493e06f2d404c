// What a deployment must never lose by the way: resources that hold what nothing brings back, or are known outside by their name.
// CloudFormation replaces one, or lets go of it, without asking; so templates are compared before: with what is deployed, and with
// the list in stateful-resources.json.
import type { Template, TemplateResource } from './synthesize.ts';

interface Kind {
  readonly name: string;
  /** Properties that cannot be changed without another resource in its place. */
  readonly identity: readonly string[];
  /** What becomes of what it holds, when another takes its place. */
  readonly left: string;
  /** Default an empty one. */
  readonly instead?: string;
}

const KNOWN_OUTSIDE = 'what is outside knows the old one';

/** By the pages "Update requires: Replacement" of https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference (2026-11-27). */
const KINDS: Readonly<Record<string, Kind>> = {
  'AWS::DynamoDB::Table': {
    name: 'table',
    identity: ['TableName', 'KeySchema', 'LocalSecondaryIndexes'],
    left: 'its items would be left behind',
  },
  // CloudFormation calls another `MultiRegion` an update, and then fails at it.
  'AWS::KMS::Key': {
    name: 'key',
    identity: ['KeySpec', 'KeyUsage', 'MultiRegion', 'Origin'],
    left: 'what is encrypted under it would stay closed',
  },
  'AWS::S3::Bucket': {
    name: 'bucket',
    identity: ['BucketName'],
    left: 'its objects would be left behind',
  },
  'AWS::Cognito::UserPool': {
    name: 'pool of users',
    identity: ['AliasAttributes', 'UsernameAttributes'],
    left: 'its people would be left behind',
  },
  'AWS::Cognito::UserPoolClient': {
    name: 'client of the pages',
    identity: ['UserPoolId', 'GenerateSecret'],
    left: KNOWN_OUTSIDE,
  },
  'AWS::Cognito::UserPoolDomain': {
    name: 'address for signing in',
    identity: ['Domain', 'UserPoolId'],
    left: KNOWN_OUTSIDE,
  },
  'AWS::SES::EmailIdentity': { name: 'mail identity', identity: ['EmailIdentity'], left: KNOWN_OUTSIDE },
  'AWS::Lambda::Url': {
    name: 'public address',
    identity: ['TargetFunctionArn', 'Qualifier'],
    left: KNOWN_OUTSIDE,
    instead: 'another',
  },
  'AWS::CloudFront::Distribution': { name: 'public address', identity: [], left: KNOWN_OUTSIDE },
};

/** Looked at besides in the list: a deployment may let them go with the setting that made them. */
const LISTED: Readonly<Record<string, Kind>> = {
  ...KINDS,
  'AWS::SQS::Queue': {
    name: 'queue',
    identity: ['QueueName', 'FifoQueue'],
    left: 'its messages would be deleted',
  },
  'AWS::Logs::LogGroup': {
    name: 'log',
    identity: ['LogGroupName'],
    left: 'its lines would be left behind',
  },
};

type Resources = Template['Resources'];

export interface Loss {
  /** Logical id. */
  readonly id: string;
  readonly text: string;
}

/** Of what is deployed in a stack, what the new template would replace or let go of. */
export const lossesIn = (
  stack: string,
  deployed: Pick<Template, 'Resources'>,
  next: Pick<Template, 'Resources'>,
): readonly Loss[] => compare(stack, deployed.Resources, next.Resources, KINDS);

/** By stack: resources of the kinds that are looked at, with what decides about them. */
export type StatefulList = Readonly<Record<string, Resources>>;

export function listOf(stacks: ReadonlyMap<string, Pick<Template, 'Resources'>>): StatefulList {
  const lists = [...stacks].map(([stack, template]) => {
    const held = Object.entries(template.Resources)
      .filter(([, { Type }]) => LISTED[Type] !== undefined)
      .sort(([a], [b]) => (a < b ? -1 : 1));
    return [stack, Object.fromEntries(held.map(([id, resource]) => [id, decidingOf(resource)]))] as const;
  });
  return Object.fromEntries(lists.filter(([, held]) => Object.keys(held).length > 0));
}

/** Of what is listed, what templates of this release would replace or let go of, indexes of tables included. */
export const lossesFrom = (listed: StatefulList, next: StatefulList): readonly Loss[] =>
  Object.entries(listed).flatMap(([stack, resources]) => [
    ...compare(stack, resources, next[stack] ?? {}, LISTED),
    ...indexesLost(stack, resources, next[stack] ?? {}),
  ]);

function compare(
  stack: string,
  deployed: Resources,
  next: Resources,
  kinds: Readonly<Record<string, Kind>>,
): readonly Loss[] {
  return Object.entries(deployed).flatMap(([id, before]) => {
    const kind = kinds[before.Type];
    if (kind === undefined) return [];
    const what = `${stack}: the ${kind.name} ${id}`;
    const after = next[id];
    if (after?.Type !== before.Type) return [{ id, text: `${what} would be taken out: ${kind.left}` }];
    const other = [
      ...kind.identity.filter((name) => propertyOf(before, name) !== propertyOf(after, name)),
      ...retyped(before, after),
    ];
    const text = `${what} would be replaced by ${kind.instead ?? 'an empty one'} (${other.join(', ')} is another): ${kind.left}`;
    return other.length === 0 ? [] : [{ id, text }];
  });
}

interface Attribute {
  readonly AttributeName: string;
  readonly AttributeType: string;
}

interface Index {
  readonly IndexName: string;
  readonly KeySchema: unknown;
  readonly Projection: unknown;
}

const attributesOf = ({ Properties }: TemplateResource) =>
  (Properties?.AttributeDefinitions ?? []) as readonly Attribute[];
const indexesOf = ({ Properties }: TemplateResource) =>
  (Properties?.GlobalSecondaryIndexes ?? []) as readonly Index[];

/** Attributes of keys may come and go with indexes; one of another type replaces the table. */
function retyped(before: TemplateResource, after: TemplateResource): readonly string[] {
  const types = new Map(attributesOf(after).map((one) => [one.AttributeName, one.AttributeType]));
  return attributesOf(before)
    .filter(({ AttributeName: name, AttributeType: type }) => (types.get(name) ?? type) !== type)
    .map(({ AttributeName: name }) => `the type of ${name}`);
}

/** CloudFormation refuses another index under the same name, and the release before asks the one it knows. */
function indexesLost(stack: string, listed: Resources, next: Resources): readonly Loss[] {
  return Object.entries(listed).flatMap(([id, before]) => {
    const after = next[id];
    if (after === undefined) return [];
    const found = new Map(indexesOf(after).map((index) => [index.IndexName, JSON.stringify(index)]));
    return indexesOf(before).flatMap((index) => {
      const other = found.get(index.IndexName);
      if (other === JSON.stringify(index)) return [];
      const what = `${stack}: the index ${index.IndexName} of the table ${id}`;
      const how = other === undefined ? 'taken out' : 'another, which CloudFormation refuses under this name';
      return [{ id, text: `${what} would be ${how}: the release before reads the one there is` }];
    });
  });
}

/** Without what may change at any time. */
function decidingOf(resource: TemplateResource): TemplateResource {
  const { Type, Properties = {} } = resource;
  const names = LISTED[Type]?.identity.filter((name) => Properties[name] !== undefined) ?? [];
  const indexes = indexesOf(resource).map(({ IndexName, KeySchema, Projection }) => ({
    IndexName,
    KeySchema,
    Projection,
  }));
  const attributes = attributesOf(resource);
  return {
    Type,
    Properties: {
      ...Object.fromEntries(names.map((name) => [name, Properties[name]])),
      ...(attributes.length === 0 ? {} : { AttributeDefinitions: attributes }),
      ...(indexes.length === 0 ? {} : { GlobalSecondaryIndexes: indexes }),
    },
  };
}

const propertyOf = ({ Properties = {} }: TemplateResource, name: string): string | undefined =>
  JSON.stringify(Properties[name]);
