// A request and a reply, independent of who carries them (Lambda function URL, Fastify, a test).

export interface IncomingRequest {
  readonly method: string;
  /** Without query string, undecoded. */
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
  /** Lowercase names; repeated headers joined with `,`. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
  /** From the platform's request context, never from a header the client can set. */
  readonly clientIp: string;
  readonly requestId: string;
}

export interface Reply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** A whole HTTP application, hostable anywhere. */
export type HttpApp = (request: IncomingRequest) => Promise<Reply>;
