// Lambda's response streaming: the global that functions find, and what becomes of what they write. The head comes first in
// the stream, as JSON and eight NULs (https://docs.aws.amazon.com/lambda/latest/dg/config-rs-write-functions.html).
// Guarantees: the client's speed is the function's; a client that leaves closes the stream. Real Lambda does not promise the
// latter: a function there may run on to its timeout.
import type { ServerResponse } from 'node:http';
import { Writable } from 'node:stream';
import type { LambdaStreaming, StreamingHandler } from '#lib/adapters/fastify/lambda-streaming.ts';

/** What the runtime marks such handlers with. */
const STREAMING = Symbol.for('aws.lambda.runtime.handler.streaming');
const DELIMITER = Buffer.alloc(8);

/** Functions that are set up while this is the global `awslambda` answer by stream. */
export const LOCAL_STREAMING: LambdaStreaming = {
  streamifyResponse: (handler) => Object.assign(handler, { [STREAMING]: 'response' }),
  HttpResponseStream: {
    from: (response, head) => {
      response.setContentType('application/vnd.awslambda.http-integration-response');
      (response as FunctionStream).onBeforeFirstWrite = (write) => {
        write(Buffer.from(JSON.stringify(head)));
        write(DELIMITER);
      };
      return response;
    },
  },
};

/** Sets functions up as the runtime would. */
export async function withLocalStreaming<T>(load: () => Promise<T>): Promise<T> {
  const scope = globalThis as { awslambda?: object };
  // The AWS SDK keeps something of its own there: it is added to, not replaced.
  const { awslambda: found = {} } = scope;
  scope.awslambda = Object.assign(found, LOCAL_STREAMING);
  try {
    return await load();
  } finally {
    for (const name of Object.keys(LOCAL_STREAMING)) Reflect.deleteProperty(found, name);
  }
}

export function isStreaming(handler: unknown): handler is StreamingHandler {
  return typeof handler === 'function' && STREAMING in handler;
}

/** What a function writes its answer to, as Lambda gives it one. */
export abstract class FunctionStream extends Writable {
  onBeforeFirstWrite: ((write: (bytes: Buffer) => void) => void) | undefined;
  #isWritten = false;

  setContentType(_type: string): void {
    if (this.#isWritten) throw new Error('Cannot set content-type, too late.');
  }

  override write(...given: unknown[]): boolean {
    if (!this.#isWritten) {
      this.#isWritten = true;
      this.onBeforeFirstWrite?.((bytes) => void super.write(bytes));
    }
    return super.write(...(given as [Buffer]));
  }
}

/** Hands the answer to an HTTP client as it is written. */
export class ResponseStream extends FunctionStream {
  readonly #response: ServerResponse;
  /** Bytes of the head, until it is whole; null from then on. */
  #head: Buffer | null = Buffer.alloc(0);

  constructor(response: ServerResponse) {
    super({ decodeStrings: true, highWaterMark: 16_384 });
    this.#response = response;
    response.once('close', () => {
      if (!this.writableFinished) this.destroy();
    });
  }

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: (error?: Error | null) => void): void {
    const body = this.#head === null ? chunk : this.#readHead(Buffer.concat([this.#head, chunk]));
    // A body of nothing would end the chunked answer that it is a part of.
    if (body.byteLength === 0 || this.#response.write(body)) done();
    else this.#response.once('drain', () => done());
  }

  override _final(done: (error?: Error | null) => void): void {
    this.#response.end(() => done());
  }

  /** What is left of the bytes once the head is whole and sent. */
  #readHead(bytes: Buffer): Buffer {
    this.#head = bytes;
    const end = bytes.indexOf(DELIMITER);
    if (end === -1) return Buffer.alloc(0);
    this.#head = null;
    const { statusCode, headers, cookies } = JSON.parse(bytes.toString('utf8', 0, end)) as {
      statusCode: number;
      headers: Record<string, string>;
      cookies?: string[];
    };
    this.#response.writeHead(statusCode, {
      ...headers,
      ...(cookies === undefined ? {} : { 'set-cookie': cookies }),
    });
    this.#response.flushHeaders();
    return bytes.subarray(end + DELIMITER.byteLength);
  }
}
