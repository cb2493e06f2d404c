// A typed client of both parts, for Node and browsers: one method per route, by its id. Of the routes it holds types and a
// small generated table; it needs `fetch` and nothing else.
// Guarantees: resolves with what the contract promises for a success; every failure, of the service or on the way to it, is
// an ApiError, and an abort is the signal's reason. Repeats a request only where it is asked to, and where twice is as good
// as once.
import type { ROUTES } from '../events/routes/every-route.ts';
import { ApiError, failureOf, parse } from './api-error.ts';
import type { AnyInput, CallOptions, ClientOf } from './calls.ts';
import { readEvents } from './event-stream.ts';
import { type Patience, patienceOf, spread, wait } from './patience.ts';
import { ROUTE_TABLE, type RouteRow } from './route-table.ts';

export { ApiError } from './api-error.ts';
export type { CallOptions, ClientInput, ClientStream } from './calls.ts';

export interface ClientOptions {
  /** Without trailing slash; empty for the page's own origin. */
  readonly ingestionUrl: string;
  readonly apiUrl: string;
  /** API key or session token; asked for before each try, so that it may be refreshed. */
  readonly token?: () => string | Promise<string>;
  /** Give up after this; 30 s where absent. Of a stream: after so long a silence. The service comments every 15 s. */
  readonly timeoutMs?: number;
  /**
   * How often a request is sent at most; once where absent. More than once only what changes nothing, or has an
   * `idempotency-key`, and only after no answer, 429, 500 and above, or while the first one still runs.
   */
  readonly tries?: number;
  readonly fetch?: typeof fetch;
  /** Between two tries. */
  readonly wait?: (ms: number, signal: AbortSignal | undefined) => Promise<void>;
}

export type Client = ClientOf<(typeof ROUTES)[number]>;

export const createClient = (options: ClientOptions): Client => clientOf(ROUTE_TABLE, options) as Client;

/** For any table of routes; what it is worth as types, the caller says. */
export function clientOf(table: readonly RouteRow[], options: ClientOptions): unknown {
  return Object.fromEntries(
    table.map((row) => [
      row[0],
      (input?: AnyInput, call?: CallOptions) => repeat(row, input ?? {}, call ?? {}, options),
    ]),
  );
}

const TIMEOUT_MS = 30_000;
const WAIT_MS = 250;
/** Whoever is told to wait for longer decides for himself. */
const WAIT_MAX_MS = 30_000;

async function repeat(row: RouteRow, input: AnyInput, call: CallOptions, options: ClientOptions) {
  const { tries = options.tries ?? 1, signal } = call;
  const isSafe = row[3].includes('r') || (row[3].includes('k') && input.headers?.['idempotency-key']);
  for (let left = isSafe ? tries - 1 : 0, baseMs = WAIT_MS; ; left--, baseMs *= 2) {
    try {
      return await send(row, input, signal, options);
    } catch (error) {
      if (left < 1 || !(error instanceof ApiError) || !mayPass(error)) throw error;
      // Spread, so that those who failed together do not come back together.
      const waitMs = Math.max((error.retryAfterSec ?? 0) * 1_000, spread(baseMs));
      if (waitMs > WAIT_MAX_MS) throw error;
      await (options.wait ?? wait)(waitMs, signal);
    }
  }
}

const mayPass = ({ status, code }: ApiError): boolean =>
  status === 0 || status === 429 || status >= 500 || code === 'idempotency_key_in_use';

async function send(
  row: RouteRow,
  input: AnyInput,
  signal: AbortSignal | undefined,
  options: ClientOptions,
): Promise<unknown> {
  const [, method, , takes, replyHeaders] = row;
  const { body } = input;
  const base = takes.includes('i') ? options.ingestionUrl : options.apiUrl;
  const url = base + pathOf(row, input);
  const headers = new Headers(pairsOf(input.headers));
  if (body !== undefined && !headers.has('content-type')) headers.set('content-type', 'application/json');
  if (takes.includes('c') && options.token) {
    const token = await options.token();
    // Keys of the helpdesk have a header of their own.
    if (token.startsWith('hdk_')) headers.set('x-api-key', token);
    else headers.set('authorization', `Bearer ${token}`);
  }
  const patience = patienceOf(options.timeoutMs ?? TIMEOUT_MS);
  const failed = (error: unknown): unknown => {
    if (signal?.aborted) return signal.reason;
    return error instanceof ApiError
      ? error
      : new ApiError('no_answer', `no answer from ${base}`, undefined, undefined, error);
  };
  try {
    const response = await (options.fetch ?? fetch)(url, {
      method,
      headers,
      signal: signal === undefined ? patience.signal : AbortSignal.any([signal, patience.signal]),
      ...(body === undefined ? {} : { body: takes.includes('B') ? (body as string) : JSON.stringify(body) }),
    });
    const { ok, status } = response;
    if (ok && takes.includes('s')) return { status, stream: eventsOf(response, patience, failed) };
    const isBytes = ok && takes.includes('o');
    const read = isBytes ? new Uint8Array(await response.arrayBuffer()) : await response.text();
    patience.rest();
    const isRaw = isBytes || (ok && takes.includes('t'));
    const value = isRaw ? read : read === '' ? undefined : parse(read as string, response);
    if (!ok) throw failureOf(response, value);
    return {
      status,
      body: value,
      ...(replyHeaders && { headers: headersOf(response, replyHeaders) }),
    };
  } catch (error) {
    patience.rest();
    throw failed(error);
  }
}

async function* eventsOf(
  response: Response,
  patience: Patience,
  failed: (error: unknown) => unknown,
): AsyncGenerator<unknown> {
  try {
    for await (const { event, data, id } of readEvents(chunksOf(response, patience))) {
      const value = parse(data, response);
      if (event === 'error') throw failureOf(response, value);
      yield { event, data: value, ...(id && { id }) };
    }
  } catch (error) {
    throw failed(error);
  }
}

/** Ends the request when the reader stops early. Only the service is timed, not the reader. */
async function* chunksOf({ body }: Response, { start, rest }: Patience): AsyncGenerator<Uint8Array> {
  const reader = body?.getReader();
  try {
    for (;;) {
      start();
      const part = await reader?.read();
      rest();
      if (!part?.value) return;
      yield part.value as Uint8Array;
    }
  } finally {
    rest();
    // Of no consequence once all is read.
    reader?.cancel().catch(() => undefined);
  }
}

function pathOf([, , path]: RouteRow, { params, query }: AnyInput): string {
  const filled = path.replaceAll(/:(\w+)/g, (_, name: string) => {
    const value = params?.[name] ?? '';
    // These would lead to another path, however they are written.
    if (/^\.{0,2}$/.test(value)) throw new TypeError(`params.${name} cannot be "${value}"`);
    return encodeURIComponent(value);
  });
  const search = new URLSearchParams(pairsOf(query)).toString();
  return (search && `${filled}?${search}`) || filled;
}

const pairsOf = (values: object = {}): [string, string][] =>
  Object.entries(values).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]]));

const headersOf = ({ headers }: Response, names: string): Record<string, string> =>
  Object.fromEntries(
    names.split(' ').flatMap((name) => {
      const value = headers.get(name);
      return value === null ? [] : [[name, value]];
    }),
  );
