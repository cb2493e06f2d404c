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

/** True for the one error that is an answer: the condition of a write did not hold. */
export function isConditionFailure(error: unknown): boolean {
  return error instanceof Error && error.name === 'ConditionalCheckFailedException';
}
