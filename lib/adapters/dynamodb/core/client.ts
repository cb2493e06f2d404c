// The one way to DynamoDB. Endpoint, region and credentials come from the SDK's own environment variables.
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { prepared } from '../../aws-sdk/made-clients.ts';
import { withoutLogging } from '../../aws-sdk/without-logging.ts';

export interface DocumentClientOptions {
  readonly endpoint?: string;
  /**
   * 1 is for writers that have something better to do than to wait: after a throttled attempt the SDK sleeps up to 1 and
   * then up to 2 seconds, and the partition it asks again is the same.
   */
  readonly attempts?: 1 | 3;
  /** A client whose connections are used as well, so that there is one handshake. */
  readonly beside?: DynamoDBDocumentClient;
}

export function createDocumentClient(options: DocumentClientOptions = {}): DynamoDBDocumentClient {
  const client = new DynamoDBClient({
    maxAttempts: options.attempts ?? 3,
    ...(options.endpoint === undefined ? {} : { endpoint: options.endpoint }),
    ...(options.beside === undefined ? {} : { requestHandler: options.beside.config.requestHandler }),
  });
  return DynamoDBDocumentClient.from(prepared(withoutLogging(client)), {
    marshallOptions: { removeUndefinedValues: true },
  });
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
