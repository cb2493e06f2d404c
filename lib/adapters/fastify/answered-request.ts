// A request of the Fastify application as its log line shows it: the route's pattern, never the path with its ids.
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { AnsweredRequest } from '../../core/http/http-message.ts';
import { tracingOf } from '../../core/record/trace.ts';
import type { Caller, Stranger } from '../../core/tenancy/caller.ts';
import { codeIn } from './failures.ts';

/** `payload`: what is about to be sent. */
export function answeredRequest(
  request: FastifyRequest,
  reply: FastifyReply,
  caller: Caller | Stranger | undefined,
  payload: unknown,
): AnsweredRequest {
  return {
    requestId: request.id,
    ...tracingOf(request.headers.traceparent as string | undefined),
    route: request.routeOptions?.config?.route?.path,
    method: request.method,
    status: reply.statusCode,
    code: codeIn(reply),
    merchant: caller !== undefined && 'merchantId' in caller ? caller.merchantId : undefined,
    key: caller?.kind === 'key' ? caller.keyId : undefined,
    ms: reply.elapsedTime,
    bytesIn: Number(request.headers['content-length'] ?? 0) || 0,
    bytesOut: sizeOf(payload),
  };
}

/** Undefined for a stream. */
function sizeOf(payload: unknown): number | undefined {
  if (payload === undefined || payload === null) return 0;
  if (typeof payload === 'string') return Buffer.byteLength(payload);
  return payload instanceof Uint8Array ? payload.byteLength : undefined;
}
