// POST /v1/browser/events and GET /v1/pixel.js: no credential, so no claim of a caller is trusted. Guarantees: a
// refused event says why, so that a shop can correct a mistyped id; a server's event is neither displaced nor shown;
// the cost that a stranger can cause a merchant is bounded (`browser-limits.ts`). Refuses: an unknown merchant costs at
// most one cached read, and no write.

import type { IncomingRequest, Reply } from '#lib/core/http/http-message.ts';
import { EVENT_LIMITS, type EventBody } from '#lib/events/domain/event/event.ts';
import type { Merchant } from '#lib/events/domain/merchant.ts';
import type { EventsErrorCode } from '#lib/events/routes/errors.ts';
import { acceptBatch, type Prepare, refused, withoutTimes } from './accept-batch.ts';
import { type BrowserGrant, RATE_LIMIT, takeAllowance } from './browser-limits.ts';
import type { BrowserPorts } from './ports.ts';
import { batchOf, eventIdOf } from './read-body.ts';
import { type ReadResult, readEvent } from './read-event.ts';
import { type Answer, failure, json, ofMerchant, withRefused } from './replies.ts';
import { acceptOne } from './server-path.ts';

const GUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

export async function postBrowserEvents(
  request: IncomingRequest,
  value: unknown,
  ports: BrowserPorts,
): Promise<Answer> {
  const said: Said = batchOf(value) ?? readEvent(value, ports.clock.now());
  const merchantId = merchantIdOf(value);
  const wrong = refuseBody(said);
  // The answer does not need to know whether the merchant exists; only counting does.
  if (wrong !== null)
    return merchantId === null ? wrong : { ...wrong, merchant: { merchantId, isKnown: false } };
  if (merchantId === null)
    return failure('invalid_request', { details: [{ path: 'merchant_id', message: 'must be a UUID' }] });
  return await admit(merchantId, 'ok' in said ? 1 : said.length, request, ports, (grant, prepare) =>
    acceptSaid(said, grant, prepare, ports),
  );
}

/** Asks `accept` for the answer, where the merchant takes at least one of the events that the request has. */
export async function admit(
  merchantId: string,
  wanted: number,
  request: IncomingRequest,
  ports: BrowserPorts,
  accept: (grant: BrowserGrant, prepare: Prepare) => Promise<Answer>,
): Promise<Answer> {
  const merchant = await ports.config.merchant(merchantId);
  if (merchant === null) return failure('unknown_merchant');
  const answer = async (): Promise<Answer> => {
    const refusal = refuseBrowser(merchant, request);
    if (refusal !== null) return failure(refusal);
    const grant = await takeAllowance(merchant, request.clientIp, wanted, ports);
    if (grant.granted === 0)
      return failure(grant.refusedBy ?? 'rate_limited', { headers: rateHeaders(grant) });
    return await accept(grant, forBrowser(merchantId, request, ports));
  };
  return ofMerchant(await answer(), { merchant: merchantId });
}

async function acceptSaid(
  said: Said,
  grant: BrowserGrant,
  prepare: Prepare,
  ports: BrowserPorts,
): Promise<Answer> {
  const headers = rateHeaders(grant);
  // Callers have no credential: when the earlier event came, and what it contained, is not shown.
  if ('ok' in said) return withHeaders(await acceptOne(said, prepare, ports, { withTimes: false }), headers);
  const results = await acceptBatch(said.slice(0, grant.granted), prepare, ports);
  const limited = said
    .slice(grant.granted)
    .map((event) => refused(eventIdOf(event), grant.refusedBy ?? 'rate_limited'));
  const all = [...results.map(withoutTimes), ...limited];
  const success = all.every(({ status }) => status === 202);
  return withRefused(json(202, { success, results: all }, headers), all);
}

/** The one event of a body, or the events of a batch, which are read one by one. */
type Said = ReadResult | readonly unknown[];

/** A wrong body is refused before anything is read or counted. */
function refuseBody(said: Said): Answer | null {
  if ('ok' in said) return said.ok ? null : failure(said.code, { details: said.details });
  if (said.length > 0 && said.length <= EVENT_LIMITS.browserBatchEventsMax) return null;
  const message = `must hold 1 to ${EVENT_LIMITS.browserBatchEventsMax} events`;
  return failure('invalid_request', { details: [{ path: 'events', message }] });
}

export function getPixel(request: IncomingRequest, { pixel }: Pick<BrowserPorts, 'pixel'>): Reply {
  const headers = {
    'cache-control': 'public, max-age=300, s-maxage=3600',
    etag: pixel.etag,
    'content-type': 'text/javascript; charset=utf-8',
  };
  const known = (request.headers['if-none-match'] ?? '')
    .split(',')
    .map((tag) => tag.trim().replace(/^W\//, ''));
  if (known.includes(pixel.etag) || known.includes('*')) return { status: 304, headers, body: '' };
  return { status: 200, headers, body: pixel.javascript };
}

function merchantIdOf(value: unknown): string | null {
  if (value === null || typeof value !== 'object') return null;
  return guidOf((value as { merchant_id?: unknown }).merchant_id);
}

export function guidOf(id: unknown): string | null {
  return typeof id === 'string' && GUID.test(id) ? id.toLowerCase() : null;
}

function refuseBrowser(merchant: Merchant, request: IncomingRequest): EventsErrorCode | null {
  if (merchant.suspension !== undefined) return 'merchant_suspended';
  const { enabled, origins } = merchant.browserIngestion;
  if (!enabled) return 'browser_ingestion_disabled';
  if (origins.length === 0 || origins.includes(request.headers.origin ?? '')) return null;
  return 'origin_not_allowed';
}

function forBrowser(merchantId: string, request: IncomingRequest, ports: BrowserPorts): Prepare {
  const userAgent = request.headers['user-agent'];
  const bot = ports.isBot(userAgent);
  const isOptedOut = request.headers['sec-gpc'] === '1';
  return (body) => {
    // In a batch, the batch names the merchant.
    if (body.merchant_id !== undefined && body.merchant_id.toLowerCase() !== merchantId)
      return 'merchant_mismatch';
    return {
      key: { merchantId, channel: 'browser', eventId: body.event_id },
      body: {
        ...body,
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
 * overrules the body: the header comes from the browser, the body from any script on the page, and a choice made after
 * the signal cannot be distinguished from a banner's default. A merchant with such a choice sends the event from a
 * server. The pixel does the same with `navigator.globalPrivacyControl`.
 */
export const GLOBAL_PRIVACY_CONTROL = {
  ad_user_data: 'denied',
  ad_personalization: 'denied',
  ad_storage: 'denied',
} as const satisfies EventBody['consent'];

export function rateHeaders(grant: BrowserGrant): Record<string, string> {
  return {
    'ratelimit-limit': String(RATE_LIMIT.events),
    'ratelimit-remaining': String(grant.remaining),
    'ratelimit-reset': String(Math.ceil(grant.retryAfterSec)),
    ...(grant.retryAfterSec > 0
      ? { 'retry-after': String(Math.max(1, Math.ceil(grant.retryAfterSec))) }
      : {}),
  };
}

export function withHeaders(reply: Answer, headers: Readonly<Record<string, string>>): Answer {
  return { ...reply, headers: { ...reply.headers, ...headers } };
}
