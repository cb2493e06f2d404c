// Validates, handles and answers one request of a known route by an authorized caller. Guarantees: the handler sees
// only what the contract allows; its signal aborts when the client leaves.
import type { FastifyReply, FastifyRequest } from 'fastify';
import * as z from 'zod';
import { type ErrorBody, type ErrorDetail, type Errors, errorOf } from '../../core/http/errors.ts';
import type { AnyHandler, AnySuccess } from '../../core/http/handler.ts';
import { detailsOf, type issueText } from '../../core/http/issue-text.ts';
import type { Route } from '../../core/http/route.ts';
import type { Caller } from '../../core/tenancy/caller.ts';
import { clientSignal } from './client-signal.ts';
import { EVENT_STREAM_HEADERS, eventStream } from './event-stream.ts';
import { codeOf, type SendFailure } from './failures.ts';
import type { Once } from './idempotent-requests.ts';
import { bodyBytes } from './read-body.ts';

type Report = (problem: string, error: unknown, context: { readonly requestId: string }) => void;
const NAME_MAX_CHARS = 64;
const JSON_TYPE = 'application/json; charset=utf-8';

export interface AnswerParts {
  readonly report: Report;
  readonly once: Once;
  readonly sendFailure: SendFailure;
  /** Texts for schema errors. */
  readonly words: typeof issueText;
  /** Refuse repeated query parameters on routes that have any. */
  readonly queryOnce: boolean;
  /** Body fields that are refused with these texts although no schema names them. */
  readonly refusedFields: Readonly<Record<string, string>>;
  readonly errors: Errors;
}

export function answerRequest(
  route: Route,
  handler: AnyHandler,
  { report, once, sendFailure, words, queryOnce, refusedFields, errors }: AnswerParts,
): (request: FastifyRequest, reply: FastifyReply, caller: Caller | null) => Promise<FastifyReply> {
  const [params, query, headers, body] = [
    route.params,
    route.query,
    route.headers,
    route.rawBody === true ? undefined : route.body,
  ].map(compiledLater);
  const refuse = (reply: FastifyReply, schema: z.ZodType | undefined, value: unknown): FastifyReply =>
    sendFailure(reply, 'invalid_request', { details: problemsOf(schema, value, words) });
  return async (request, reply, caller) => {
    // An id that cannot exist gets the same answer as one that does not.
    const path = params?.().safeParse(request.params);
    if (path?.success === false) return sendFailure(reply, 'not_found');
    const given = { ...(request.query as object) };
    const repeated = queryOnce && query !== undefined ? repeatedIn(given) : [];
    if (repeated.length > 0) return sendFailure(reply, 'invalid_request', { details: repeated });
    const asked = query?.().safeParse(given);
    if (asked?.success === false) return refuse(reply, route.query, given);
    const named = headers?.().safeParse(request.headers);
    if (named?.success === false) return refuse(reply, route.headers, request.headers);
    const refused = body === undefined ? [] : refusedIn(request.body, refusedFields);
    if (refused.length > 0) return sendFailure(reply, 'invalid_request', { details: refused });
    const asking = withoutFields(request.body, refusedFields);
    const sent = body?.().safeParse(asking);
    if (sent?.success === false) return refuse(reply, route.body, asking);
    const signal = clientSignal(reply);
    const answer = await once(request, caller, (idRoot) =>
      handler({
        idRoot,
        params: path?.data,
        query: asked?.data,
        headers: named?.data,
        body: sent?.data,
        bytes: route.rawBody === true ? bodyBytes(request) : undefined,
        caller,
        requestId: request.id,
        // Typed by Fastify as always present, but a client that has left has no address.
        clientIp: request.ip as string | undefined,
        userAgent: request.headers['user-agent'],
        signal,
      }),
    );
    if ('failure' in answer) return sendFailure(reply, answer.failure, answer);
    reply.code(answer.status);
    if ('stream' in answer) {
      reply.headers({ ...EVENT_STREAM_HEADERS, ...answer.headers });
      // A HEAD request has no reader for its events.
      if (request.method === 'HEAD') return reply.send();
      const failureOf = (error: unknown): ErrorBody => {
        report(`${request.method} ${route.path} failed`, error, { requestId: request.id });
        const code = codeOf(error);
        return { error: errorOf(errors, code).text, code };
      };
      return reply.send(eventStream(answer.stream, { signal, failureOf, after }));
    }
    reply.type(route.replyType ?? JSON_TYPE).headers(answer.headers ?? {});
    return reply.send(payloadOf(route, answer));
  };
}

function payloadOf(route: Route, { status, body }: AnySuccess): string | Uint8Array | undefined {
  if (route.replies[status] === null) return undefined;
  return route.replyType === undefined ? JSON.stringify(body) : (body as string | Uint8Array);
}

function after(ms: number, then: () => void): () => void {
  const timer = setTimeout(then, ms);
  return () => clearTimeout(timer);
}

const repeatedIn = (query: object): readonly ErrorDetail[] =>
  Object.entries(query)
    .filter(([, value]) => Array.isArray(value))
    .map(([name]) => ({ path: name.slice(0, NAME_MAX_CHARS), message: 'must be given once' }));

/** An empty field asks for nothing. */
function refusedIn(sent: unknown, fields: AnswerParts['refusedFields']): readonly ErrorDetail[] {
  if (typeof sent !== 'object' || sent === null) return [];
  return Object.entries(fields).flatMap(([path, message]) => {
    const value: unknown = Object.hasOwn(sent, path) ? Reflect.get(sent, path) : null;
    return value === null || (Array.isArray(value) && value.length === 0) ? [] : [{ path, message }];
  });
}

/** Removes fields that are empty and would otherwise be refused as unknown. */
function withoutFields(sent: unknown, fields: AnswerParts['refusedFields']): unknown {
  if (typeof sent !== 'object' || sent === null) return sent;
  if (!Object.keys(fields).some((name) => Object.hasOwn(sent, name))) return sent;
  return Object.fromEntries(Object.entries(sent).filter(([name]) => !Object.hasOwn(fields, name)));
}

/** Compiling costs as much as a hundred validations save: only used routes pay it. */
function compiledLater(schema: z.ZodType | undefined): (() => z.ZodType) | undefined {
  if (schema === undefined) return undefined;
  let compiled: z.ZodType | undefined;
  return () => {
    compiled ??= z.compile(schema);
    return compiled;
  };
}

/** Validated again for the messages: only refused requests pay for them. */
function problemsOf(
  schema: z.ZodType | undefined,
  value: unknown,
  words: typeof issueText,
): readonly ErrorDetail[] {
  return detailsOf(schema?.safeParse(value, { error: words, jitless: true }).error?.issues ?? []);
}
