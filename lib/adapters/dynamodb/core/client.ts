// The one way to DynamoDB. Endpoint, region and credentials come from the SDK's own environment variables.
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';

export function createDocumentClient(options: { readonly endpoint?: string } = {}): DynamoDBDocumentClient {
  const client = new DynamoDBClient({
    maxAttempts: 3,
    ...(options.endpoint === undefined ? {} : { endpoint: options.endpoint }),
  });
  return DynamoDBDocumentClient.from(client, { marshallOptions: { removeUndefinedValues: true } });
}

/** True where a partition, an index or the table takes no more for now; nothing was done. */
export function isThrottled(error: unknown): boolean {
  return error instanceof Error && THROTTLED.has(error.name);
}

/** https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Programming.Errors.html */
const THROTTLED: ReadonlySet<string> = new Set([
  'ProvisionedThroughputExceededException',
  'ThrottlingException',
  'RequestLimitExceeded',
]);

/** True for the one error that is an answer: the condition of a write did not hold. */
export function isConditionFailure(error: unknown): boolean {
  return error instanceof Error && error.name === 'ConditionalCheckFailedException';
}
