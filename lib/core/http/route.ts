// HTTP as data. A route says everything a caller may know; servers, OpenAPI, the typed client and the
// docs fold from it. Nothing about HTTP is declared anywhere else.
import type { ZodType } from 'zod';
import type { ApiKeyScope } from '../tenancy/api-key.ts';
import type { ErrorCode } from './errors.ts';

/** `key`: API key with the scope. `session`: JWT with at least the role. Both may be allowed. */
export interface RouteAuth {
  readonly key?: ApiKeyScope;
  readonly session?: 'member' | 'admin' | 'owner';
}

export interface Route {
  readonly id: string;
  readonly part: 'ingestion' | 'api';
  readonly method: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE';
  /** `/v1/events/:id` */
  readonly path: string;
  readonly summary: string;
  /** `public` needs no credential. */
  readonly auth: 'public' | RouteAuth;
  readonly params?: ZodType;
  readonly query?: ZodType;
  readonly body?: ZodType;
  /** Status → schema of the JSON body (null: no body). */
  readonly replies: Readonly<Record<number, ZodType | null>>;
  /** Every error code the route can answer, beside those all routes share. */
  readonly errors: readonly ErrorCode[];
  /** Largest body taken; 1 MiB where absent. */
  readonly bodySizeMaxBytes?: number;
  /** Media types a body may come in; `application/json` only where absent. What is inside is JSON always. */
  readonly bodyTypes?: readonly string[];
  /** Media type of the replies below 400; JSON where absent. */
  readonly replyType?: string;
}

export const BODY_SIZE_MAX_BYTES = 1_048_576;

export function defineRoute<const R extends Route>(route: R): R {
  return route;
}
