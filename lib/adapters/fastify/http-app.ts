// The contract as a Fastify application. Guarantees: a route is reached only by the caller, with the parameters and the
// body that the contract allows; every answer is JSON, failures as {error, code, details?}; X-Request-Id always.
// Refuses: 404 unknown path, 405 + Allow known path with another method, 415 other content, 413 too much of it, 400
// JSON that is not strict. What fails inside is reported and answered 500 or 503 without a word about it.
import { randomUUID } from 'node:crypto';
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import * as z from 'zod';
import type { ErrorDetail } from '../../core/http/errors.ts';
import type { Handler, Handlers } from '../../core/http/handler.ts';
import { BODY_SIZE_MAX_BYTES, type Route } from '../../core/http/route.ts';
import { parseStrictJson, STRICT_JSON_TEXTS } from '../../core/http/strict-json.ts';
import { type Caller, isAllowed } from '../../core/tenancy/caller.ts';
import { codeOf, Refusal, sendFailure } from './failures.ts';

export interface HttpAppParts<Routes extends Route> {
  readonly routes: readonly Routes[];
  readonly handlers: Handlers<Routes>;
  /** Who sent this `Authorization` header; null when it proves nothing, `stranger` when it proves somebody unknown here. */
  readonly authenticate: (authorization: string | undefined) => Promise<Caller | 'stranger' | null>;
  /** Told of every answer of 500 and above. */
  readonly report: (problem: string, error: unknown, context: { readonly requestId: string }) => void;
}

/** Ids of events have up to 231 characters of up to 4 bytes, each percent-encoded. */
const PARAM_MAX_CHARS = 2_800;
const DETAILS_MAX = 20;
const MESSAGE_MAX_CHARS = 200;
const REQUEST_ID = /^[A-Za-z0-9._:-]{1,128}$/;
const HEADERS = { 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' };

export function createHttpApp<Routes extends Route>(parts: HttpAppParts<Routes>): FastifyInstance {
  const app = Fastify({
    logger: false,
    // Schemas are zod's. Naming these keeps Fastify from loading its own compilers, a third of its start.
    schemaController: { compilersFactory: { buildValidator: noCompiler, buildSerializer: noCompiler } },
    bodyLimit: BODY_SIZE_MAX_BYTES,
    routerOptions: { maxParamLength: PARAM_MAX_CHARS },
    genReqId: ({ headers }) => {
      const given = headers['x-request-id'];
      return typeof given === 'string' && REQUEST_ID.test(given) ? given : randomUUID();
    },
    frameworkErrors: (error, request, reply) => {
      decorate(request, reply);
      return sendFailure(reply, codeOf(error));
    },
  });
  const refuseUnknown = (request: FastifyRequest, reply: FastifyReply): FastifyReply => {
    const methods = allowedMethods(parts.routes, request.url);
    if (methods.length === 0) return sendFailure(reply, 'route_not_found');
    return sendFailure(reply.header('allow', methods.join(', ')), 'method_not_allowed');
  };
  app.addHook('onRequest', async (request, reply) => {
    decorate(request, reply);
    // Before a body is read: what nobody takes need not be understood.
    if (request.is404) return refuseUnknown(request, reply);
  });
  app.setNotFoundHandler(refuseUnknown);
  readJson(app);
  app.setErrorHandler((error, request, reply) => {
    const code = codeOf(error);
    if (code === 'internal_error' || code === 'unavailable') {
      parts.report(`${request.method} ${request.routeOptions.url} failed`, error, { requestId: request.id });
    }
    return sendFailure(reply, code, error instanceof Refusal ? error.details : undefined);
  });
  const handlers: Readonly<Record<string, unknown>> = parts.handlers;
  for (const route of parts.routes) addRoute(app, route, handlers[route.id] as Handler, parts);
  return app;
}

function noCompiler(): never {
  throw new Error('routes carry no JSON Schema');
}

function decorate(request: FastifyRequest, reply: FastifyReply): void {
  reply.headers({ ...HEADERS, 'x-request-id': request.id });
}

/** An empty body is no body, whatever its type says. */
function readJson(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (_request, body, done) => {
    const bytes = body as Buffer;
    if (bytes.byteLength === 0) return done(null, undefined);
    const parsed = parseStrictJson(bytes);
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
  const callers = new WeakMap<FastifyRequest, Caller>();
  const [params, query, body] = [route.params, route.query, route.body].map(compiledLater);
  app.route({
    method: route.method,
    url: route.path,
    bodyLimit: route.bodySizeMaxBytes ?? BODY_SIZE_MAX_BYTES,
    onRequest: async (request, reply) => {
      if (route.auth === 'public') return;
      const caller = await parts.authenticate(request.headers.authorization);
      if (caller === null) return sendFailure(reply, 'unauthorized');
      if (caller === 'stranger' || !isAllowed(route.auth, caller)) return sendFailure(reply, 'forbidden');
      callers.set(request, caller);
    },
    handler: async (request, reply) => {
      // An id that cannot exist is answered like one that does not.
      const path = params?.().safeParse(request.params);
      if (path?.success === false) return sendFailure(reply, 'not_found');
      const asked = query?.().safeParse({ ...(request.query as object) });
      if (asked?.success === false) return sendFailure(reply, 'invalid_request', detailsOf(asked.error));
      const sent = body?.().safeParse(request.body);
      if (sent?.success === false) return sendFailure(reply, 'invalid_request', detailsOf(sent.error));
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

function detailsOf(error: z.ZodError): readonly ErrorDetail[] {
  return error.issues.slice(0, DETAILS_MAX).map((issue) => ({
    path: issue.path.map(String).join('.').slice(0, MESSAGE_MAX_CHARS),
    message: issue.message.slice(0, MESSAGE_MAX_CHARS),
  }));
}

/** Methods of the routes with this path; none when there is no such path. */
function allowedMethods(routes: readonly Route[], url: string): readonly string[] {
  const given = (url.split(/[?#]/, 1)[0] ?? '').split('/');
  const methods = new Set<string>();
  for (const { path, method } of routes) {
    const parts = path.split('/');
    const fits = parts.length === given.length && parts.every((part, i) => fitsPart(part, given[i] ?? ''));
    if (!fits) continue;
    methods.add(method);
    if (method === 'GET') methods.add('HEAD');
  }
  return [...methods].sort();
}

const fitsPart = (part: string, given: string): boolean =>
  part.startsWith(':') ? given !== '' : part === given;
