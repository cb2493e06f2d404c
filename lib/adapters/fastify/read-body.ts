// Bodies as routes take them: JSON read strictly, or the bytes as they were sent. Refuses: other media types and
// encodings than the route takes, too much of it, JSON that is not strict. An empty body counts as no body with any
// content type.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import {
  ENCODINGS_HEADER,
  encodingOf,
  mediaTypeOf,
  readBody,
  UNKNOWN_ENCODING,
} from '../../core/http/request-rules.ts';
import { BODY_SIZE_MAX_BYTES, bodyTypesOf, type Route } from '../../core/http/route.ts';
import { parseStrictJson, STRICT_JSON_TEXTS } from '../../core/http/strict-json.ts';
import { Refusal, type SendFailure } from './failures.ts';

/** The decompressed bytes of requests whose routes need them. */
const bytesOf = new WeakMap<FastifyRequest, Uint8Array>();
const NO_BYTES = new Uint8Array();

export const bodyBytes = (request: FastifyRequest): Uint8Array => bytesOf.get(request) ?? NO_BYTES;

export function readBodies(app: FastifyInstance, routes: readonly Route[]): void {
  app.removeAllContentTypeParsers();
  const types = new Set(['application/json', ...routes.flatMap(bodyTypesOf)]);
  app.addContentTypeParser([...types], { parseAs: 'buffer' }, (request, body, done) => {
    const { bodyLimit: limit = BODY_SIZE_MAX_BYTES, config } = request.routeOptions;
    const encoding = encodingOf(request.headers['content-encoding']) ?? 'identity';
    const read = readBody(body as Buffer, encoding, limit);
    if (!read.ok) return done(new Refusal(read.code, read.details));
    if (config.keepsBytes === true) bytesOf.set(request, read.bytes);
    if (config.rawBody === true || read.bytes.byteLength === 0) return done(null, undefined);
    const parsed = parseStrictJson(read.bytes);
    if (parsed.ok) return done(null, parsed.value);
    return done(new Refusal(parsed.code, [{ path: '', message: STRICT_JSON_TEXTS[parsed.reason] }]));
  });
}

/** Null if the body may be read; else the refusal has been sent. */
export function refuseBody(
  route: Route,
  request: FastifyRequest,
  reply: FastifyReply,
  sendFailure: SendFailure,
): FastifyReply | null {
  if (route.method === 'GET') return null;
  const type = mediaTypeOf(request.headers['content-type']);
  if (type !== '' && !bodyTypesOf(route).includes(type)) {
    if (route.rawBody === true || !isEmpty(request)) return sendFailure(reply, 'unsupported_media_type');
    // No parser must run: `curl -d ''` sends an empty body as a form.
    delete request.headers['content-type'];
  }
  if (encodingOf(request.headers['content-encoding']) !== null) return null;
  return sendFailure(reply.headers(ENCODINGS_HEADER), 'unsupported_media_type', {
    details: UNKNOWN_ENCODING,
  });
}

/** True if the headers say that there is no body. */
const isEmpty = ({ headers }: FastifyRequest): boolean =>
  headers['transfer-encoding'] === undefined && (headers['content-length'] ?? '0') === '0';
