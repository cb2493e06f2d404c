// The one way to SQS. Endpoint, region and credentials come from the SDK's own environment variables.
import { SQSClient } from '@aws-sdk/client-sqs';

/**
 * `attempts` 1 is for senders whose messages say that nobody was told before: a request sent again by itself, because its
 * answer was lost, would say so twice.
 */
export function createSqsClient(
  options: { readonly endpoint?: string; readonly attempts?: 1 | 2 } = {},
): SQSClient {
  return new SQSClient({
    maxAttempts: options.attempts ?? 2,
    // Queue URLs of emulators name hosts of their own: the configured endpoint is the one to talk to.
    useQueueUrlAsEndpoint: false,
    ...(options.endpoint === undefined ? {} : { endpoint: options.endpoint }),
  });
}
