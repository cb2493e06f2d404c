// Response streaming as the managed Node runtime offers it: a global that exists only in Lambda, or in an emulation
// (https://docs.aws.amazon.com/lambda/latest/dg/config-rs-write-functions.html, read 2026-11-22).
import type { Writable } from 'node:stream';

/** Takes bytes at the speed of the client; closes when the client has left. */
export type LambdaResponseStream = Writable & { setContentType(type: string): void };

export interface FunctionContext {
  readonly getRemainingTimeInMillis?: () => number;
}

export type StreamingHandler = (
  event: unknown,
  response: LambdaResponseStream,
  context?: FunctionContext,
) => Promise<void>;

export interface LambdaStreaming {
  readonly streamifyResponse: (handler: StreamingHandler) => unknown;
  readonly HttpResponseStream: {
    readonly from: (
      response: LambdaResponseStream,
      head: {
        readonly statusCode: number;
        readonly headers: Readonly<Record<string, string>>;
        readonly cookies?: readonly string[];
      },
    ) => LambdaResponseStream;
  };
}

/** Undefined if answers are sent in one piece. The AWS SDK creates a global of this name too, without these members. */
export function lambdaStreaming(): LambdaStreaming | undefined {
  const { awslambda } = globalThis as { awslambda?: Partial<LambdaStreaming> };
  const { streamifyResponse, HttpResponseStream } = awslambda ?? {};
  return streamifyResponse === undefined || HttpResponseStream === undefined
    ? undefined
    : { streamifyResponse, HttpResponseStream };
}
