// Goal: the topology is the template's, nothing more and nothing less. Method: a small template with one of everything, and
// the real one of the CDK app, whose figures are compared with the template itself.
import { beforeAll, describe, expect, it } from 'vitest';
import { synthesizeApp, type Template } from '#cdk/synthesize.ts';
import { endpointServices, readTopology } from './template.ts';
import type { Topology } from './topology.ts';

const addresses = { sqsOrigin: 'http://sqs', endpointUrl: (service: string) => `http://${service}` };
const queueArn = (id: string) => ({ 'Fn::GetAtt': [id, 'Arn'] });

const SMALL: Template = {
  Outputs: {},
  Resources: {
    Rows: {
      Type: 'AWS::DynamoDB::Table',
      Properties: {
        AttributeDefinitions: [{ AttributeName: 'pk', AttributeType: 'S' }],
        KeySchema: [{ AttributeName: 'pk', KeyType: 'HASH' }],
        BillingMode: 'PAY_PER_REQUEST',
      },
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
      Metadata: { 'millrace:entry': 'services/events/stage/handler.ts' },
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
      Properties: {
        ScheduleExpression: 'rate(2 hours)',
        State: 'ENABLED',
        Targets: [{ Arn: queueArn('Stage') }],
      },
    },
  },
};

function queueUrlOf(id: string) {
  return { 'Fn::GetAtt': [id, 'FunctionUrl'] };
}

const withProperties = (id: string, properties: Record<string, unknown>): Template => ({
  ...SMALL,
  Resources: {
    ...SMALL.Resources,
    [id]: {
      ...SMALL.Resources[id],
      Type: SMALL.Resources[id]?.Type ?? '',
      Properties: { ...SMALL.Resources[id]?.Properties, ...properties },
    },
  },
});

describe('a small template', () => {
  it('gives its topology', () => {
    expect(readTopology(SMALL, addresses)).toEqual({
      buckets: [],
      tables: [
        {
          name: 'Rows',
          attributes: [{ AttributeName: 'pk', AttributeType: 'S' }],
          keySchema: [{ AttributeName: 'pk', KeyType: 'HASH' }],
          indexes: [],
        },
      ],
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
          entry: 'services/events/stage/handler.ts',
          environment: { TABLE: 'Rows', QUEUE: 'http://sqs/000000000000/Work', SELF: 'http://stage/' },
          timeoutMs: 5_000,
        },
      ],
      eventSources: [
        {
          functionId: 'Stage',
          queue: 'Work',
          batchSize: 7,
          windowMs: 2_000,
          concurrencyMax: 4,
          reportsFailures: true,
        },
      ],
      endpoints: ['Stage'],
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
    expect(fed.sort()).toEqual(
      topology.queues
        .map(({ name }) => name)
        .filter((name) => !dead.has(name))
        .sort(),
    );
  });
});
