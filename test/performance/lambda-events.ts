// What Lambda hands to a function, as its function URL and its queue's event source make it.
import type { SqsEvent } from '../../lib/adapters/lambda/sqs-batch.ts';

/** With a body: POST. */
export function urlEvent(rawPath: string, apiKey: string, body?: unknown): object {
  const method = body === undefined ? 'GET' : 'POST';
  return {
    version: '2.0',
    rawPath,
    rawQueryString: '',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${apiKey}` },
    requestContext: {
      requestId: 'request-1',
      http: { method, path: rawPath, sourceIp: '203.0.113.7', protocol: 'HTTP/1.1' },
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    isBase64Encoded: false,
  };
}

export function queueEvent(message: unknown): SqsEvent {
  const attributes = { ApproximateReceiveCount: '1', SentTimestamp: String(Date.now()) };
  return { Records: [{ messageId: 'message-1', body: JSON.stringify(message), attributes }] };
}

export const SCHEDULED = { source: 'aws.events', 'detail-type': 'Scheduled Event' };
