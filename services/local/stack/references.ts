// What the names in a template stand for in this host: queue URLs, ARNs, the URLs of functions.
import type { Template, TemplateResource } from '#cdk/synthesize.ts';
import { LocalProblem } from '../problem.ts';
import type { References } from './intrinsics.ts';

export const REGION = 'us-east-1';
/** The account the emulators say they are. */
export const ACCOUNT = '000000000000';

export interface Addresses {
  /** Without a slash at the end. */
  readonly sqsOrigin: string;
  /** URL of a service's function URL. */
  readonly endpointUrl: (service: string) => string;
}

const METADATA_ENTRY = 'millrace:entry';

const PSEUDO: Readonly<Record<string, string>> = {
  'AWS::Region': REGION,
  'AWS::AccountId': ACCOUNT,
  'AWS::Partition': 'aws',
  'AWS::URLSuffix': 'amazonaws.com',
};

export function referencesOf(template: Template, addresses: Addresses): References {
  const named = (id: string, property: string): string =>
    String(template.Resources[id]?.Properties?.[property] ?? id);
  return {
    ref(id) {
      if (Object.hasOwn(PSEUDO, id)) return PSEUDO[id];
      switch (template.Resources[id]?.Type) {
        case 'AWS::DynamoDB::Table':
          return named(id, 'TableName');
        case 'AWS::SQS::Queue':
          return queueUrl(named(id, 'QueueName'), addresses.sqsOrigin);
        case 'AWS::S3::Bucket':
          return bucketName(id);
        case 'AWS::Lambda::EventSourceMapping':
        case 'AWS::Lambda::Function':
        case 'AWS::KMS::Key':
        case 'AWS::SES::ConfigurationSet':
          return id;
        default:
          return undefined;
      }
    },
    attribute(id, name) {
      const resource = template.Resources[id];
      switch (`${resource?.Type} ${name}`) {
        case 'AWS::SQS::Queue Arn':
          return queueArn(named(id, 'QueueName'));
        case 'AWS::SQS::Queue QueueName':
          return named(id, 'QueueName');
        case 'AWS::Lambda::Function Arn':
          return functionArn(id);
        case 'AWS::DynamoDB::Table Arn':
          return `arn:aws:dynamodb:${REGION}:${ACCOUNT}:table/${named(id, 'TableName')}`;
        case 'AWS::KMS::Key Arn':
          return `arn:aws:kms:${REGION}:${ACCOUNT}:key/${id}`;
        case 'AWS::Lambda::Url FunctionUrl':
          return endpointOf(template, id, addresses);
        default:
          return undefined;
      }
    },
  };
}

function endpointOf(template: Template, urlId: string, addresses: Addresses): string | undefined {
  const id = logicalIdIn(template.Resources[urlId]?.Properties?.TargetFunctionArn);
  const resource = id === undefined ? undefined : template.Resources[id];
  if (id === undefined || resource === undefined) return undefined;
  return `${addresses.endpointUrl(serviceOf(entryOf(id, resource)))}/`;
}

/** The module a function runs, relative to the root of the repository. */
export function entryOf(id: string, resource: TemplateResource): string {
  const entry = resource.Metadata?.[METADATA_ENTRY];
  if (typeof entry !== 'string')
    throw new LocalProblem(`${id} does not say which module it runs (${METADATA_ENTRY}).`);
  return entry;
}

/** What a module's service is called here: `api` of the events product, `helpdesk-api` of another one. */
export function serviceOf(entry: string): string {
  const [product, name] = entry.split('/').slice(-3, -1);
  return product === 'events' ? String(name) : `${product}-${name}`;
}

/** The logical id a reference points to. */
export function logicalIdIn(reference: unknown): string | undefined {
  if (typeof reference !== 'object' || reference === null) return undefined;
  const { Ref: ref, 'Fn::GetAtt': attribute } = reference as {
    Ref?: string;
    'Fn::GetAtt'?: readonly string[];
  };
  return ref ?? attribute?.[0];
}

/** S3 takes no capitals. */
export const bucketName = (id: string): string => id.toLowerCase();
export const queueUrl = (name: string, origin: string): string => `${origin}/${ACCOUNT}/${name}`;
export const queueArn = (name: string): string => `arn:aws:sqs:${REGION}:${ACCOUNT}:${name}`;
export const functionArn = (id: string): string => `arn:aws:lambda:${REGION}:${ACCOUNT}:function:${id}`;
