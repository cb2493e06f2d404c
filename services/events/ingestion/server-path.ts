// POST /v1/events and POST /v1/ingest: servers with an API key.

import type { IncomingRequest, Reply } from '../../../lib/core/http/http-message.ts';
import { type ApiKeyRecord, hashApiKey, isWellFormedApiKey } from '../../../lib/core/tenancy/api-key.ts';
import { EVENT_LIMITS } from '../../../lib/events/domain/event.ts';
import { acceptEvent } from './accept.ts';
import { acceptBatch, type Prepare, toAnswer } from './accept-batch.ts';
import type { IngestionPorts } from './ports.ts';
import { readEvent } from './read-event.ts';
import { failure, json, retryLater } from './replies.ts';

export async function postEvent(
  _request: IncomingRequest,
  value: unknown,
  ports: IngestionPorts,
  key: { readonly merchantId: string },
): Promise<Reply> {
  return await acceptOne(value, forMerchant(key.merchantId), ports);
}

export async function postIngest(
  _request: IncomingRequest,
  value: unknown,
  ports: IngestionPorts,
  key: { readonly merchantId: string },
): Promise<Reply> {
  const events = batchOf(value);
  if (events === null) return await acceptOne(value, forMerchant(key.merchantId), ports);
  if (events.length === 0 || events.length > EVENT_LIMITS.batchEventsMax)
    return failure('invalid_request', {
      details: [{ path: 'events', message: `must hold 1 to ${EVENT_LIMITS.batchEventsMax} events` }],
    });
  const results = await acceptBatch(events, forMerchant(key.merchantId), ports);
  return json(202, { success: results.every((result) => result.status === 202), results });
}

/** The `events` of a batch body, or null where the body is one event. */
export function batchOf(value: unknown): readonly unknown[] | null {
  if (value === null || typeof value !== 'object') return null;
  const { events } = value as { events?: unknown };
  return Array.isArray(events) && !('event_id' in value) ? events : null;
}

export async function acceptOne(value: unknown, prepare: Prepare, ports: IngestionPorts): Promise<Reply> {
  const read = readEvent(value, ports.clock.now());
  if (!read.ok) return failure(read.code, { details: read.details });
  const prepared = prepare(read.body);
  if (typeof prepared === 'string') return failure(prepared);
  const result = await acceptEvent({ ...prepared, payloadHash: read.payloadHash }, ports);
  const { event_id } = read.body;
  if (result.kind === 'accepted' || result.kind === 'server_copy')
    return json(202, { success: true, event_id });
  if (result.kind === 'unavailable') return retryLater('unavailable', result.retryAfterSec);
  const { accepted_at, same_payload } = toAnswer(event_id, result);
  return failure('duplicate_event', { body: { event_id, accepted_at, same_payload } });
}

function forMerchant(merchantId: string): Prepare {
  return (body) => {
    if (body.merchant_id !== undefined && body.merchant_id.toLowerCase() !== merchantId.toLowerCase())
      return 'merchant_mismatch';
    return {
      key: { merchantId, channel: 'server', eventId: body.event_id },
      body: { ...body, source: body.source ?? 'server' },
    };
  };
}

/** The key's record, or the refusal. Read from the table on every request: a revoked key is refused at once. */
export async function authenticate(
  request: IncomingRequest,
  ports: IngestionPorts,
): Promise<ApiKeyRecord | Reply> {
  const match = /^Bearer ([\x21-\x7e]+)$/i.exec(request.headers.authorization ?? '');
  const key = match?.[1];
  if (key === undefined || !isWellFormedApiKey(key)) return unauthorized();
  const record = await ports.config.apiKey(hashApiKey(key));
  if (record === null || record.revokedAtMs !== undefined) return unauthorized();
  if (!record.scopes.includes('events:write') && !record.scopes.includes('admin'))
    return failure('forbidden');
  return record;
}

const unauthorized = (): Reply => failure('unauthorized', { headers: { 'www-authenticate': 'Bearer' } });
