// The only SQS client. Endpoint, region and credentials come from the SDK's own environment variables.
import { SQSClient } from '@aws-sdk/client-sqs';
import { prepared } from '../aws-sdk/made-clients.ts';
import { withoutLogging } from '../aws-sdk/without-logging.ts';

/**
 * `attempts` 1 is for messages marked as the first: an automatic retry, after an answer was lost, would send that mark
 * twice.
 */
export function createSqsClient(
  options: { readonly endpoint?: string; readonly attempts?: 1 | 2 } = {},
): SQSClient {
  const client = new SQSClient({
    maxAttempts: options.attempts ?? 2,
    // Queue URLs of emulators have hosts of their own: requests go to the configured endpoint.
    useQueueUrlAsEndpoint: false,
    ...(options.endpoint === undefined ? {} : { endpoint: options.endpoint }),
  });
  return prepared(withoutLogging(client));
}
