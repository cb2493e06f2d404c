// The contract as a Fastify application. Guarantees: a route is reached only by the caller, with the parameters and the
// body that the contract allows; every answer is JSON, failures as {error, code, details?}; X-Request-Id always.
// Refuses: 404 unknown path, 405 + Allow known path with another method, 415 other content, 413 too much of it, 400
// JSON that is not strict. What fails inside is reported and answered 500 or 503 without a word about it.
import { randomUUID } from 'node:crypto';
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import { corsHeaders, corsOf, preflightHeaders } from '../../core/http/cors.ts';
import type { AnyHandler, Handlers } from '../../core/http/handler.ts';
import type { IdempotencyParts } from '../../core/http/idempotency.ts';
import { REPLY_HEADERS, requestIdOf, serverTiming, sizeDetails } from '../../core/http/request-rules.ts';
import { BODY_SIZE_MAX_BYTES, methodsOf, type Route, routesAt } from '../../core/http/route.ts';
import { type Caller, isAllowed, type Stranger } from '../../core/tenancy/caller.ts';
import { answerRequest } from './answer-request.ts';
import { codeOf, Refusal, sendFailure } from './failures.ts';
import { onceOf } from './idempotent-requests.ts';
import { readBodies, refuseBody } from './read-body.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    readonly cors?: Route['cors'];
    readonly rawBody?: boolean;
    /** The bytes of the body are kept beside what they say. */
    readonly keepsBytes?: boolean;
  }
}

export interface HttpAppParts<Routes extends Route> {
  readonly routes: readonly Routes[];
  readonly handlers: Handlers<Routes>;
  /** Who sent this `Authorization` header; null when it proves nothing, a stranger when it proves somebody unknown here. */
  readonly authenticate: (authorization: string | undefined) => Promise<Caller | Stranger | null>;
  /** Origins of the pages that may call routes with `cors: 'listed'`. */
  readonly origins: readonly string[];
  /** Needed where a route is `idempotent`. */
  readonly idempotency?: Omit<IdempotencyParts, 'report'>;
  /** Told of every answer of 500 and above. */
  readonly report: (problem: string, error: unknown, context: { readonly requestId: string }) => void;
}

/** Ids of events have up to 231 characters of up to 4 bytes, each percent-encoded. */
const PARAM_MAX_CHARS = 2_800;

export function createHttpApp<Routes extends Route>(parts: HttpAppParts<Routes>): FastifyInstance {
  const app = Fastify({
    logger: false,
    // Schemas are zod's. Naming these keeps Fastify from loading its own compilers, a third of its start.
    schemaController: { compilersFactory: { buildValidator: noCompiler, buildSerializer: noCompiler } },
    bodyLimit: BODY_SIZE_MAX_BYTES,
    routerOptions: { maxParamLength: PARAM_MAX_CHARS },
    genReqId: ({ headers }) => requestIdOf(headers['x-request-id'] as string | undefined, randomUUID()),
    frameworkErrors: (error, request, reply) => {
      reply.headers({ ...REPLY_HEADERS, 'x-request-id': request.id });
      return sendFailure(reply, codeOf(error));
    },
  });
  const refuseUnknown = (request: FastifyRequest, reply: FastifyReply): FastifyReply => {
    const routes = routesAt(parts.routes, request.url);
    if (routes.length === 0) return sendFailure(reply, 'route_not_found');
    if (request.method === 'OPTIONS' && corsOf(routes) !== undefined)
      return reply.code(204).headers(preflightHeaders(routes)).send();
    return sendFailure(reply.header('allow', methodsOf(routes).join(', ')), 'method_not_allowed');
  };
  app.addHook('onRequest', async (request, reply) => {
    const cors = request.is404
      ? corsOf(routesAt(parts.routes, request.url))
      : request.routeOptions.config.cors;
    reply.headers({
      ...REPLY_HEADERS,
      ...corsHeaders(cors, request.headers.origin, parts.origins),
      'x-request-id': request.id,
    });
    // Before a body is read: what nobody takes need not be understood.
    if (request.is404) return refuseUnknown(request, reply);
  });
  app.addHook('onSend', async (_request, reply) => {
    reply.header('server-timing', serverTiming(reply.elapsedTime));
  });
  app.setNotFoundHandler(refuseUnknown);
  readBodies(app, parts.routes);
  app.setErrorHandler((error, request, reply) => {
    const code = codeOf(error);
    if (code === 'internal_error' || code === 'unavailable') {
      parts.report(`${request.method} ${request.routeOptions.url} failed`, error, { requestId: request.id });
    }
    if (code === 'payload_too_large')
      return sendFailure(reply, code, {
        details: sizeDetails(request.routeOptions.bodyLimit ?? BODY_SIZE_MAX_BYTES),
      });
    return sendFailure(reply, code, error instanceof Refusal ? error.said : {});
  });
  const handlers: Readonly<Record<string, unknown>> = parts.handlers;
  for (const route of parts.routes) addRoute(app, route, handlers[route.id] as AnyHandler, parts);
  return app;
}

function noCompiler(): never {
  throw new Error('routes carry no JSON Schema');
}

function addRoute<Routes extends Route>(
  app: FastifyInstance,
  route: Route,
  handler: AnyHandler,
  parts: HttpAppParts<Routes>,
): void {
  const callers = new WeakMap<FastifyRequest, Caller | Stranger>();
  const answer = answerRequest(route, handler, parts.report, onceOf(route, parts.idempotency, parts.report));
  app.route({
    method: route.method,
    url: route.path,
    bodyLimit: route.bodySizeMaxBytes ?? BODY_SIZE_MAX_BYTES,
    config: {
      ...(route.cors === undefined ? {} : { cors: route.cors }),
      ...(route.rawBody === true ? { rawBody: true } : {}),
      ...(route.rawBody === true || route.idempotent === true ? { keepsBytes: true } : {}),
    },
    onRequest: async (request, reply) => {
      if (route.auth !== 'public') {
        const caller = await parts.authenticate(request.headers.authorization);
        if (caller === null) return sendFailure(reply, 'unauthorized');
        if (!isAllowed(route.auth, caller)) return sendFailure(reply, 'forbidden');
        callers.set(request, caller);
      }
      return refuseBody(route, request, reply) ?? undefined;
    },
    // A stranger comes this far only where the handler's type says so, and no such route is idempotent.
    handler: (request, reply) => answer(request, reply, (callers.get(request) ?? null) as Caller | null),
  });
}
