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
  readonly body: Output<R['body']>;
  /** Null on public routes. */
  readonly caller: R['auth'] extends 'public'
    ? null
    : R['auth'] extends { readonly session: 'anyone' }
      ? SignedIn
      : Caller;
  readonly requestId: string;
}

export interface Failure<Code extends ErrorCode = ErrorCode> {
  readonly failure: Code;
  readonly details?: readonly ErrorDetail[];
}

export type Success<R extends Route = Route> = {
  readonly [Status in keyof R['replies'] & number]: {
    readonly status: Status;
    readonly body: Output<R['replies'][Status]>;
  };
}[keyof R['replies'] & number];

export type Handler<R extends Route = Route> = (
  call: Call<R>,
) => Promise<Success<R> | Failure<R['errors'][number] | 'invalid_request'>>;

/** One handler for each route of a union. */
export type Handlers<Routes extends Route> = { readonly [R in Routes as R['id']]: Handler<R> };
