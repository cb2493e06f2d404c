// The contract as a Fastify application. Guarantees: a route is reached only by the caller, with the parameters and the
// body that the contract allows; every answer is JSON, failures in the style of the product; X-Request-Id always.
// Refuses: 404 unknown path, 405 + Allow known path with another method, 401, 403, 429 too many calls, 415 other
// content, 413 too much of it, 400 JSON that is not strict. Internal failures are reported and answered with 500 or 503
// without details.
import { randomUUID } from 'node:crypto';
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import { corsHeaders, corsOf, preflightHeaders } from '../../core/http/cors.ts';
import { credentialIn, MERCHANT_HEADER, merchantIn } from '../../core/http/credential.ts';
import type { AnyHandler, Handlers } from '../../core/http/handler.ts';
import type { AnsweredRequest } from '../../core/http/http-message.ts';
import type { IdempotencyParts } from '../../core/http/idempotency.ts';
import { issueText, plainIssueText } from '../../core/http/issue-text.ts';
import type { FailureFormat, SaidOfFailure } from '../../core/http/plain-failures.ts';
import { REPLY_HEADERS, requestIdOf, serverTiming, sizeDetails } from '../../core/http/request-rules.ts';
import { BODY_SIZE_MAX_BYTES, methodsOf, type Route, routesAt } from '../../core/http/route.ts';
import {
  type Caller,
  isAllowed,
  lackOf,
  type MerchantName,
  type Stranger,
  type Suspended,
} from '../../core/tenancy/caller.ts';
import { answerRequest } from './answer-request.ts';
import { answeredRequest } from './answered-request.ts';
import { type CallLimitParts, type CallLimits, callLimitsOf } from './call-limits.ts';
import { codeOf, failuresOf, saidOf } from './failures.ts';
import { onceOf } from './idempotent-requests.ts';
import { readBodies, refuseBody } from './read-body.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    readonly route?: Route;
    readonly rawBody?: boolean;
    /** Keep the raw bytes of the body beside the parsed one. */
    readonly keepsBytes?: boolean;
  }
}

export interface HttpAppParts<Routes extends Route> {
  readonly routes: readonly Routes[];
  readonly handlers: Handlers<Routes>;
  /**
   * The caller of this `Authorization` header, or of this key in the header that the route names: at most one is given,
   * and a key takes precedence. Null if it proves nothing, a stranger if it proves a person unknown here. `merchant`: for
   * whom a person acts.
   */
  readonly authenticate: (
    authorization: string | undefined,
    key: string | undefined,
    merchant: string | undefined,
  ) => Promise<Caller | Stranger | Suspended | null>;
  readonly failures: FailureFormat;
  /** Refuses repeated query parameters; absent: schemas decide. */
  readonly queryOnce?: true;
  /** Body fields that are refused with these texts, because callers would believe that they were accepted. */
  readonly refusedFields?: Readonly<Record<string, string>>;
  /** Required if a route has a `rateLimit`. */
  readonly limits?: CallLimitParts;
  /** Origins of the pages that may call routes with `cors: 'listed'`. */
  readonly origins: readonly string[];
  /** Required if a route is `idempotent`. */
  readonly idempotency?: Omit<IdempotencyParts, 'errors' | 'report'>;
  /** Called for every call of a member or a key that is refused with 403, before it is answered. */
  readonly denied?: (denial: DeniedCall) => Promise<void>;
  /** Called for every request when its answer begins. */
  readonly answered?: (request: AnsweredRequest) => void;
  /** Called for every answer of 500 and above. */
  readonly report: (problem: string, error: unknown, context: { readonly requestId: string }) => void;
}

export interface DeniedCall {
  readonly route: Route;
  readonly caller: Caller;
  readonly requestId: string;
  readonly clientIp: string | undefined;
  readonly userAgent: string | undefined;
}

/** Ids of events have up to 231 characters of up to 4 bytes, each percent-encoded. */
const PARAM_MAX_CHARS = 2_800;

export function createHttpApp<Routes extends Route>(parts: HttpAppParts<Routes>): FastifyInstance {
  const sendFailure = failuresOf(parts.failures);
  const app = Fastify({
    logger: false,
    // Schemas are zod's. These stubs keep Fastify from loading its own compilers, a third of its start time.
    schemaController: { compilersFactory: { buildValidator: noCompiler, buildSerializer: noCompiler } },
    bodyLimit: BODY_SIZE_MAX_BYTES,
    routerOptions: { maxParamLength: PARAM_MAX_CHARS },
    genReqId: ({ headers }) => requestIdOf(headers['x-request-id'] as string | undefined, randomUUID()),
    frameworkErrors: (error, request, reply) => {
      reply.headers({ ...REPLY_HEADERS, 'x-request-id': request.id });
      sendFailure(reply, codeOf(error));
      parts.answered?.(answeredRequest(request, reply, undefined, null));
      return reply;
    },
  });
  const refuseUnknown = (request: FastifyRequest, reply: FastifyReply): FastifyReply => {
    const routes = routesAt(parts.routes, request.url);
    if (routes.length === 0) return sendFailure(reply, 'route_not_found');
    if (request.method === 'OPTIONS' && corsOf(routes) !== undefined)
      return reply.code(204).headers(preflightHeaders(routes)).send();
    return sendFailure(reply.header('allow', methodsOf(routes).join(', ')), 'method_not_allowed');
  };
  // The router matches a literal path as a param if it is requested with another method; few paths have this.
  const ambiguous = new Set(
    parts.routes.filter((route) => hasRival(route, parts.routes)).map(({ path }) => path),
  );
  const isElsewhere = ({ url, routeOptions }: FastifyRequest): boolean =>
    ambiguous.has(routeOptions.url ?? '') &&
    routesAt(parts.routes, url).every(({ path }) => path !== routeOptions.url);
  app.addHook('onRequest', async (request, reply) => {
    const isUnknown = request.is404 || isElsewhere(request);
    const route = isUnknown ? undefined : request.routeOptions.config.route;
    const cors = isUnknown ? corsOf(routesAt(parts.routes, request.url)) : route?.cors;
    reply.headers({
      ...REPLY_HEADERS,
      ...corsHeaders(cors, request.headers.origin, parts.origins, route),
      'x-request-id': request.id,
    });
    // Before a body is read: unknown paths need no parsing.
    if (isUnknown) return refuseUnknown(request, reply);
  });
  const callers: Callers = new WeakMap();
  app.addHook('onSend', async (request, reply, payload) => {
    reply.header('server-timing', serverTiming(reply.elapsedTime));
    parts.answered?.(answeredRequest(request, reply, callers.get(request), payload));
  });
  app.setNotFoundHandler(refuseUnknown);
  readBodies(app, parts.routes);
  app.setErrorHandler((error, request, reply) => {
    const code = codeOf(error);
    const refuse = failuresOf(parts.failures, request.routeOptions.config?.route);
    if (code === 'internal_error' || code === 'unavailable') {
      parts.report(`${request.method} ${request.routeOptions.url} failed`, error, { requestId: request.id });
    }
    if (code === 'payload_too_large')
      return refuse(reply, code, {
        details: sizeDetails(request.routeOptions.bodyLimit ?? BODY_SIZE_MAX_BYTES),
      });
    return refuse(reply, code, saidOf(error));
  });
  const handlers: Readonly<Record<string, unknown>> = parts.handlers;
  const calls = callLimitsOf(parts.limits, parts.report);
  for (const route of parts.routes)
    addRoute(app, route, handlers[route.id] as AnyHandler, { ...parts, calls, callers });
  return app;
}

/** Whether another route has a literal where this one has a param. */
function hasRival({ path }: Route, routes: readonly Route[]): boolean {
  const parts = path.split('/');
  return routes.some((other) => {
    const others = other.path.split('/');
    return (
      other.path !== path &&
      others.length === parts.length &&
      parts.every((part, i) => part === others[i] || part.startsWith(':') || others[i]?.startsWith(':'))
    );
  });
}

function noCompiler(): never {
  throw new Error('routes carry no JSON Schema');
}

type Callers = WeakMap<FastifyRequest, Caller | Stranger>;
type RouteParts<Routes extends Route> = HttpAppParts<Routes> & {
  readonly calls: CallLimits;
  readonly callers: Callers;
};

function addRoute<Routes extends Route>(
  app: FastifyInstance,
  route: Route,
  handler: AnyHandler,
  { authenticate, calls, callers, report, ...parts }: RouteParts<Routes>,
): void {
  if (route.rateLimit !== undefined && parts.limits === undefined)
    throw new Error(`${route.id} has a rate limit, and nothing counts its calls`);
  const sendFailure = failuresOf(parts.failures, route);
  const once = onceOf(
    route,
    parts.idempotency && { ...parts.idempotency, errors: parts.failures.errors },
    report,
  );
  const words = parts.failures.style === 'plain' ? plainIssueText : issueText;
  const queryOnce = parts.queryOnce === true;
  const { refusedFields = {} } = parts;
  const answer = answerRequest(route, handler, {
    report,
    once,
    sendFailure,
    words,
    queryOnce,
    refusedFields,
    errors: parts.failures.errors,
  });
  const later = (reply: FastifyReply, seconds: number): FastifyReply =>
    sendFailure(reply, 'rate_limited', { headers: { 'retry-after': String(seconds) } });
  app.route({
    method: route.method,
    url: route.path,
    bodyLimit: route.bodySizeMaxBytes ?? BODY_SIZE_MAX_BYTES,
    config: {
      route,
      ...(route.rawBody === true ? { rawBody: true } : {}),
      ...(route.rawBody === true || route.idempotent === true ? { keepsBytes: true } : {}),
    },
    onRequest: async (request, reply) => {
      if (route.auth !== 'public') {
        const { authorization, key } = credentialIn(request.headers, route.auth);
        const caller = await authenticate(authorization, key, merchantIn(request.headers));
        if (caller === null) {
          // No credential was sent, so no attempt failed.
          const isTried = authorization !== undefined || key !== undefined;
          const waitSec = isTried ? await calls.countFailed(request) : null;
          return waitSec === null ? sendFailure(reply, 'unauthorized') : later(reply, waitSec);
        }
        if (caller.kind === 'suspended') return sendFailure(reply, 'merchant_suspended');
        if (!isAllowed(route.auth, caller)) {
          // A valid key of this product on a route that takes no keys.
          if (key !== undefined && route.auth.key === undefined) return sendFailure(reply, 'unauthorized');
          if (caller.kind === 'stranger' && caller.among !== undefined)
            return sendFailure(reply, 'merchant_required', saidOfChoice(caller.among));
          if (caller.kind !== 'stranger') await parts.denied?.(deniedCall(route, caller, request));
          const message = lackOf(route.auth, caller);
          return sendFailure(reply, 'forbidden', { details: [{ path: 'authorization', message }] });
        }
        callers.set(request, caller);
        const waitSec = await calls.countCall(route, caller, request, reply);
        if (waitSec !== null) return later(reply, waitSec);
      }
      return refuseBody(route, request, reply, sendFailure) ?? undefined;
    },
    // A stranger gets here only if the handler's type allows it, and no such route is idempotent.
    handler: (request, reply) => {
      const caller = callers.get(request) ?? null;
      const spender = caller?.kind === 'stranger' ? null : caller;
      const carryOut = async () => await answer(request, reply, caller as Caller | null);
      return calls.metered(spender, request.id, carryOut);
    },
  });
}

function saidOfChoice(merchants: readonly MerchantName[]): SaidOfFailure {
  const named = merchants.map(({ id, name }) => `${id} (${name})`).join(', ');
  return { extra: { merchants }, details: [{ path: MERCHANT_HEADER, message: `must name one of ${named}` }] };
}

const deniedCall = (route: Route, caller: Caller, request: FastifyRequest): DeniedCall => ({
  route,
  caller,
  requestId: request.id,
  clientIp: request.ip as string | undefined,
  userAgent: request.headers['user-agent'],
});
