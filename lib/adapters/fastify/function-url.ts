// A Fastify application behind a Lambda function URL (payload format 2.0). The query goes in as it was sent: the
// event's own decoded map has lost which parameters were repeated.
import awsLambdaFastify from '@fastify/aws-lambda';
import type { FastifyInstance } from 'fastify';
import { requestIdOf } from '../../core/http/request-rules.ts';

interface FunctionUrlRequest {
  readonly rawPath?: string;
  readonly rawQueryString?: string;
  /** Lowercase names. */
  readonly headers?: Readonly<Record<string, string | undefined>>;
  readonly requestContext?: { readonly requestId?: string };
}

export async function createFunctionUrlHandler(
  app: FastifyInstance,
): Promise<(event: unknown, context?: unknown) => Promise<unknown>> {
  const proxy = awsLambdaFastify(app, { decorateRequest: false, parseCommaSeparatedQueryParams: false });
  await app.ready();
  return async (event, context) => {
    const { rawPath = '/', rawQueryString = '', ...rest } = event as FunctionUrlRequest;
    const url = rawQueryString === '' ? rawPath : `${rawPath}?${rawQueryString}`;
    const given = rest.headers?.['x-request-id'];
    const headers = {
      ...rest.headers,
      'x-request-id': requestIdOf(given, rest.requestContext?.requestId ?? ''),
    };
    const request = { ...rest, headers, rawPath: url, queryStringParameters: undefined };
    return await proxy(request, (context ?? {}) as Parameters<typeof proxy>[1]);
  };
}
