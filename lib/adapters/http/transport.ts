// Requests to platforms and webhooks over HTTPS. Guarantees: resolves always and within `timeoutMs`; follows no redirect; keeps at
// most 64 KiB of an answer and hangs up on the rest; connects to public addresses only, except to the sandbox;
// says whether the platform may have the events although no answer came.
import type { buildConnector, Dispatcher } from 'undici';
import Agent from 'undici/lib/dispatcher/agent.js';
import type { HttpRequest, HttpResult, Transport } from '../../core/ports/transport.ts';
import { type AddressRule, createAddressRule } from './address-guard.ts';
import { Exchange } from './exchange.ts';

export interface TransportOptions {
  /** Origin of the platform sandbox: requests go to `{sandboxUrl}/{vendor host}/{path}` instead. */
  readonly sandboxUrl?: string;
  /** Sockets per host; default 16. */
  readonly connections?: number;
  /** What may be called; without it public addresses, on port 443 only. */
  readonly addresses?: AddressRule;
  /** How requests name their sender; default `millrace`. */
  readonly userAgent?: string;
  /** Extra options of the socket, for tests with their own certificates. */
  readonly connect?: buildConnector.BuildOptions;
}

export interface ClosableTransport extends Transport {
  close(): Promise<void>;
}

const CONNECT_TIMEOUT_MS = 5_000;
const KEEP_ALIVE_MS = 10_000;

export function createTransport(options: TransportOptions = {}): ClosableTransport {
  const sandbox = options.sandboxUrl === undefined ? undefined : sandboxAt(options.sandboxUrl);
  const addresses = options.addresses ?? createAddressRule();
  const userAgent = options.userAgent ?? 'millrace';
  const agent = new Agent({
    connections: options.connections ?? 16,
    pipelining: 1,
    keepAliveTimeout: KEEP_ALIVE_MS,
    // The exchange keeps the time of the whole call; the parts need no clocks of their own.
    headersTimeout: 0,
    bodyTimeout: 0,
    connect: {
      timeout: CONNECT_TIMEOUT_MS,
      ...(sandbox === undefined ? { lookup: addresses.lookup } : {}),
      ...options.connect,
    },
  });
  return {
    send: async (request, { timeoutMs }) => {
      const startedMs = performance.now();
      const result = await call({ agent, sandbox, addresses, userAgent }, request, timeoutMs);
      return { ...result, latencyMs: Math.round(performance.now() - startedMs) };
    },
    close: () => agent.destroy(),
  };
}

interface Line {
  readonly agent: Dispatcher;
  readonly sandbox: Sandbox | undefined;
  readonly addresses: AddressRule;
  readonly userAgent: string;
}

async function call(
  { agent, sandbox, addresses, userAgent }: Line,
  request: HttpRequest,
  timeoutMs: number,
): Promise<HttpResult> {
  const url = URL.parse(request.url);
  if (url === null) return blocked('the address is not a URL');
  const refused = addresses.refused(url);
  if (refused !== null) return blocked(refused);
  const path = url.pathname + url.search;
  const exchange = new Exchange(timeoutMs);
  try {
    agent.dispatch(
      {
        origin: sandbox?.origin ?? url.origin,
        path: sandbox === undefined ? path : `${sandbox.prefix}/${url.host}${path}`,
        method: request.method,
        headers: { ...request.headers, 'user-agent': userAgent },
        ...(request.method === 'GET' ? {} : { body: request.packed ?? request.body }),
      },
      exchange,
    );
  } catch (error) {
    exchange.fail(error instanceof Error ? error : new Error(String(error)));
  }
  return exchange.result;
}

function blocked(message: string): HttpResult {
  return { kind: 'failure', code: 'blocked', maybeDelivered: false, message };
}

interface Sandbox {
  readonly origin: string;
  /** Of every path; no slash at its end. */
  readonly prefix: string;
}

function sandboxAt(sandboxUrl: string): Sandbox {
  const url = URL.parse(sandboxUrl);
  if (url === null || (url.protocol !== 'http:' && url.protocol !== 'https:'))
    throw new TypeError(`the sandbox URL must be http or https: ${sandboxUrl}`);
  return { origin: url.origin, prefix: url.pathname.replace(/\/+$/, '') };
}
