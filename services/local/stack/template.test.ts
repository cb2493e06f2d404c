// Goal: the topology is the template's, nothing more and nothing less. Method: a small template with one of everything, and
// the real one of the CDK app, whose figures are compared with the template itself.
import { beforeAll, describe, expect, it } from 'vitest';
import { synthesizeApp, type Template } from '#cdk/synthesize.ts';
import { endpointServices, readTopology } from './template.ts';
import type { Topology } from './topology.ts';

const addresses = { sqsOrigin: 'http://sqs', endpointUrl: (service: string) => `http://${service}` };
const queueArn = (id: string) => ({ 'Fn::GetAtt': [id, 'Arn'] });

const PK = { AttributeName: 'pk', AttributeType: 'S' };
const BY_PK = { AttributeName: 'pk', KeyType: 'HASH' };
const EVERY_TWO_HOURS = { ScheduleExpression: 'rate(2 hours)', State: 'ENABLED' };
const ENTRY = 'services/events/stage/handler.ts';
const SMALL: Template = {
  Outputs: {},
  Resources: {
    Rows: {
      Type: 'AWS::DynamoDB::Table',
      Properties: { AttributeDefinitions: [PK], KeySchema: [BY_PK], BillingMode: 'PAY_PER_REQUEST' },
    },
    Dlq: { Type: 'AWS::SQS::Queue' },
    Work: {
      Type: 'AWS::SQS::Queue',
      Properties: {
        VisibilityTimeout: 30,
        RedrivePolicy: { deadLetterTargetArn: queueArn('Dlq'), maxReceiveCount: 3 },
      },
    },
    Stage: {
      Type: 'AWS::Lambda::Function',
      Properties: {
        Timeout: 5,
        Role: queueArn('Nowhere'),
        Environment: {
          Variables: { TABLE: { Ref: 'Rows' }, QUEUE: { Ref: 'Work' }, SELF: queueUrlOf('StageUrl') },
        },
      },
      Metadata: { 'millrace:entry': ENTRY },
    },
    StageUrl: { Type: 'AWS::Lambda::Url', Properties: { TargetFunctionArn: queueArn('Stage') } },
    Source: {
      Type: 'AWS::Lambda::EventSourceMapping',
      Properties: {
        EventSourceArn: queueArn('Work'),
        FunctionName: { Ref: 'Stage' },
        BatchSize: 7,
        MaximumBatchingWindowInSeconds: 2,
        ScalingConfig: { MaximumConcurrency: 4 },
        FunctionResponseTypes: ['ReportBatchItemFailures'],
      },
    },
    Off: {
      Type: 'AWS::Lambda::EventSourceMapping',
      Properties: { EventSourceArn: queueArn('Work'), FunctionName: { Ref: 'Stage' }, Enabled: false },
    },
    Hourly: {
      Type: 'AWS::Events::Rule',
      Properties: { ...EVERY_TWO_HOURS, Targets: [{ Arn: queueArn('Stage') }] },
    },
  },
};

function queueUrlOf(id: string) {
  return { 'Fn::GetAtt': [id, 'FunctionUrl'] };
}

function withProperties(id: string, properties: Record<string, unknown>): Template {
  const resource = SMALL.Resources[id];
  const Properties = { ...resource?.Properties, ...properties };
  const changed = { ...resource, Type: resource?.Type ?? '', Properties };
  return { ...SMALL, Resources: { ...SMALL.Resources, [id]: changed } };
}

describe('a small template', () => {
  it('gives its topology', () => {
    const source = { batchSize: 7, windowMs: 2_000, concurrencyMax: 4 };
    expect(readTopology(SMALL, addresses)).toEqual({
      buckets: [],
      tables: [{ name: 'Rows', attributes: [PK as never], keySchema: [BY_PK as never], indexes: [] }],
      queues: [
        { name: 'Dlq', attributes: {} },
        {
          name: 'Work',
          attributes: {
            VisibilityTimeout: '30',
            RedrivePolicy:
              '{"deadLetterTargetArn":"arn:aws:sqs:us-east-1:000000000000:Dlq","maxReceiveCount":3}',
          },
          deadLetterQueue: 'Dlq',
        },
      ],
      functions: [
        {
          id: 'Stage',
          service: 'stage',
          entry: ENTRY,
          environment: { TABLE: 'Rows', QUEUE: 'http://sqs/000000000000/Work', SELF: 'http://stage/' },
          timeoutMs: 5_000,
        },
      ],
      eventSources: [{ functionId: 'Stage', queue: 'Work', ...source, reportsFailures: true }],
      endpoints: ['Stage'],
      signed: [],
      outputs: {},
      schedules: [{ functionId: 'Stage', intervalMs: 7_200_000 }],
    } satisfies Topology);
    expect(endpointServices(SMALL)).toEqual(['stage']);
  });

  it.each([
    ['Work', { FifoQueue: true }, 'FIFO'],
    ['Rows', { LocalSecondaryIndexes: [] }, 'local secondary index'],
    ['Source', { FilterCriteria: {} }, 'event filter'],
    ['Source', { EventSourceArn: 'arn:aws:kinesis:x' }, 'kinesis'],
    ['Source', { FunctionName: 'Unknown' }, 'Unknown'],
    ['Hourly', { ScheduleExpression: 'cron(0 0 * * ? *)' }, 'cron'],
    ['Stage', { Environment: { Variables: { X: { Ref: 'Bucket' } } } }, 'Bucket'],
  ])('refuses %s with %j', (id, properties, named) => {
    expect(() => readTopology(withProperties(id, properties), addresses)).toThrow(named);
  });
});

describe('the template of the CDK app', () => {
  let template: Template;
  let topology: Topology;
  beforeAll(() => {
    // As the host has it: e-mail is part of it.
    const context = { mailDomain: 'help.shop.example' };
    ({ template } = synthesizeApp({ ephemeral: true, bundle: false, context }));
    topology = readTopology(template, addresses);
  });
  const count = (type: string) =>
    Object.values(template.Resources).filter(({ Type }) => Type === type).length;

  it('is hosted whole', () => {
    expect(topology.tables).toHaveLength(count('AWS::DynamoDB::Table'));
    expect(topology.queues).toHaveLength(count('AWS::SQS::Queue'));
    expect(topology.buckets).toHaveLength(count('AWS::S3::Bucket'));
    expect(topology.functions).toHaveLength(count('AWS::Lambda::Function'));
    expect(topology.eventSources).toHaveLength(count('AWS::Lambda::EventSourceMapping'));
    expect(topology.endpoints).toHaveLength(count('AWS::Lambda::Url'));
    expect(topology.schedules).toHaveLength(count('AWS::Events::Rule'));
    expect(topology.functions.length).toBeGreaterThan(0);
  });

  it('feeds every queue that is not a dead-letter queue to exactly one function', () => {
    const fed = topology.eventSources.map(({ queue }) => queue);
    const dead = new Set(topology.queues.map(({ deadLetterQueue }) => deadLetterQueue));
    const alive = topology.queues.map(({ name }) => name).filter((name) => !dead.has(name));
    expect(fed.sort()).toEqual(alive.sort());
  });
});
