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
  /** Not sent: for the log line of the request. */
  readonly facts?: RequestFacts;
}

/** What an application knows of a request it answers: ids, figures and words of ours, and nothing that a person sent. */
export interface RequestFacts {
  /** The pattern, such as `/v1/events/:id`; absent where there is no such route. */
  readonly route?: string | undefined;
  /** Of a refusal. */
  readonly code?: string | undefined;
  readonly merchant?: string | undefined;
  /** Id of the API key. */
  readonly key?: string | undefined;
  /** Made for the event of a request that names none. */
  readonly trace?: string | undefined;
  readonly events?: EventTally | undefined;
}

export interface EventTally {
  readonly accepted: number;
  readonly duplicates: number;
  readonly refused: number;
  /** Canonical names; a name of a merchant's own counts as `Custom`. */
  readonly names: Readonly<Record<string, number>>;
}

export interface AnsweredRequest extends RequestFacts {
  readonly requestId: string;
  /** The caller's span, where it names a trace. */
  readonly parent?: string | undefined;
  readonly method: string;
  readonly status: number;
  readonly ms: number;
  readonly bytesIn: number;
  /** Absent where the answer is a stream. */
  readonly bytesOut?: number | undefined;
}

/** A whole HTTP application, hostable anywhere. */
export type HttpApp = (request: IncomingRequest) => Promise<Reply>;
