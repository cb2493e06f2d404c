// One call as undici reports it, from the wait for a socket to the last byte. Settles exactly once.
// Whether the platform may have the request is decided by one fact: had it been handed to a connected socket.
import type { Dispatcher } from 'undici';
import type { HttpResult } from '../../core/ports/transport.ts';

/** Bytes of an answer that are kept. */
const RESPONSE_MAX_BYTES = 65_536;
const decoder = new TextDecoder();

const EMPTY = Buffer.alloc(0);

type FailureCode = Extract<HttpResult, { kind: 'failure' }>['code'];
type Headers = Readonly<Record<string, string | string[] | undefined>>;

export class Exchange implements Dispatcher.DispatchHandler {
  readonly result: Promise<HttpResult>;
  readonly #settle: (result: HttpResult) => void;
  readonly #timer: NodeJS.Timeout;
  readonly #timeoutMs: number;
  readonly #chunks: Buffer[] = [];
  #controller: Dispatcher.DispatchController | undefined;
  #over = false;
  #sizeBytes = 0;
  #status = 0;
  #headers: Readonly<Record<string, string>> = {};

  constructor(timeoutMs: number) {
    const { promise, resolve } = Promise.withResolvers<HttpResult>();
    this.result = promise;
    this.#settle = resolve;
    this.#timeoutMs = timeoutMs;
    this.#timer = setTimeout(() => this.#expire(), timeoutMs);
  }

  /** The request is about to be written to a connected socket. */
  onRequestStart(controller: Dispatcher.DispatchController): void {
    // Given up while it waited: aborting here keeps it off the wire.
    if (this.#over) controller.abort(new Error('given up before sending'));
    else this.#controller = controller;
  }

  onResponseStart(_controller: Dispatcher.DispatchController, status: number, headers: Headers): void {
    // 1xx answers announce the real one.
    if (status < 200) return;
    this.#status = status;
    this.#headers = flat(headers);
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.#over) return;
    const room = RESPONSE_MAX_BYTES - this.#sizeBytes;
    this.#chunks.push(chunk.byteLength > room ? chunk.subarray(0, room) : chunk);
    this.#sizeBytes += chunk.byteLength;
    if (this.#sizeBytes <= RESPONSE_MAX_BYTES) return;
    this.#end({ ...this.#response(), truncated: true });
    controller.abort(new Error('the answer is larger than what is kept'));
  }

  onResponseEnd(): void {
    this.#end(this.#response());
  }

  onResponseError(_controller: Dispatcher.DispatchController | undefined, error: Error): void {
    this.fail(error);
  }

  /** No answer will come. */
  fail(error: Error): void {
    const { code, message } = describe(error);
    this.#end({ kind: 'failure', code, maybeDelivered: this.#controller !== undefined, message });
  }

  #expire(): void {
    const message = `no answer within ${this.#timeoutMs} ms`;
    this.#end({ kind: 'failure', code: 'timeout', maybeDelivered: this.#controller !== undefined, message });
    this.#controller?.abort(new Error(message));
  }

  #end(result: HttpResult): void {
    if (this.#over) return;
    this.#over = true;
    clearTimeout(this.#timer);
    this.#settle(result);
  }

  #response(): Extract<HttpResult, { kind: 'response' }> {
    const [only = EMPTY, ...more] = this.#chunks;
    const body = decoder.decode(more.length === 0 ? only : Buffer.concat(this.#chunks));
    return { kind: 'response', status: this.#status, headers: this.#headers, body };
  }
}

function flat(headers: Headers): Record<string, string> {
  const out: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers))
    if (value !== undefined) out[name.toLowerCase()] = Array.isArray(value) ? value.join(', ') : value;
  return out;
}

const CODES: Readonly<Record<string, FailureCode>> = {
  ERR_BLOCKED_ADDRESS: 'blocked',
  UND_ERR_CONNECT_TIMEOUT: 'timeout',
  UND_ERR_HEADERS_TIMEOUT: 'timeout',
  UND_ERR_BODY_TIMEOUT: 'timeout',
  ETIMEDOUT: 'timeout',
  UND_ERR_SOCKET: 'reset',
  ECONNRESET: 'reset',
  EPIPE: 'reset',
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: 'reset',
  ECONNREFUSED: 'refused',
  EHOSTUNREACH: 'refused',
  ENETUNREACH: 'refused',
  EADDRNOTAVAIL: 'refused',
  ENOTFOUND: 'dns',
  EAI_AGAIN: 'dns',
  EAI_FAIL: 'dns',
  UND_ERR_ABORTED: 'aborted',
  UND_ERR_CLOSED: 'aborted',
  UND_ERR_DESTROYED: 'aborted',
};
const TLS = /^(?:ERR_TLS_|ERR_SSL_|CERT_|UNABLE_TO_|DEPTH_ZERO_|SELF_SIGNED_|HOSTNAME_MISMATCH|EPROTO)/;

/** Several addresses tried in vain come as one error around the others. */
function describe(error: Error): { readonly code: FailureCode; readonly message: string } {
  const first = error instanceof AggregateError ? (error.errors[0] as Error | undefined) : undefined;
  const inner = first ?? error;
  const name = String((inner as NodeJS.ErrnoException).code ?? '');
  const code = CODES[name] ?? (TLS.test(name) ? 'tls' : 'other');
  return { code, message: inner.message === '' ? name : inner.message };
}
