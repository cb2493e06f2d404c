// What stands behind a route, typed by the route: what it is given and what it may answer.
import type { z } from 'zod';
import type { Caller, SignedIn } from '../tenancy/caller.ts';
import type { ErrorCode, ErrorDetail } from './errors.ts';
import type { Route } from './route.ts';

type Output<Schema> = Schema extends z.ZodType ? z.output<Schema> : undefined;

/** One request that was routed, authorized and validated. */
export interface Call<R extends Route = Route> {
  readonly params: Output<R['params']>;
  readonly query: Output<R['query']>;
  /** The headers that the route names; lowercase. */
  readonly headers: Output<R['headers']>;
  /** Undefined where the route takes the bytes. */
  readonly body: R['rawBody'] extends true ? undefined : Output<R['body']>;
  /** The body as it was sent, inflated where it came compressed; only where the route says `rawBody`. */
  readonly bytes: R['rawBody'] extends true ? Uint8Array : undefined;
  /** Null on public routes. */
  readonly caller: R['auth'] extends 'public'
    ? null
    : R['auth'] extends { readonly session: 'anyone' }
      ? SignedIn
      : Caller;
  readonly requestId: string;
  /** Whom the connection came from. Absent of a client that has left meanwhile, and where one of our own asks. */
  readonly clientIp?: string | undefined;
  /** As the client calls itself, of any length. */
  readonly userAgent?: string | undefined;
  /**
   * Of a request with an Idempotency-Key: a UUIDv7 that all its attempts have in common. One of them may have died, its work done:
   * ids that are made from it meet what that one left.
   */
  readonly idRoot?: string | undefined;
  /** Aborts when the client leaves before its answer is whole. */
  readonly signal: AbortSignal;
}

type HeadersOf<R extends Route> =
  R['replyHeaders'] extends Readonly<Record<string, string>>
    ? { readonly [Name in keyof R['replyHeaders']]?: string }
    : undefined;

type ExtrasOf<R extends Route> =
  R['failureExtras'] extends Readonly<Record<string, z.ZodType>> ? R['failureExtras'] : Record<never, never>;

/** The request is refused for one value of it. */
export const refuse = (path: string, message: string): Failure<'invalid_request'> => ({
  failure: 'invalid_request',
  details: [{ path, message }],
});

/** An answer of the catalogue. `extra` goes into the body beside `error` and `code`, as `failureExtras` declares it. */
export type Failure<Code extends string = ErrorCode, Extras = Record<never, never>> =
  | (Refusal & { readonly failure: Exclude<Code, keyof Extras>; readonly extra?: undefined })
  | {
      readonly [C in Code & keyof Extras]: Refusal & {
        readonly failure: C;
        readonly extra: Output<Extras[C]>;
      };
    }[Code & keyof Extras];

interface Refusal {
  readonly details?: readonly ErrorDetail[];
  readonly headers?: Readonly<Record<string, string>>;
}

export type Success<R extends Route = Route> = {
  readonly [Status in keyof R['replies'] & number]: {
    readonly status: Status;
    readonly body: Output<R['replies'][Status]>;
    readonly headers?: HeadersOf<R>;
  };
}[keyof R['replies'] & number];

/** One server-sent event. */
export type StreamEvent<R extends Route> =
  R['stream'] extends Readonly<{ events: infer Events }>
    ? {
        readonly [Name in keyof Events & string]: {
          readonly event: Name;
          readonly data: Output<Events[Name]>;
          /** What the client sends as `last-event-id` when it comes back. */
          readonly id?: string;
        };
      }[keyof Events & string]
    : never;

/**
 * Events until the iterator ends. Its `return` is called when the client leaves: a generator's `finally` runs. What it
 * throws after the first event becomes an event `error`.
 */
export type StreamAnswer<R extends Route> =
  R['stream'] extends Readonly<{ events: unknown }>
    ? {
        readonly status: 200;
        readonly stream: AsyncIterable<StreamEvent<R>>;
        readonly headers?: HeadersOf<R>;
      }
    : never;

export type Handler<R extends Route = Route> = (
  call: Call<R>,
) => Promise<Success<R> | StreamAnswer<R> | Failure<R['errors'][number] | 'invalid_request', ExtrasOf<R>>>;

/** One handler for each route of a union. */
export type Handlers<Routes extends Route> = { readonly [R in Routes as R['id']]: Handler<R> };

/** What any handler is given and answers, for those who carry requests and know no route. */
export interface AnyCall extends Omit<Call, 'bytes' | 'caller'> {
  readonly bytes: Uint8Array | undefined;
  readonly caller: Caller | null;
}
export interface AnyStreamEvent {
  readonly event: string;
  readonly data: unknown;
  readonly id?: string;
}
export interface AnySuccess {
  readonly status: number;
  readonly body: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}
export interface AnyStream {
  readonly status: 200;
  readonly stream: AsyncIterable<AnyStreamEvent>;
  readonly headers?: Readonly<Record<string, string>>;
}
export interface AnyFailure {
  readonly failure: string;
  readonly details?: readonly ErrorDetail[];
  readonly headers?: Readonly<Record<string, string>>;
  readonly extra?: Readonly<Record<string, unknown>>;
}
export type AnyHandler = (call: AnyCall) => Promise<AnySuccess | AnyStream | AnyFailure>;
