// A Lambda function URL request (payload format 2.0) for an HTTP application, and its reply back.
import type { HttpApp, IncomingRequest, Reply } from '../../core/http/http-message.ts';

export interface FunctionUrlEvent {
  readonly rawPath: string;
  readonly rawQueryString: string;
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly body?: string;
  readonly isBase64Encoded: boolean;
  readonly requestContext: {
    readonly requestId: string;
    readonly http: { readonly method: string; readonly sourceIp: string };
  };
}

export interface FunctionUrlResult {
  readonly statusCode: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly isBase64Encoded: false;
}

export function functionUrlHandler(app: HttpApp): (event: FunctionUrlEvent) => Promise<FunctionUrlResult> {
  return async (event) => toResult(await app(toRequest(event)));
}

function toRequest(event: FunctionUrlEvent): IncomingRequest {
  const headers: Record<string, string> = {};
  for (const [name, value] of Object.entries(event.headers))
    if (value !== undefined) headers[name.toLowerCase()] = value;
  return {
    method: event.requestContext.http.method,
    path: event.rawPath,
    query: Object.fromEntries(new URLSearchParams(event.rawQueryString)),
    headers,
    body:
      event.body === undefined ? EMPTY : Buffer.from(event.body, event.isBase64Encoded ? 'base64' : 'utf8'),
    clientIp: event.requestContext.http.sourceIp,
    requestId: event.requestContext.requestId,
  };
}

const EMPTY = new Uint8Array();

function toResult(reply: Reply): FunctionUrlResult {
  return { statusCode: reply.status, headers: reply.headers, body: reply.body, isBase64Encoded: false };
}
