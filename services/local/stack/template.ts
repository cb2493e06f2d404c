// What there is to host, read from the synthesized CloudFormation template: the only list of tables, queues, functions,
// event sources, function URLs and schedules. What a laptop has no use for (roles, alarms, log groups, keys) is left out.
// Refuses: a setting it does not know how to honour; hosting something else than what is deployed would prove nothing.
import type { Template, TemplateResource } from '#cdk/synthesize.ts';
import { LocalProblem } from '../problem.ts';
import { type References, resolve } from './intrinsics.ts';
import {
  type Addresses,
  bucketName,
  entryOf,
  functionArn,
  logicalIdIn,
  referencesOf,
  serviceOf,
} from './references.ts';
import type {
  EventSourceSpec,
  FunctionSpec,
  QueueSpec,
  ScheduleSpec,
  TableIndex,
  TableSpec,
  Topology,
} from './topology.ts';

type Properties = Readonly<Record<string, unknown>>;
type Entry = readonly [id: string, properties: Properties, resource: TemplateResource];

const LAMBDA_TIMEOUT_DEFAULT_SEC = 3;
/** Without a stated limit Lambda may run this many batches of one queue at a time. */
const CONCURRENCY_DEFAULT = 1_000;

export function readTopology(template: Template, addresses: Addresses): Topology {
  const references = referencesOf(template, addresses);
  const read = (type: string): Entry[] =>
    ofType(template, type).map(([id, resource]) => [
      id,
      resolveWanted(type, resource.Properties ?? {}, references),
      resource,
    ]);
  const targets = new Map(read('AWS::Lambda::Function').map(([id]) => [functionArn(id), id]));
  const urls = read('AWS::Lambda::Url').map(([id, { TargetFunctionArn, AuthType }]) => ({
    id: target(id, TargetFunctionArn, targets),
    isSigned: AuthType === 'AWS_IAM',
  }));
  return {
    tables: read('AWS::DynamoDB::Table').map(tableOf),
    buckets: read('AWS::S3::Bucket').map(([id]) => bucketName(id)),
    queues: read('AWS::SQS::Queue').map(queueOf),
    functions: read('AWS::Lambda::Function').map(functionOf),
    eventSources: read('AWS::Lambda::EventSourceMapping').flatMap(([id, properties]) =>
      properties.Enabled === false ? [] : [eventSourceOf(id, properties, targets)],
    ),
    endpoints: urls.map(({ id }) => id),
    signed: urls.flatMap(({ id, isSigned }) => (isSigned ? [id] : [])),
    schedules: read('AWS::Events::Rule').flatMap(([id, properties]) => schedulesOf(id, properties, targets)),
    outputs: Object.fromEntries(
      Object.entries(template.Outputs)
        .filter(([name]) => /(QueueUrls?|Table)$/.test(name))
        .map(([name, { Value }]) => [name, String(resolve(Value, references))]),
    ),
  };
}

/** Services with a function URL, in the order of the template: known before any address is. */
export function endpointServices(template: Template): readonly string[] {
  return ofType(template, 'AWS::Lambda::Url').map(([id, { Properties }]) => {
    const targetId = logicalIdIn(Properties?.TargetFunctionArn);
    const resource = targetId === undefined ? undefined : template.Resources[targetId];
    if (resource === undefined) throw new LocalProblem(`${id} is the URL of no function of this template.`);
    return serviceOf(entryOf(targetId ?? '', resource));
  });
}

function ofType(template: Template, type: string): [string, TemplateResource][] {
  return Object.entries(template.Resources).filter(([, resource]) => resource.Type === type);
}

/** As CreateQueue takes them. */
const QUEUE_ATTRIBUTES = [
  'VisibilityTimeout',
  'MessageRetentionPeriod',
  'DelaySeconds',
  'MaximumMessageSize',
  'ReceiveMessageWaitTimeSeconds',
];

/** Only these are evaluated: roles, log groups and tags refer to what exists in AWS alone. */
const WANTED: Readonly<Record<string, readonly string[]>> = {
  'AWS::DynamoDB::Table': [
    'TableName',
    'AttributeDefinitions',
    'KeySchema',
    'GlobalSecondaryIndexes',
    'LocalSecondaryIndexes',
  ],
  'AWS::SQS::Queue': [...QUEUE_ATTRIBUTES, 'QueueName', 'RedrivePolicy', 'FifoQueue'],
  'AWS::Lambda::Function': ['Environment', 'Timeout'],
  'AWS::Lambda::EventSourceMapping': [
    'BatchSize',
    'EventSourceArn',
    'FunctionName',
    'FunctionResponseTypes',
    'MaximumBatchingWindowInSeconds',
    'ScalingConfig',
    'FilterCriteria',
    'Enabled',
  ],
  'AWS::Lambda::Url': ['TargetFunctionArn', 'AuthType'],
  'AWS::Events::Rule': ['ScheduleExpression', 'State', 'Targets', 'EventPattern'],
};

function resolveWanted(type: string, properties: Properties, references: References): Properties {
  const wanted = WANTED[type] ?? [];
  const kept = Object.entries(properties).filter(([name]) => wanted.includes(name));
  return Object.fromEntries(kept.map(([name, value]) => [name, resolve(value, references)]));
}

function tableOf([id, properties]: Entry): TableSpec {
  if (properties.LocalSecondaryIndexes !== undefined) throw unsupported(id, 'a local secondary index');
  return {
    name: String(properties.TableName ?? id),
    attributes: (properties.AttributeDefinitions ?? []) as TableSpec['attributes'],
    keySchema: (properties.KeySchema ?? []) as TableSpec['keySchema'],
    indexes: ((properties.GlobalSecondaryIndexes ?? []) as TableIndex[]).map(
      ({ IndexName, KeySchema, Projection }) => ({ IndexName, KeySchema, Projection }),
    ),
  };
}

function queueOf([id, properties]: Entry): QueueSpec {
  if (properties.FifoQueue !== undefined) throw unsupported(id, 'a FIFO queue');
  const attributes: Record<string, string> = {};
  for (const name of QUEUE_ATTRIBUTES) {
    if (properties[name] !== undefined) attributes[name] = String(properties[name]);
  }
  const redrive = properties.RedrivePolicy as { deadLetterTargetArn: string } | undefined;
  if (redrive !== undefined) attributes.RedrivePolicy = JSON.stringify(redrive);
  return {
    name: String(properties.QueueName ?? id),
    attributes,
    ...(redrive === undefined ? {} : { deadLetterQueue: nameInArn(redrive.deadLetterTargetArn) }),
  };
}

function functionOf([id, properties, resource]: Entry): FunctionSpec {
  const entry = entryOf(id, resource);
  const { Variables = {} } = (properties.Environment ?? {}) as { Variables?: Record<string, unknown> };
  return {
    id,
    service: serviceOf(entry),
    entry,
    environment: Object.fromEntries(Object.entries(Variables).map(([name, value]) => [name, String(value)])),
    timeoutMs: Number(properties.Timeout ?? LAMBDA_TIMEOUT_DEFAULT_SEC) * 1_000,
  };
}

function eventSourceOf(
  id: string,
  properties: Properties,
  targets: ReadonlyMap<string, string>,
): EventSourceSpec {
  if (properties.FilterCriteria !== undefined) throw unsupported(id, 'an event filter');
  const arn = String(properties.EventSourceArn);
  if (!arn.startsWith('arn:aws:sqs:')) throw unsupported(id, `the event source ${arn}`);
  const responses = (properties.FunctionResponseTypes ?? []) as string[];
  const scaling = properties.ScalingConfig as { MaximumConcurrency?: number } | undefined;
  return {
    functionId: target(id, properties.FunctionName, targets),
    queue: nameInArn(arn),
    batchSize: Number(properties.BatchSize ?? 10),
    windowMs: Number(properties.MaximumBatchingWindowInSeconds ?? 0) * 1_000,
    concurrencyMax: scaling?.MaximumConcurrency ?? CONCURRENCY_DEFAULT,
    reportsFailures: responses.includes('ReportBatchItemFailures'),
  };
}

function schedulesOf(
  id: string,
  properties: Properties,
  targets: ReadonlyMap<string, string>,
): ScheduleSpec[] {
  if (properties.EventPattern !== undefined) throw unsupported(id, 'an event pattern');
  if (properties.State === 'DISABLED') return [];
  const intervalMs = rateMs(id, String(properties.ScheduleExpression));
  const rules = (properties.Targets ?? []) as { Arn: unknown }[];
  return rules.map(({ Arn }) => ({ functionId: target(id, Arn, targets), intervalMs }));
}

const UNIT_MS: Readonly<Record<string, number>> = { minute: 60_000, hour: 3_600_000, day: 86_400_000 };

function rateMs(id: string, expression: string): number {
  const [, count, unit] = /^rate\((\d+) (minute|hour|day)s?\)$/.exec(expression) ?? [];
  if (count === undefined || unit === undefined) throw unsupported(id, `the schedule ${expression}`);
  return Number(count) * (UNIT_MS[unit] ?? Number.NaN);
}

/** A function is named by its ARN or by its name. */
function target(id: string, reference: unknown, targets: ReadonlyMap<string, string>): string {
  const known = targets.get(String(reference)) ?? targets.get(functionArn(String(reference)));
  if (known === undefined)
    throw new LocalProblem(`${id} feeds ${String(reference)}, which is no function of this template.`);
  return known;
}

const nameInArn = (arn: string): string => arn.slice(arn.lastIndexOf(':') + 1);

const unsupported = (id: string, what: string): LocalProblem =>
  new LocalProblem(`${id} has ${what}, which the embedded host does not emulate.`);
