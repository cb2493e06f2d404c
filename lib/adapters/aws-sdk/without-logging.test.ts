// Goal: the SDK knows the steps that are left out by these names, and none is left in a client of ours.
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { SQSClient } from '@aws-sdk/client-sqs';
import { expect, it, vi } from 'vitest';
import { createDocumentClient } from '../dynamodb/core/client.ts';
import { createSqsClient } from '../sqs/client.ts';
import { NOT_NEEDED } from './without-logging.ts';

const region = 'us-east-1';
const steps = ({ middlewareStack }: { readonly middlewareStack: { identify(): readonly string[] } }) =>
  middlewareStack.identify().map((step) => step.split(' ')[0]);

it.each([
  ['DynamoDB', () => new DynamoDBClient({ region }), () => createDocumentClient()],
  ['SQS', () => new SQSClient({ region }), () => createSqsClient()],
] as const)('of %s', (_name, plain, ours) => {
  vi.stubEnv('AWS_REGION', region);
  expect(steps(plain())).toEqual(expect.arrayContaining([...NOT_NEEDED]));
  const left = steps(plain()).filter(
    (step) => !(NOT_NEEDED as readonly (string | undefined)[]).includes(step),
  );
  expect(steps(ours())).toEqual(left);
});
