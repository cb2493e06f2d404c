// Calls of an SDK's client that go to an emulator in the same process as calls of functions. Everything but the socket and the
// signature is as it is over HTTP: what is sent and answered is the same text. Two ends of a socket are a third of the processor that a
// run of some hundred thousand calls takes, and a signature, which no emulator checks, is a tenth.
import { EventEmitter } from 'node:events';
import type { Server } from 'node:http';

export interface DirectRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: Record<string, string>;
  readonly body: Buffer;
}

export interface DirectAnswer {
  readonly statusCode: number;
  readonly headers: object;
  readonly body: Uint8Array;
}

interface Client {
  readonly config: { requestHandler: unknown; signer: unknown };
}

/** What emulators ask for: a header of this form, and the region that is in it. */
const SIGNED = {
  authorization:
    'AWS4-HMAC-SHA256 Credential=local/20260101/us-east-1/emulator/aws4_request, SignedHeaders=host, Signature=0',
  'x-amz-date': '20260101T000000Z',
};
const unsigned = {
  sign: async (request: { readonly headers: Record<string, string> }) => {
    Object.assign(request.headers, SIGNED);
    return request;
  },
};

/** From now on `answer` answers the client's requests. Its own connections are closed. */
export function callDirectly(
  client: Client,
  answer: (request: DirectRequest) => Promise<DirectAnswer>,
): void {
  const { requestHandler } = client.config as { readonly requestHandler: { destroy(): void } };
  requestHandler.destroy();
  client.config.signer = async () => unsigned;
  client.config.requestHandler = {
    handle: async ({ body, ...request }: DirectRequest) => ({
      // As a view: a copy would be made of it as text, of which the SDK warns.
      response: await answer({
        ...request,
        body: Buffer.from(body.buffer, body.byteOffset, body.byteLength),
      }),
    }),
    destroy: () => undefined,
  };
}

/** Of a server whose listener reads a request by its events and answers by one `end`. */
export function answerOf(
  server: Server,
  { method, path, headers, body }: DirectRequest,
): Promise<DirectAnswer> {
  return new Promise((resolve) => {
    const request = Object.assign(new EventEmitter(), { method, url: path, headers });
    const sent: Record<string, string> = {};
    const response = {
      statusCode: 200,
      setHeader: (name: string, value: unknown) => {
        sent[name.toLowerCase()] = String(value);
      },
      end(text = '') {
        resolve({ statusCode: this.statusCode, headers: sent, body: Buffer.from(text) });
      },
    };
    server.emit('request', request, response);
    request.emit('data', body);
    request.emit('end');
  });
}
