// POST /v1/browser/events and GET /v1/pixel.js: no credential, so nothing a caller says about itself is trusted.
// Guarantees: whether a merchant exists cannot be told from the answer; at most 30 events in any sliding minute per
// merchant and client address.

import type { IncomingRequest, Reply } from '../../../lib/core/http/http-message.ts';
import type { Merchant } from '../../../lib/core/tenancy/merchant.ts';
import { EVENT_LIMITS, type EventBody } from '../../../lib/events/domain/event.ts';
import { acceptBatch, type EventAnswer, isSuccess, type Prepare, refused } from './accept-batch.ts';
import type { IngestionPorts, RateGrant } from './ports.ts';
import { batchOf, eventIdOf } from './read-body.ts';
import { readEvent } from './read-event.ts';
import { failure, json } from './replies.ts';
import { acceptOne } from './server-path.ts';

export const RATE_LIMIT = { events: 30, windowSec: 60 } as const;
const GUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

export async function postBrowserEvents(
  request: IncomingRequest,
  value: unknown,
  ports: IngestionPorts,
): Promise<Reply> {
  const events = batchOf(value);
  const merchantId = merchantIdOf(value);
  if (merchantId === null)
    return failure('invalid_request', { details: [{ path: 'merchant_id', message: 'must be a UUID' }] });
  const wanted = events?.length ?? 1;
  if (wanted === 0 || wanted > EVENT_LIMITS.browserBatchEventsMax)
    return failure('invalid_request', {
      details: [{ path: 'events', message: `must hold 1 to ${EVENT_LIMITS.browserBatchEventsMax} events` }],
    });
  if (events === null) {
    // A body that is wrong costs the caller nothing of its allowance.
    const read = readEvent(value, ports.clock.now());
    if (!read.ok) return failure(read.code, { details: read.details });
  }
  const grant = await ports.rates.take({ merchantId, clientIp: request.clientIp }, wanted, ports.clock.now());
  const headers = rateHeaders(grant);
  if (grant.granted === 0) return failure('rate_limited', { headers });
  const merchant = await ports.config.merchant(merchantId);
  if (merchant === null || !admits(merchant, request)) {
    ports.count('browser_event_dropped', wanted);
    return droppedReply(value, events, headers);
  }
  const prepare = forBrowser(merchant.merchantId, request, ports);
  if (events === null) return withHeaders(await acceptOne(value, prepare, ports), headers);
  const results = await acceptBatch(events.slice(0, grant.granted), prepare, ports);
  const limited = events.slice(grant.granted).map(limitedAnswer);
  return json(
    202,
    { success: limited.length === 0 && isSuccess(results), results: [...results, ...limited] },
    headers,
  );
}

export function getPixel(request: IncomingRequest, ports: IngestionPorts): Reply {
  const headers = {
    'cache-control': 'public, max-age=300, s-maxage=3600',
    etag: ports.pixel.etag,
    'content-type': 'text/javascript; charset=utf-8',
  };
  const known = (request.headers['if-none-match'] ?? '')
    .split(',')
    .map((tag) => tag.trim().replace(/^W\//, ''));
  if (known.includes(ports.pixel.etag) || known.includes('*')) return { status: 304, headers, body: '' };
  return { status: 200, headers, body: ports.pixel.javascript };
}

function merchantIdOf(value: unknown): string | null {
  if (value === null || typeof value !== 'object') return null;
  const { merchant_id: id } = value as { merchant_id?: unknown };
  return typeof id === 'string' && GUID.test(id) ? id.toLowerCase() : null;
}

function admits(merchant: Merchant, request: IncomingRequest): boolean {
  const { enabled, origins } = merchant.browserIngestion;
  return enabled && (origins.length === 0 || origins.includes(request.headers.origin ?? ''));
}

function forBrowser(merchantId: string, request: IncomingRequest, ports: IngestionPorts): Prepare {
  const userAgent = request.headers['user-agent'];
  const bot = ports.isBot(userAgent);
  const isOptedOut = request.headers['sec-gpc'] === '1';
  return (body) => {
    // In a batch: the batch says whose events these are.
    if (body.merchant_id !== undefined && body.merchant_id.toLowerCase() !== merchantId)
      return 'merchant_mismatch';
    return {
      key: { merchantId, channel: 'browser', eventId: body.event_id },
      body: {
        ...body,
        source: body.source ?? 'browser',
        user_data: fromRequest(body.user_data, request.clientIp, userAgent),
        ...(isOptedOut ? { consent: { ...body.consent, ...GLOBAL_PRIVACY_CONTROL } } : {}),
        ...(bot ? { internal: { bot: true as const } } : {}),
      },
    };
  };
}

function fromRequest(
  userData: EventBody['user_data'],
  clientIp: string,
  userAgent: string | undefined,
): EventBody['user_data'] {
  return {
    ...userData,
    ...(userData.client_ip || userData.ip ? {} : { client_ip: clientIp }),
    ...(userData.user_agent || userAgent === undefined ? {} : { user_agent: userAgent.slice(0, 1_024) }),
  };
}

/**
 * Global Privacy Control is a person's refusal of sale and sharing (https://w3c.github.io/gpc/, read 2026-11-21). It
 * overrules what the body states: the header comes from the browser, the body from whatever runs on the page, and nobody
 * here can tell a choice that was made after the signal from a banner's default. Who has such a choice sends the event
 * from a server. The pixel does the same with `navigator.globalPrivacyControl`.
 */
export const GLOBAL_PRIVACY_CONTROL = {
  ad_user_data: 'denied',
  ad_personalization: 'denied',
  ad_storage: 'denied',
} as const satisfies EventBody['consent'];

/** Looks like an acceptance: a stranger learns nothing about who is a customer. */
function droppedReply(
  value: unknown,
  events: readonly unknown[] | null,
  headers: Readonly<Record<string, string>>,
): Reply {
  const idOf = (event: unknown): string | null => {
    const { event_id: id } = event as { event_id?: unknown };
    return typeof id === 'string' ? id : null;
  };
  if (events === null) return json(202, { success: true, event_id: idOf(value) }, headers);
  const results = events.map((event): EventAnswer => ({ event_id: event ? idOf(event) : null, status: 202 }));
  return json(202, { success: true, results }, headers);
}

const limitedAnswer = (event: unknown): EventAnswer => refused(eventIdOf(event), 'rate_limited');

function rateHeaders(grant: RateGrant): Record<string, string> {
  return {
    'ratelimit-limit': String(RATE_LIMIT.events),
    'ratelimit-remaining': String(grant.remaining),
    'ratelimit-reset': String(Math.ceil(grant.retryAfterSec)),
    ...(grant.retryAfterSec > 0
      ? { 'retry-after': String(Math.max(1, Math.ceil(grant.retryAfterSec))) }
      : {}),
  };
}

function withHeaders(reply: Reply, headers: Readonly<Record<string, string>>): Reply {
  return { ...reply, headers: { ...reply.headers, ...headers } };
}
