// A Lambda function URL request (payload format 2.0) for an HTTP application, and its reply back.
import type { AnsweredRequest, HttpApp, IncomingRequest, Reply } from '../../core/http/http-message.ts';
import { requestIdOf, serverTiming } from '../../core/http/request-rules.ts';
import { tracingOf } from '../../core/record/trace.ts';

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

/** `answered` gets each request; `finished` is waited for before its answer is handed over. */
export function functionUrlHandler(
  app: HttpApp,
  answered: (request: AnsweredRequest) => void = () => undefined,
  finished: () => Promise<void> = async () => undefined,
): (event: FunctionUrlEvent) => Promise<FunctionUrlResult> {
  return async (event) => {
    const startedMs = performance.now();
    const request = toRequest(event);
    const reply = await app(request);
    const ms = performance.now() - startedMs;
    answered({
      ...reply.facts,
      requestId: request.requestId,
      ...tracingOf(request.headers.traceparent, reply.facts?.trace),
      method: request.method,
      status: reply.status,
      ms,
      bytesIn: request.body.byteLength,
      bytesOut: Buffer.byteLength(reply.body),
    });
    await finished();
    return toResult(reply, ms);
  };
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
    requestId: requestIdOf(headers['x-request-id'], event.requestContext.requestId),
  };
}

const EMPTY = new Uint8Array();

function toResult(reply: Reply, tookMs: number): FunctionUrlResult {
  const headers = { ...reply.headers, 'server-timing': serverTiming(tookMs) };
  return { statusCode: reply.status, headers, body: reply.body, isBase64Encoded: false };
}
