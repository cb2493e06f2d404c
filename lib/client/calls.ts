// What each route takes and answers, as types of its schemas: nothing of it is left at run time.
import type { z } from 'zod';
import type { StreamEvent, Success } from '../core/http/handler.ts';
import type { Route } from '../core/http/route.ts';

/** Query values as they are written: numbers may stay numbers. */
type Loose<T> = { [K in keyof T]: T[K] extends string | undefined ? T[K] | number : T[K] };
type Nothing = Record<never, unknown>;
type InputOf<Schema> = Schema extends z.ZodType ? z.input<Schema> : Nothing;

/** Absent where the route takes nothing of the kind, optional where it asks for nothing. */
type Part<Name extends string, Value> = [keyof Value] extends [never]
  ? Nothing
  : Nothing extends Value
    ? { readonly [N in Name]?: Value }
    : { readonly [N in Name]: Value };

type IdempotencyKey<R extends Route> = R['idempotent'] extends true
  ? { readonly 'idempotency-key'?: string }
  : Nothing;
type ContentType<R extends Route> = R['bodyTypes'] extends readonly (infer Type)[]
  ? { readonly 'content-type'?: Type }
  : Nothing;

/** Bytes go out as they are, everything else as JSON. */
type Body<R extends Route> = R['rawBody'] extends true
  ? { readonly body: string | Uint8Array<ArrayBuffer> }
  : R['body'] extends z.ZodType
    ? { readonly body: z.input<R['body']> }
    : Nothing;

export type ClientInput<R extends Route> = Part<'params', InputOf<R['params']>> &
  Part<'query', Loose<InputOf<R['query']>>> &
  Part<'headers', InputOf<R['headers']> & IdempotencyKey<R> & ContentType<R>> &
  Body<R>;

/** Events as they come; whoever stops reading, or aborts, ends the request. */
export interface ClientStream<R extends Route> {
  readonly status: 200;
  readonly stream: AsyncIterable<StreamEvent<R>>;
}

type Answer<R extends Route> = R['stream'] extends object ? ClientStream<R> : Success<R>;

export interface CallOptions {
  /** Ends the request, its stream included; the promise rejects with the signal's reason. */
  readonly signal?: AbortSignal;
  /** Instead of the client's. */
  readonly tries?: number;
}

export type ClientOf<Routes extends Route> = {
  readonly [R in Routes as R['id']]: Nothing extends ClientInput<R>
    ? (input?: ClientInput<R>, options?: CallOptions) => Promise<Answer<R>>
    : (input: ClientInput<R>, options?: CallOptions) => Promise<Answer<R>>;
};

/** A call as the code sees it that knows no route. */
export interface AnyInput {
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, unknown>>;
  readonly headers?: Readonly<Record<string, string | undefined>>;
  readonly body?: unknown;
}
