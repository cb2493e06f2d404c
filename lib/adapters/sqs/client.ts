// The one way to SQS. Endpoint, region and credentials come from the SDK's own environment variables.
import { SQSClient } from '@aws-sdk/client-sqs';

export function createSqsClient(options: { readonly endpoint?: string } = {}): SQSClient {
  return new SQSClient({
    maxAttempts: 2,
    // Queue URLs of emulators name hosts of their own: the configured endpoint is the one to talk to.
    useQueueUrlAsEndpoint: false,
    ...(options.endpoint === undefined ? {} : { endpoint: options.endpoint }),
  });
}
