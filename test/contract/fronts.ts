// Both fronts behind the adapter that Lambda calls: the ingestion application, which has no framework, and the API on Fastify.
import { expect } from 'vitest';
import { createFunctionUrlHandler } from '../../lib/adapters/fastify/function-url.ts';
import { type FunctionUrlEvent, functionUrlHandler } from '../../lib/adapters/lambda/function-url.ts';
import { BODY_SIZE_MAX_BYTES, type Route } from '../../lib/core/http/route.ts';
import { EVENT_LIMITS } from '../../lib/events/domain/event/event.ts';
import { routesOf } from '../../lib/events/routes/every-route.ts';
import { documentedAnswers } from '../support/documented-answers.ts';
import { API_KEY, purchase, testIngestion } from '../support/ingestion.ts';
import { openApi } from './api-host.ts';

export interface Sent {
  readonly method?: string;
  readonly path?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
}
export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly json: { readonly code?: string; readonly details?: readonly { path: string; message: string }[] };
}
export interface Front {
  readonly name: string;
  readonly send: (sent: Sent) => Promise<Answer>;
  /** A path that takes a body, a credential for it, a good body, and how large one may be. */
  readonly path: string;
  readonly token: string;
  readonly good: () => string;
  readonly sizeMaxBytes: number;
}

export const JSON_TYPE = { 'content-type': 'application/json' };
/** Both, on memory ports. */
export async function openFronts(): Promise<readonly [Front, Front]> {
  const ingestion = functionUrlHandler(testIngestion().app);
  const host = await openApi();
  const api = await createFunctionUrlHandler(host.app);
  let made = 0;
  return [
    {
      name: 'ingestion',
      send: documented(routesOf('ingestion'), ingestion, '/v1/events'),
      path: '/v1/events',
      token: API_KEY,
      good: () => JSON.stringify(purchase({ event_id: `e${made++}` })),
      sizeMaxBytes: EVENT_LIMITS.eventSizeMaxBytes,
    },
    {
      name: 'api',
      send: documented(routesOf('api'), api, '/v1/platforms'),
      path: '/v1/platforms',
      token: host.session(),
      good: () =>
        JSON.stringify({
          platform: 'meta',
          credentials: { pixel_id: '1234567890', access_token: 'secret-access-token' },
        }),
      sizeMaxBytes: BODY_SIZE_MAX_BYTES,
    },
  ];
}

/** Every answer is held against the document that callers get. */
function documented(
  routes: readonly Route[],
  answer: (event: FunctionUrlEvent) => Promise<unknown>,
  fallback: string,
): Front['send'] {
  const isDocumented = documentedAnswers(routes);
  return async (sent) => {
    const result = await answer(eventOf(sent, fallback));
    const { status, headers } = answerOf(result);
    const { body: text = '' } = result as { readonly body?: string };
    const { method = 'POST', path = fallback } = sent;
    expect(isDocumented({ method, path, status, headers, text })).toEqual([]);
    return answerOf(result);
  };
}

export function eventOf(
  { method = 'POST', path, headers = {}, body = '' }: Sent,
  fallback: string,
): FunctionUrlEvent {
  return {
    rawPath: path ?? fallback,
    rawQueryString: '',
    headers,
    ...(body.length === 0 ? {} : { body: Buffer.from(body as string).toString('base64') }),
    isBase64Encoded: body.length > 0,
    requestContext: { requestId: 'from-lambda', http: { method, sourceIp: '203.0.113.7' } },
  };
}

export function answerOf(result: unknown): Answer {
  const { statusCode, headers, body } = result as {
    statusCode: number;
    headers: Record<string, unknown>;
    body: string;
  };
  return {
    status: statusCode,
    headers: Object.fromEntries(
      Object.entries(headers).map(([name, value]) => [name.toLowerCase(), String(value)]),
    ),
    json: String(headers['content-type']).startsWith('application/json') ? JSON.parse(body) : {},
  };
}

export const authorized = ({ token }: Front, more: Readonly<Record<string, string>> = {}) => ({
  ...JSON_TYPE,
  authorization: `Bearer ${token}`,
  ...more,
});
