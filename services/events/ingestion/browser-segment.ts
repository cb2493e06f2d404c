// POST /v1/browser/batch, and beside it /t, /p, /s, /i, /g, /a and /b: the calls of Segment's library in a page
// (analytics.js), whose write key is the merchant's id. They are mapped as those of servers are, and are browser events
// otherwise: nothing that a caller claims is trusted. Refuses: a secret key, which any visitor of the page can read.
import type { IncomingRequest } from '#lib/core/http/http-message.ts';
import { basicUserOf, bearerOf } from '#lib/core/http/request-rules.ts';
import { EVENT_LIMITS } from '#lib/events/domain/event/event.ts';
import { SEGMENT_CALLS } from '#lib/events/domain/segment/fields.ts';
import { RATE_LIMIT } from './browser-limits.ts';
import { admit, guidOf, rateHeaders, withHeaders } from './browser-path.ts';
import type { BrowserPorts } from './ports.ts';
import { type Answer, failure } from './replies.ts';
import { acceptMessages, replyToBatch, replyToCall, segmentBatch } from './segment-path.ts';

const NO_GUID = 'must be the merchant id, a UUID';
const SECRET =
  'is a secret API key, which any visitor of the page can read: revoke it, and use the merchant id, which is public';

export async function postBrowserSegment(
  request: IncomingRequest,
  value: unknown,
  ports: BrowserPorts,
): Promise<Answer> {
  const call = SEGMENT_CALLS.find((name) => request.path.endsWith(`/${name.charAt(0)}`));
  const sent =
    call === undefined
      ? segmentBatch(value, EVENT_LIMITS.browserBatchEventsMax)
      : { messages: [value], call };
  const messages = 'messages' in sent ? sent.messages : [];
  const { authorization } = request.headers;
  const inHeader = bearerOf(authorization) ?? basicUserOf(authorization);
  if ([inHeader, ...[value, ...messages].map(writeKeyOf)].some(isSecret)) return refusedKey(SECRET);
  const merchantId = guidOf(writeKeyOf(value) ?? inHeader);
  if (!('messages' in sent))
    return merchantId === null ? sent : { ...sent, merchant: { merchantId, isKnown: false } };
  if (merchantId === null) return refusedKey(NO_GUID);
  return await admit(merchantId, messages.length, request, ports, async (grant, prepare) => {
    const answers = await acceptMessages(
      { ...sent, messages: messages.slice(0, grant.granted) },
      ports,
      prepare,
    );
    const headers = rateHeaders(grant);
    if (call !== undefined) return withHeaders(replyToCall(answers), headers);
    if (answers.length === messages.length) return withHeaders(replyToBatch(answers), headers);
    // The library repeats a batch as a whole: after a full window there is room for all of it.
    return failure(grant.refusedBy ?? 'rate_limited', {
      headers: { ...headers, 'retry-after': String(RATE_LIMIT.windowSec) },
    });
  });
}

function writeKeyOf(value: unknown): unknown {
  return value !== null && typeof value === 'object' && 'writeKey' in value ? value.writeKey : undefined;
}

const isSecret = (key: unknown): boolean => typeof key === 'string' && key.trim().startsWith('evk_');

/** The key itself is in no answer and no log. */
const refusedKey = (message: string): Answer =>
  failure('invalid_request', { details: [{ path: 'writeKey', message }] });
