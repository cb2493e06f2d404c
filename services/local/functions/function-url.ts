// Lambda function URLs over node:http: request → payload format 2.0 → function → response
// (https://docs.aws.amazon.com/lambda/latest/dg/urls-invocation.html).
// Guarantees: the source IP is the socket's; text bodies are passed as text and all others, invalid UTF-8 included, as
// base64.
import { isUtf8 } from 'node:buffer';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createTurns, type Turns } from '#lib/adapters/concurrency/turns.ts';
import { ERRORS, type ErrorCode } from '#lib/core/http/errors.ts';
import { failureBody } from '#lib/core/http/plain-failures.ts';
import { createPatientServer, listen, readBody } from '../http/server.ts';
import type { Handler, Streamed } from './functions.ts';
import { ResponseStream } from './response-streaming.ts';

/** Several functions at one address. */
export interface ByRequest {
  readonly choose: (method: string, path: string) => Handler | Streamed;
}

export interface FunctionUrl {
  /** Without a slash at the end. */
  readonly url: string;
  /** Before this call every request gets a 503. */
  serve(handler: Handler | Streamed | ByRequest): void;
  /** Closes idle connections at once, and the others after their answers. */
  close(): Promise<void>;
}

/**
 * Concurrent requests of one function. Lambda gives each an instance of its own; here all share a core, and many
 * requests begun together would all end late, after their callers have given up and sent them again.
 */
const AT_ONCE = 16;
/** After this wait: 503 with Retry-After, before most clients give up. */
const WAIT_MAX_MS = 5_000;
/** Lambda's limit for one request. */
const BODY_MAX_BYTES = 6 * 1_048_576;
const TEXT_TYPE = /^(?:text\/|application\/(?:.+\+)?(?:json|javascript|xml)\b)/i;

/** 0 takes any free port. Throws a LocalProblem if the port is busy. */
export async function openFunctionUrl(
  service: string,
  port: number,
  onError: (problem: string, error: unknown) => void,
): Promise<FunctionUrl> {
  let handler: Handler | Streamed | ByRequest | undefined;
  const turns = createTurns({ atOnce: AT_ONCE, waitMaxMs: WAIT_MAX_MS, now: Date.now });
  const server = createPatientServer((request, response) => {
    const [path] = split(request.url ?? '/');
    const fail = failing(response, path);
    if (handler === undefined) return fail(503, 'unavailable');
    const chosen = 'choose' in handler ? handler.choose(request.method ?? 'GET', path) : handler;
    answer(chosen, request, response, { turns, fail }).catch((error: unknown) => {
      // The caller hung up in the middle of its body: not an error of ours, and there is no one to answer.
      if (request.destroyed && !request.complete) return;
      onError(`${service} failed to answer ${request.method} ${request.url?.split('?')[0]}`, error);
      // The answer of a function URL when its function throws.
      fail(502, 'internal_error');
    });
  });
  const url = await listen(server, service, port);
  return {
    url,
    serve: (fn) => {
      handler = fn;
    },
    close: () =>
      new Promise((done) => {
        server.close(() => done());
      }),
  };
}

async function answer(
  handler: Handler | Streamed,
  request: IncomingMessage,
  response: ServerResponse,
  { turns, fail }: { readonly turns: Turns; readonly fail: Fail },
): Promise<void> {
  const body = await readBody(request, BODY_MAX_BYTES);
  if (body === null) return fail(413, 'payload_too_large');
  const event = eventOf(request, body);
  if ('stream' in handler) return await handler.stream(event, new ResponseStream(response));
  const isWanted = (): boolean => !response.destroyed;
  const result = (await turns(() => handler(event), isWanted)) as FunctionUrlResult | null;
  if (result === null) return fail(503, 'unavailable');
  response.statusCode = result.statusCode;
  for (const [name, value] of Object.entries(result.headers ?? {})) response.setHeader(name, value);
  if (result.cookies !== undefined) response.setHeader('set-cookie', [...result.cookies]);
  response.end(Buffer.from(result.body ?? '', result.isBase64Encoded === true ? 'base64' : 'utf8'));
}

interface FunctionUrlResult {
  readonly statusCode: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly cookies?: readonly string[];
  readonly body?: string;
  readonly isBase64Encoded?: boolean;
}

function eventOf(request: IncomingMessage, body: Buffer): Record<string, unknown> {
  const [rawPath = '/', rawQueryString = ''] = split(request.url ?? '/');
  const headers: Record<string, string> = {};
  for (const [name, value] of Object.entries(request.headers)) {
    if (value !== undefined && name !== 'cookie')
      headers[name] = Array.isArray(value) ? value.join(',') : value;
  }
  const cookies = request.headers.cookie?.split(/;\s*/);
  const isText = TEXT_TYPE.test(headers['content-type'] ?? '') && isUtf8(body);
  const nowMs = Date.now();
  return {
    version: '2.0',
    routeKey: '$default',
    rawPath,
    rawQueryString,
    headers,
    ...(cookies === undefined ? {} : { cookies }),
    ...(rawQueryString === '' ? {} : { queryStringParameters: parameters(rawQueryString) }),
    requestContext: {
      accountId: 'anonymous',
      apiId: 'local',
      domainName: headers.host ?? 'localhost',
      domainPrefix: 'local',
      http: {
        method: request.method ?? 'GET',
        path: rawPath,
        protocol: `HTTP/${request.httpVersion}`,
        sourceIp: request.socket.remoteAddress ?? '127.0.0.1',
        userAgent: headers['user-agent'] ?? '',
      },
      requestId: crypto.randomUUID(),
      routeKey: '$default',
      stage: '$default',
      time: new Date(nowMs).toUTCString(),
      timeEpoch: nowMs,
    },
    ...(body.byteLength === 0 ? {} : { body: body.toString(isText ? 'utf8' : 'base64') }),
    isBase64Encoded: body.byteLength > 0 && !isText,
  };
}

function split(url: string): [string, string] {
  const mark = url.indexOf('?');
  return mark === -1 ? [url, ''] : [url.slice(0, mark), url.slice(mark + 1)];
}

/** Repeated names are joined with a comma. */
function parameters(query: string): Record<string, string> {
  const out: Record<string, string> = {};
  for (const [name, value] of new URLSearchParams(query)) {
    out[name] = Object.hasOwn(out, name) ? `${out[name]},${value}` : value;
  }
  return out;
}

type Fail = (status: number, code: ErrorCode) => void;

/** In the error format of the product at this path. */
function failing(response: ServerResponse, path: string): Fail {
  return (status, code) => {
    if (response.headersSent) {
      response.destroy();
      return;
    }
    response.statusCode = status;
    response.setHeader('content-type', 'application/json');
    if (status === 503) response.setHeader('retry-after', '1');
    const style = path.startsWith('/api/') ? 'plain' : 'coded';
    response.end(JSON.stringify(failureBody({ style, errors: ERRORS }, code, {}, undefined)));
  };
}
