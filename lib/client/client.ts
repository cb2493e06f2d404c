// A typed client of both parts, folded from the contract: one method per route, by its id. Uses the runtime's own fetch.
// Guarantees: resolves with what the contract promises for a success; every failure, of the service or on the way to it, is
// an ApiError. Refuses to repeat anything: whether that is safe, the caller knows.
import type { z } from 'zod';
import type { ErrorBody, ErrorCode, ErrorDetail } from '../core/http/errors.ts';
import type { Success } from '../core/http/handler.ts';
import type { Route } from '../core/http/route.ts';
import { ROUTES } from '../events/routes/every-route.ts';

export interface ClientOptions {
  /** Without trailing slash. */
  readonly ingestionUrl: string;
  readonly apiUrl: string;
  /** API key or session token; asked for before each request, so that it may be refreshed. */
  readonly token?: () => string | Promise<string>;
  /** Give up after this; 30 s where absent. */
  readonly timeoutMs?: number;
  readonly fetch?: typeof fetch;
}

/** Query values as they are written: numbers may stay numbers. */
type Loose<T> = { [K in keyof T]: T[K] extends string | undefined ? T[K] | number : T[K] };
type Part<Name extends string, Schema, Value> = Schema extends z.ZodType
  ? Record<never, unknown> extends Value
    ? { readonly [N in Name]?: Value }
    : { readonly [N in Name]: Value }
  : Record<never, unknown>;

export type ClientInput<R extends Route> = Part<'params', R['params'], InputOf<R['params']>> &
  Part<'query', R['query'], Loose<InputOf<R['query']>>> &
  Part<'body', R['body'], InputOf<R['body']>>;
type InputOf<Schema> = Schema extends z.ZodType ? z.input<Schema> : never;

type Routes = (typeof ROUTES)[number];
export type Client = {
  readonly [R in Routes as R['id']]: Record<never, unknown> extends ClientInput<R>
    ? (input?: ClientInput<R>) => Promise<Success<R>>
    : (input: ClientInput<R>) => Promise<Success<R>>;
};

/** A failure: `status` 0 when no answer came. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly status: number;
  readonly code: ErrorCode | 'no_answer' | 'not_json';
  readonly details: readonly ErrorDetail[];
  readonly requestId: string | null;
  /** Seconds to wait before the next try, where the service said so. */
  readonly retryAfterSec: number | null;

  constructor(
    message: string,
    fields: Pick<ApiError, 'status' | 'code' | 'details' | 'requestId' | 'retryAfterSec'>,
    options?: ErrorOptions,
  ) {
    super(message, options);
    this.status = fields.status;
    this.code = fields.code;
    this.details = fields.details;
    this.requestId = fields.requestId;
    this.retryAfterSec = fields.retryAfterSec;
  }
}

interface AnyInput {
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string | number | undefined>>;
  readonly body?: unknown;
}

const TIMEOUT_MS = 30_000;

export function createClient(options: ClientOptions): Client {
  const methods = ROUTES.map(
    (route) => [route.id, (input: AnyInput = {}) => send(route, input, options)] as const,
  );
  return Object.fromEntries(methods) as unknown as Client;
}

async function send(route: Route, input: AnyInput, options: ClientOptions): Promise<Success> {
  const base = route.part === 'ingestion' ? options.ingestionUrl : options.apiUrl;
  const headers: Record<string, string> = {};
  if (route.auth !== 'public' && options.token !== undefined) {
    headers.authorization = `Bearer ${await options.token()}`;
  }
  if (input.body !== undefined) headers['content-type'] = 'application/json';
  const request: RequestInit = {
    method: route.method,
    headers,
    signal: AbortSignal.timeout(options.timeoutMs ?? TIMEOUT_MS),
    ...(input.body === undefined ? {} : { body: JSON.stringify(input.body) }),
  };
  let response: Response;
  let text: string;
  try {
    response = await (options.fetch ?? fetch)(base + pathOf(route, input), request);
    text = await response.text();
  } catch (error) {
    const none = { status: 0, code: 'no_answer', details: [], requestId: null, retryAfterSec: null } as const;
    throw new ApiError(`no answer from ${base}`, none, { cause: error });
  }
  const isText = response.ok && route.replyType !== undefined;
  return { status: response.status, body: isText ? text : readJson(response, text) } as Success;
}

function pathOf(route: Route, { params = {}, query = {} }: AnyInput): string {
  const path = route.path.replaceAll(/:(\w+)/g, (_, name: string) => encodeURIComponent(params[name] ?? ''));
  const pairs = Object.entries(query).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, String(value)] as [string, string]],
  );
  return pairs.length === 0 ? path : `${path}?${new URLSearchParams(pairs)}`;
}

function readJson(response: Response, text: string): unknown {
  const requestId = response.headers.get('x-request-id');
  const retryAfter = Number(response.headers.get('retry-after') ?? Number.NaN);
  const shared = {
    status: response.status,
    requestId,
    retryAfterSec: Number.isFinite(retryAfter) ? retryAfter : null,
  };
  let value: unknown;
  try {
    value = text === '' ? null : JSON.parse(text);
  } catch (error) {
    throw new ApiError(
      'the answer is not JSON',
      { ...shared, code: 'not_json', details: [] },
      { cause: error },
    );
  }
  if (response.ok) return value;
  const { error, code, details = [] } = (value ?? {}) as Partial<ErrorBody>;
  const known = { ...shared, code: code ?? ('not_json' as const), details };
  throw new ApiError(error ?? `answered ${response.status}`, known);
}
