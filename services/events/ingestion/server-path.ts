// POST /v1/events and POST /v1/ingest: servers with an API key.

import type { IncomingRequest } from '#lib/core/http/http-message.ts';
import { basicUserOf, bearerOf, WWW_AUTHENTICATE } from '#lib/core/http/request-rules.ts';
import type { Route } from '#lib/core/http/route.ts';
import { type ApiKeyRecord, hashApiKey, isUsableKey, isWellFormedApiKey } from '#lib/core/tenancy/api-key.ts';
import { isAllowed, lackOf } from '#lib/core/tenancy/caller.ts';
import { EVENT_LIMITS } from '#lib/events/domain/event/event.ts';
import { type RequestNames, traceIdOf } from '#lib/events/domain/event/request-names.ts';
import { TEST_ORIGIN, testIdOf } from '#lib/events/domain/event/test-mode.ts';
import { opensOf } from '#lib/events/domain/scopes.ts';
import { acceptEvent } from './accept.ts';
import { acceptBatch, isSuccess, type Prepare, toAnswer } from './accept-batch.ts';
import type { AcceptPorts, ServerPorts } from './ports.ts';
import { batchOf } from './read-body.ts';
import { type ReadResult, readEvent } from './read-event.ts';
import { type Answer, failure, json, retryLater, withRefused } from './replies.ts';

/** `request`: as it calls the request. */
export interface Sender {
  readonly merchantId: string;
  readonly request?: RequestNames | undefined;
  /** Its events are tests. */
  readonly isTest?: boolean;
}

export async function postEvent(value: unknown, ports: AcceptPorts, key: Sender): Promise<Answer> {
  return await acceptOne(readEvent(value, ports.clock.now()), forMerchant(key), ports);
}

export async function postIngest(value: unknown, ports: AcceptPorts, key: Sender): Promise<Answer> {
  const events = batchOf(value);
  if (events === null) return await postEvent(value, ports, key);
  const { merchant_id: claimed } = value as { merchant_id?: unknown };
  if (typeof claimed === 'string' && !isSameMerchant(claimed, key.merchantId))
    return failure('merchant_mismatch');
  if (claimed !== undefined && claimed !== null && typeof claimed !== 'string')
    return failure('invalid_request', { details: [{ path: 'merchant_id', message: 'must be text' }] });
  if (events.length === 0 || events.length > EVENT_LIMITS.batchEventsMax)
    return failure('invalid_request', {
      details: [{ path: 'events', message: `must hold 1 to ${EVENT_LIMITS.batchEventsMax} events` }],
    });
  const results = await acceptBatch(events, forMerchant(key), ports);
  return withRefused(json(202, { success: isSuccess(results), results }), results);
}

/**
 * `withTimes`: the answer to a duplicate says when the event was accepted before, and whether its payload was the same.
 */
export async function acceptOne(
  read: ReadResult,
  prepare: Prepare,
  ports: AcceptPorts,
  { withTimes } = { withTimes: true },
): Promise<Answer> {
  if (!read.ok) return failure(read.code, { details: read.details });
  const prepared = prepare(read.body, 0);
  if (typeof prepared === 'string') return failure(prepared);
  const result = await acceptEvent({ ...prepared, payloadHash: read.payloadHash }, ports);
  const { event_id } = read.body;
  if (result.kind === 'accepted')
    return { ...json(202, { success: true, event_id }), facts: { trace: traceIdOf(result.row) } };
  if (result.kind === 'server_copy') return json(202, { success: true, event_id });
  if (result.kind === 'unavailable') return retryLater('unavailable', result.retryAfterSec);
  const { accepted_at, same_payload } = toAnswer(event_id, result);
  return failure('duplicate_event', {
    body: withTimes ? { event_id, accepted_at, same_payload } : { event_id },
  });
}

export function forMerchant({ merchantId, request, isTest = false }: Sender): Prepare {
  return (body) => {
    if (body.merchant_id !== undefined && !isSameMerchant(body.merchant_id, merchantId))
      return 'merchant_mismatch';
    const { event_id: eventId } = body;
    return {
      key: { merchantId, channel: 'server', eventId: isTest ? testIdOf(eventId) : eventId },
      body: isTest ? { ...body, internal: TEST_ORIGIN } : body,
      request,
    };
  };
}

/** UUIDs are the same in either case. */
const isSameMerchant = (a: string, b: string): boolean => a.toLowerCase() === b.toLowerCase();

/** The merchant of the key, or the refusal. Read from the table on every request: a revoked key, and one of a suspended merchant, is refused at once. */
export async function authenticate(
  request: IncomingRequest,
  auth: Route['auth'],
  ports: Pick<ServerPorts, 'config' | 'clock' | 'isSandboxed'>,
): Promise<(Pick<ApiKeyRecord, 'keyId' | 'eventsPerMinute' | 'eventsPerDay'> & Sender) | Answer> {
  const { authorization } = request.headers;
  const isBasic = auth !== 'public' && auth.basic === true;
  const key = bearerOf(authorization) ?? (isBasic ? basicUserOf(authorization) : undefined);
  if (key === undefined || !isWellFormedApiKey(key, 'evk')) return unauthorized();
  const record = await ports.config.apiKey(hashApiKey(key));
  if (record === null) return unauthorized();
  // An expired key still names its merchant, who may not know that a server goes on using it.
  const merchant = { merchantId: record.merchantId, isKnown: true };
  if (!isUsableKey(record, ports.clock.now())) return { ...unauthorized(), merchant };
  if (record.suspendedAtMs !== undefined) return failure('merchant_suspended');
  const caller = { kind: 'key', ...record, grant: { opens: opensOf(record.scopes) } } as const;
  if (auth === 'public' || isAllowed(auth, caller))
    return { ...record, isTest: ports.isSandboxed !== true && key.startsWith('evk_test_') };
  const message = lackOf(auth, caller);
  return { ...failure('forbidden', { details: [{ path: 'authorization', message }] }), merchant };
}

const unauthorized = (): Answer =>
  failure('unauthorized', { headers: { 'www-authenticate': WWW_AUTHENTICATE } });
