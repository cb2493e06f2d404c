// Emulators in this process: our clients of the SDK hand them requests as calls of a function. Everything but the socket and the
// signature, which no emulator checks, is as it is over HTTP: what is sent and answered is the same text. Two ends of a socket and
// a signature are half of what a local call takes of the processor.
import { prepareClients } from '#lib/adapters/aws-sdk/made-clients.ts';

export interface NearbyRequest {
  readonly method: string;
  /** Path with nothing after it. */
  readonly path: string;
  readonly headers: Record<string, string>;
  readonly body: Buffer;
}

export interface NearbyAnswer {
  readonly statusCode: number;
  readonly headers: object;
  readonly body: Uint8Array;
}

export type NearbyServer = (request: NearbyRequest) => Promise<NearbyAnswer>;

/** By host and port. */
const servers = new Map<string, NearbyServer>();

/**
 * From now on `serve` answers what clients that are made in this process ask at `url`. Returns what ends that: they use the socket
 * again.
 */
export function addNearbyServer(url: string, serve: NearbyServer): () => void {
  prepareClients((client) => findNearby(client as Client));
  const { host } = new URL(url);
  servers.set(host, serve);
  return () => void servers.delete(host);
}

interface SdkRequest extends Omit<NearbyRequest, 'body'> {
  readonly hostname: string;
  readonly port?: number | undefined;
  readonly body?: unknown;
}

interface Options {
  readonly abortSignal?: AbortSignal | undefined;
}

interface Handler {
  handle(request: SdkRequest, options?: Options): Promise<unknown>;
}

interface Signer {
  sign(request: SdkRequest, options: unknown): Promise<unknown>;
}

interface Client {
  readonly config: { requestHandler: unknown; signer: unknown };
}

/** It finds the servers of this process, those that are added later included. */
function findNearby({ config }: Client): void {
  const far = config.requestHandler as Handler;
  config.requestHandler = Object.assign(Object.create(far), {
    handle: (request: SdkRequest, options?: Options) => {
      const serve = serverOf(request);
      return serve === undefined ? far.handle(request, options) : called(serve, request, options);
    },
  });
  const signerOf = config.signer as (...scheme: unknown[]) => Promise<Signer>;
  config.signer = async (...scheme: unknown[]): Promise<Signer> => ({
    sign: async (request, options) =>
      serverOf(request) === undefined
        ? await (await signerOf(...scheme)).sign(request, options)
        : Object.assign(request, { headers: { ...request.headers, ...SIGNED } }),
  });
}

const serverOf = ({ hostname, port }: SdkRequest): NearbyServer | undefined =>
  servers.get(`${hostname}:${port}`);

/** What emulators ask for: a header of this form, and the region that is in it. */
const SIGNED = {
  authorization:
    'AWS4-HMAC-SHA256 Credential=local/20260101/us-east-1/emulator/aws4_request, SignedHeaders=host, Signature=0',
  'x-amz-date': '20260101T000000Z',
};

async function called(
  serve: NearbyServer,
  { method, path, headers, body }: SdkRequest,
  { abortSignal }: Options = {},
): Promise<{ readonly response: NearbyAnswer }> {
  abortSignal?.throwIfAborted();
  const answering = serve({ method, path, headers, body: bytesOf(body) });
  if (abortSignal === undefined) return { response: await answering };
  let abort = (): void => undefined;
  const aborted = new Promise<never>((_resolve, reject) => {
    abort = () => reject(abortSignal.reason);
    abortSignal.addEventListener('abort', abort);
  });
  try {
    return { response: await Promise.race([answering, aborted]) };
  } finally {
    abortSignal.removeEventListener('abort', abort);
  }
}

/** A view, not a copy. */
function bytesOf(body: unknown): Buffer {
  if (body instanceof Uint8Array) return Buffer.from(body.buffer, body.byteOffset, body.byteLength);
  return Buffer.from(typeof body === 'string' ? body : '');
}
