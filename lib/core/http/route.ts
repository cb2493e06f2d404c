// HTTP as data. A route says everything a caller may know; servers, OpenAPI, the typed client and the
// docs fold from it. Nothing about HTTP is declared anywhere else.
import type { ZodType } from 'zod';
import type { Right } from '../tenancy/role.ts';
import type { ErrorCode } from './errors.ts';

/**
 * `key`: API key with the scope, of the product's own list. `session`: JWT of a member whose role has the right; `anyone`: of
 * whoever is signed in, a member or not; `by_scope`: of a member whose rights bring the scope in `key`. Both may be allowed.
 */
export interface RouteAuth {
  /** `*`: any key of the product, whatever its scopes. */
  readonly key?: string;
  /**
   * The one header a key comes in, as it is. One that is sent decides alone: where it is not valid, no session helps.
   * Absent: keys come as `Authorization: Bearer`, as sessions do.
   */
  readonly keyHeader?: 'x-api-key';
  /** The key may also come as the user name of HTTP Basic, without a password. */
  readonly basic?: true;
  readonly session?: 'anyone' | 'by_scope' | Right;
}

export const ANY_SCOPE = '*';

/**
 * Which web pages may call a route from a browser. `any`: every page; such a route takes no credential. `listed`: pages of
 * the origins that the deployment lists. Absent: none.
 */
export type Cors = 'any' | 'listed';

/** `Code`: of the product's table of errors. `Part`: the deployable that answers, and a tag of the document. */
export interface Route<Code extends string = string, Part extends string = string> {
  readonly id: string;
  readonly part: Part;
  readonly method: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE';
  /** `/v1/events/:id` */
  readonly path: string;
  /** Other paths that answer as this one does, for clients that have them built in. Not in the documentation. */
  readonly aliases?: readonly string[];
  readonly summary: string;
  /** For the documentation, which adds it: a function that starts does not carry it. */
  readonly description?: string;
  /** `public` needs no credential. */
  readonly auth: 'public' | RouteAuth;
  readonly params?: ZodType;
  readonly query?: ZodType;
  /** Of the headers that the route reads, lowercase. Others are let through unseen. */
  readonly headers?: ZodType;
  /** With `rawBody`: what the bytes are to hold, for the documentation only. */
  readonly body?: ZodType;
  /** The handler gets the bytes as they were sent and reads them itself: signatures, CSV, forms. */
  readonly rawBody?: true;
  /** Status → schema of the JSON body (null: no body). */
  readonly replies: Readonly<Record<number, ZodType | null>>;
  /** Every error code the route can answer, beside those all routes share. */
  readonly errors: readonly Code[];
  /** Sentences of this route in the place of the catalogue's: `not_found` → "Note not found". */
  readonly texts?: Readonly<Partial<Record<Code, string>>>;
  /** Calls of one credential in a window of 60 seconds; any number where absent. */
  readonly rateLimit?: CallLimit;
  readonly cors?: Cors;
  /** Changes nothing although it is no GET: it leaves no entry in the audit trail. */
  readonly readOnly?: true;
  /** Largest body taken, inflated; 1 MiB where absent. */
  readonly bodySizeMaxBytes?: number;
  /** Media types a body may come in; `application/json` only where absent. What is inside is JSON, unless `rawBody`. */
  readonly bodyTypes?: readonly string[];
  /** What the body is said to come in is not looked at, for clients that say anything: it is read as strictly as ever. */
  readonly anyBodyType?: true;
  /** Media type of the replies below 400; JSON where absent. The body is then text or bytes and goes out as it is. */
  readonly replyType?: string;
  /** Headers of the replies below 400 beside those of every answer: lowercase name → what it says. */
  readonly replyHeaders?: Readonly<Record<string, string>>;
  /** Status 200 is `text/event-stream`: name of an event → schema of its data. */
  readonly stream?: { readonly events: Readonly<Record<string, ZodType>> };
  /** What a failure says beside `error`, `code` and `details`: an object's properties stand beside them. */
  readonly failureExtras?: Readonly<Partial<Record<Code, ZodType>>>;
  /** For the documentation: checked against the schemas by a test. */
  readonly examples?: RouteExamples;
  /** `Idempotency-Key` is honoured: a repeated request gets the first one's answer and does nothing. */
  readonly idempotent?: true;
}

export interface CallLimit {
  readonly perMinute: number;
  /**
   * Calls that look through many rows count for the whole merchant as well, those of all such routes together: every call, or
   * those that name one of these query parameters.
   */
  readonly scans?: { readonly perMinute: number; readonly where?: readonly string[] };
}

export interface RouteExamples {
  /** Name of a parameter of the path → what it was. */
  readonly params?: Readonly<Record<string, string>>;
  /** The same of the query. */
  readonly query?: Readonly<Record<string, string>>;
  /** Name → body of a request. */
  readonly request?: Readonly<Record<string, unknown>>;
  /** Status → name → body of the reply. */
  readonly replies?: Readonly<Record<number, Readonly<Record<string, unknown>>>>;
  /** Name → the events of a stream, from its first to its last. */
  readonly streams?: Readonly<Record<string, readonly { readonly event: string; readonly data: unknown }[]>>;
}

export const BODY_SIZE_MAX_BYTES = 1_048_576;

const JSON_ONLY = ['application/json'];

export const bodyTypesOf = (route: Route): readonly string[] => route.bodyTypes ?? JSON_ONLY;

/** For routes that answer no codes but those that products have in common. */
export function defineRoute<const R extends Route<ErrorCode>>(route: R): R {
  return route;
}

/**
 * The routes with the path of this request, whatever its method. `path` may end in a query. What is spelled out goes before
 * what may be anything, as in OpenAPI: `/v1/members/invitations` is no `/v1/members/:id`, for no method.
 */
export function routesAt<R extends Route>(routes: readonly R[], path: string): readonly R[] {
  const given = (path.split(/[?#]/, 1)[0] ?? '').split('/');
  const fitting = routes.filter((route) => {
    const parts = route.path.split('/');
    return parts.length === given.length && parts.every((part, i) => fitsPart(part, given[i] ?? ''));
  });
  const paramsMin = Math.min(...fitting.map(paramsOf));
  return fitting.filter((route) => paramsOf(route) === paramsMin);
}

const paramsOf = ({ path }: Route): number => path.split('/:').length - 1;

const fitsPart = (part: string, given: string): boolean =>
  part.startsWith(':') ? given !== '' : part === given;

/** What `Allow` says about routes of one path, sorted. */
export function methodsOf(routes: readonly Route[]): readonly string[] {
  const methods = routes.flatMap(({ method, cors }) => [
    method,
    ...(method === 'GET' ? ['HEAD'] : []),
    ...(cors === undefined ? [] : ['OPTIONS']),
  ]);
  return [...new Set(methods)].sort();
}
