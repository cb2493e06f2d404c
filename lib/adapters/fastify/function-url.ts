// A Fastify application behind a Lambda function URL (payload format 2.0): by response streaming where the runtime offers
// it, else with the answer in one piece. Guarantees: the query goes in as it was sent (the event's own decoded map has lost
// which parameters were repeated); an answer is read no faster than it is taken; a client that leaves ends its request.
import { once } from 'node:events';
import { pipeline } from 'node:stream/promises';
import type { FastifyInstance, LightMyRequestResponse } from 'fastify';
import { withoutUndefined } from '#lib/core/values/without-undefined.ts';
import { requestIdOf } from '../../core/http/request-rules.ts';
import { withClient } from './client-signal.ts';
import { type FunctionContext, type LambdaResponseStream, lambdaStreaming } from './lambda-streaming.ts';

interface FunctionUrlRequest {
  readonly rawPath?: string;
  readonly rawQueryString?: string;
  /** Lowercase names. */
  readonly headers?: Readonly<Record<string, string | undefined>>;
  readonly cookies?: readonly string[];
  readonly body?: string;
  readonly isBase64Encoded?: boolean;
  readonly requestContext?: {
    readonly requestId?: string;
    readonly http?: { readonly method?: string; readonly sourceIp?: string };
  };
}

export type FunctionUrlHandler = (event: unknown, ...more: readonly unknown[]) => Promise<unknown>;

/** Of the connection between client and Lambda, which is not ours. */
const HOP_BY_HOP = new Set(['connection', 'keep-alive', 'transfer-encoding']);
/** Before Lambda would cut the function off in the middle of an event. */
const ENDED_BEFORE_MS = 1_000;

/** `finished` is waited for before an invocation ends. */
export async function createFunctionUrlHandler(
  app: FastifyInstance,
  finished: () => Promise<void> = async () => undefined,
): Promise<FunctionUrlHandler> {
  await app.ready();
  const streaming = lambdaStreaming();
  if (streaming === undefined) return (event) => inOnePiece(app, event as FunctionUrlRequest, finished);
  return streaming.streamifyResponse(async (event, response, context) => {
    const left = new AbortController();
    response.once('close', () => {
      if (!response.writableFinished) left.abort(new Error('the client left'));
    });
    const injection = injectionOf(event as FunctionUrlRequest);
    const answer = await withClient(left.signal, () => app.inject({ ...injection, payloadAsStream: true }));
    const head = { statusCode: answer.statusCode, ...headersOf(answer) };
    await send(answer, streaming.HttpResponseStream.from(response, head), context, left);
    await finished();
  }) as FunctionUrlHandler;
}

async function send(
  answer: LightMyRequestResponse,
  response: LambdaResponseStream,
  context: FunctionContext | undefined,
  left: AbortController,
): Promise<void> {
  // What is not written to sends no head.
  response.write(Buffer.alloc(0));
  const body = answer.stream();
  let isCut = false;
  const cut = (): void => {
    isCut = true;
    left.abort(new Error('the function has no time left'));
  };
  const timeLeftMs = context?.getRemainingTimeInMillis?.();
  const timer =
    timeLeftMs === undefined ? undefined : setTimeout(cut, Math.max(0, timeLeftMs - ENDED_BEFORE_MS));
  try {
    await pipeline(body, response, { end: false });
  } catch (error) {
    // Both were announced: the client by leaving, the end by the clock.
    if (!left.signal.aborted) throw error;
  } finally {
    clearTimeout(timer);
  }
  if (left.signal.aborted && !isCut) return;
  response.end();
  if (!response.writableFinished) await once(response, 'finish');
}

async function inOnePiece(
  app: FastifyInstance,
  event: FunctionUrlRequest,
  finished: () => Promise<void>,
): Promise<unknown> {
  const answer = await app.inject(injectionOf(event));
  await finished();
  const { headers, cookies } = headersOf(answer);
  const isText = TEXT_TYPE.test(headers['content-type'] ?? '') && headers['content-encoding'] === undefined;
  return {
    statusCode: answer.statusCode,
    headers,
    ...(cookies === undefined ? {} : { cookies }),
    isBase64Encoded: !isText,
    body: isText ? answer.payload : answer.rawPayload.toString('base64'),
  };
}

const TEXT_TYPE = /^$|^text\/|^application\/(?:.+\+)?(?:json|javascript|xml)\b/i;

function injectionOf(event: FunctionUrlRequest) {
  const { rawPath = '/', rawQueryString = '', body, cookies = [], requestContext = {} } = event;
  const { http = {}, requestId = '' } = requestContext;
  const headers: Record<string, string> = {};
  for (const [name, value] of Object.entries(event.headers ?? {}))
    if (value !== undefined) headers[name] = value;
  headers['x-request-id'] = requestIdOf(headers['x-request-id'], requestId);
  if (cookies.length > 0) headers.cookie = cookies.join('; ');
  const payload =
    body === undefined ? undefined : Buffer.from(body, event.isBase64Encoded === true ? 'base64' : 'utf8');
  // Lambda has undone the chunks of a body that came in chunks: its length is known now.
  delete headers['transfer-encoding'];
  if (payload !== undefined) headers['content-length'] = String(payload.byteLength);
  return {
    method: (http.method ?? 'GET') as 'GET',
    url: rawQueryString === '' ? rawPath : `${rawPath}?${rawQueryString}`,
    headers,
    ...withoutUndefined({ payload, remoteAddress: http.sourceIp }),
  };
}

function headersOf(answer: LightMyRequestResponse) {
  const headers: Record<string, string> = {};
  let cookies: readonly string[] | undefined;
  for (const [name, value] of Object.entries(answer.headers)) {
    if (value === undefined || HOP_BY_HOP.has(name)) continue;
    if (name === 'set-cookie') cookies = [value].flat().map(String);
    else headers[name] = Array.isArray(value) ? value.join(',') : String(value);
  }
  return { headers, ...(cookies === undefined ? {} : { cookies }) };
}
