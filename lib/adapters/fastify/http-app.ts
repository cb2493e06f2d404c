// The contract as a Fastify application. Guarantees: a route is reached only by the caller, with the parameters and the
// body that the contract allows; every answer is JSON, failures as {error, code, details?}; X-Request-Id always.
// Refuses: 404 unknown path, 405 + Allow known path with another method, 415 other content, 413 too much of it, 400
// JSON that is not strict. What fails inside is reported and answered 500 or 503 without a word about it.
import { randomUUID } from 'node:crypto';
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import * as z from 'zod';
import { corsHeaders, corsOf, preflightHeaders } from '../../core/http/cors.ts';
import type { ErrorDetail } from '../../core/http/errors.ts';
import type { Handler, Handlers } from '../../core/http/handler.ts';
import { detailsOf, issueText } from '../../core/http/issue-text.ts';
import {
  ENCODINGS_HEADER,
  encodingOf,
  REPLY_HEADERS,
  readBody,
  requestIdOf,
  serverTiming,
  sizeDetails,
  UNKNOWN_ENCODING,
} from '../../core/http/request-rules.ts';
import { BODY_SIZE_MAX_BYTES, methodsOf, type Route, routesAt } from '../../core/http/route.ts';
import { parseStrictJson, STRICT_JSON_TEXTS } from '../../core/http/strict-json.ts';
import { type Caller, isAllowed, type Stranger } from '../../core/tenancy/caller.ts';
import { codeOf, Refusal, sendFailure } from './failures.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    readonly cors?: Route['cors'];
  }
}

export interface HttpAppParts<Routes extends Route> {
  readonly routes: readonly Routes[];
  readonly handlers: Handlers<Routes>;
  /** Who sent this `Authorization` header; null when it proves nothing, a stranger when it proves somebody unknown here. */
  readonly authenticate: (authorization: string | undefined) => Promise<Caller | Stranger | null>;
  /** Origins of the pages that may call routes with `cors: 'listed'`. */
  readonly origins: readonly string[];
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
  readJson(app);
  app.setErrorHandler((error, request, reply) => {
    const code = codeOf(error);
    if (code === 'internal_error' || code === 'unavailable') {
      parts.report(`${request.method} ${request.routeOptions.url} failed`, error, { requestId: request.id });
    }
    if (code === 'payload_too_large')
      return sendFailure(reply, code, sizeDetails(request.routeOptions.bodyLimit ?? BODY_SIZE_MAX_BYTES));
    return sendFailure(reply, code, error instanceof Refusal ? error.details : undefined);
  });
  const handlers: Readonly<Record<string, unknown>> = parts.handlers;
  for (const route of parts.routes) addRoute(app, route, handlers[route.id] as Handler, parts);
  return app;
}

function noCompiler(): never {
  throw new Error('routes carry no JSON Schema');
}

/** An empty body is no body, whatever its type says. */
function readJson(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, body, done) => {
    const limit = request.routeOptions.bodyLimit ?? BODY_SIZE_MAX_BYTES;
    const read = readBody(
      body as Buffer,
      encodingOf(request.headers['content-encoding']) ?? 'identity',
      limit,
    );
    if (!read.ok) return done(new Refusal(read.code, read.details));
    if (read.bytes.byteLength === 0) return done(null, undefined);
    const parsed = parseStrictJson(read.bytes);
    if (parsed.ok) return done(null, parsed.value);
    return done(new Refusal(parsed.code, [{ path: '', message: STRICT_JSON_TEXTS[parsed.reason] }]));
  });
}

function addRoute<Routes extends Route>(
  app: FastifyInstance,
  route: Route,
  handler: Handler,
  parts: HttpAppParts<Routes>,
): void {
  const callers = new WeakMap<FastifyRequest, Caller | Stranger>();
  const [params, query, body] = [route.params, route.query, route.body].map(compiledLater);
  app.route({
    method: route.method,
    url: route.path,
    bodyLimit: route.bodySizeMaxBytes ?? BODY_SIZE_MAX_BYTES,
    config: route.cors === undefined ? {} : { cors: route.cors },
    onRequest: async (request, reply) => {
      if (route.auth !== 'public') {
        const caller = await parts.authenticate(request.headers.authorization);
        if (caller === null) return sendFailure(reply, 'unauthorized');
        if (!isAllowed(route.auth, caller)) return sendFailure(reply, 'forbidden');
        callers.set(request, caller);
      }
      if (route.method !== 'GET' && encodingOf(request.headers['content-encoding']) === null)
        return sendFailure(reply.headers(ENCODINGS_HEADER), 'unsupported_media_type', UNKNOWN_ENCODING);
    },
    handler: async (request, reply) => {
      // An id that cannot exist is answered like one that does not.
      const path = params?.().safeParse(request.params);
      if (path?.success === false) return sendFailure(reply, 'not_found');
      const given = { ...(request.query as object) };
      const asked = query?.().safeParse(given);
      if (asked?.success === false)
        return sendFailure(reply, 'invalid_request', problemsOf(route.query, given));
      const sent = body?.().safeParse(request.body);
      if (sent?.success === false)
        return sendFailure(reply, 'invalid_request', problemsOf(route.body, request.body));
      const answer = await handler({
        params: path?.data as undefined,
        query: asked?.data as undefined,
        body: sent?.data as undefined,
        caller: (callers.get(request) ?? null) as Caller,
        requestId: request.id,
      });
      if ('failure' in answer) return sendFailure(reply, answer.failure, answer.details);
      return reply
        .code(answer.status)
        .type(route.replyType ?? 'application/json; charset=utf-8')
        .send(JSON.stringify(answer.body));
    },
  });
}

/** Compiling costs what a hundred validations save: only the routes that are used pay it. */
function compiledLater(schema: z.ZodType | undefined): (() => z.ZodType) | undefined {
  if (schema === undefined) return undefined;
  let compiled: z.ZodType | undefined;
  return () => {
    compiled ??= z.compile(schema);
    return compiled;
  };
}

/** Read once more, for the words: only what is refused pays for them. */
function problemsOf(schema: z.ZodType | undefined, value: unknown): readonly ErrorDetail[] {
  return detailsOf(schema?.safeParse(value, { error: issueText, jitless: true }).error?.issues ?? []);
}
