// A Fastify application behind a Lambda function URL (payload format 2.0). The query goes in as it was sent: the
// event's own decoded map has lost which parameters were repeated.
import awsLambdaFastify from '@fastify/aws-lambda';
import type { FastifyInstance } from 'fastify';

interface FunctionUrlRequest {
  readonly rawPath?: string;
  readonly rawQueryString?: string;
}

export async function createFunctionUrlHandler(
  app: FastifyInstance,
): Promise<(event: unknown, context?: unknown) => Promise<unknown>> {
  const proxy = awsLambdaFastify(app, { decorateRequest: false, parseCommaSeparatedQueryParams: false });
  await app.ready();
  return async (event, context) => {
    const { rawPath = '/', rawQueryString = '', ...rest } = event as FunctionUrlRequest;
    const url = rawQueryString === '' ? rawPath : `${rawPath}?${rawQueryString}`;
    const request = { ...rest, rawPath: url, queryStringParameters: undefined };
    return await proxy(request, (context ?? {}) as Parameters<typeof proxy>[1]);
  };
}
