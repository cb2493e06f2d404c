// Response streaming as the managed Node runtime offers it: a global that is there in Lambda and nowhere else, unless an
// emulation puts it there (https://docs.aws.amazon.com/lambda/latest/dg/config-rs-write-functions.html, read 2026-11-22).
import type { Writable } from 'node:stream';

/** Takes bytes at the speed of the client; closes when nobody takes them any more. */
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

/** Undefined where answers go out in one piece. The AWS SDK makes a global of this name too, without these in it. */
export function lambdaStreaming(): LambdaStreaming | undefined {
  const { awslambda } = globalThis as { awslambda?: Partial<LambdaStreaming> };
  const { streamifyResponse, HttpResponseStream } = awslambda ?? {};
  return streamifyResponse === undefined || HttpResponseStream === undefined
    ? undefined
    : { streamifyResponse, HttpResponseStream };
}
