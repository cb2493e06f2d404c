// A stand-in for business-api.tiktok.com/open_api/v1.3/event/track/. Answers 200 with a code, as the real one does,
// and refuses the whole request for one bad event.
import { type Call, defineSandbox, lastRefused } from '../define-sandbox.ts';
import {
  jsonAnswer,
  type SandboxAnswer,
  type SandboxContext,
  type SandboxRequest,
} from '../platform-sandbox.ts';
import { type Fields, isCurrency, isDigest, listOf, parse, record } from '../reading.ts';

const PATH = /^\/open_api\/v1\.3\/event\/track\/?$/;
const BATCH_MAX = 1_000;
const AGE_MAX_SEC = 7 * 86_400;
const FUTURE_MAX_SEC = 600;
/** Any of them is enough; of network address and browser both are needed. */
const IDENTIFIERS = ['email', 'phone', 'external_id', 'ttclid', 'ttp'];
const HASHED = ['email', 'phone', 'external_id', 'first_name', 'last_name', 'zip_code'];
const SOURCES: readonly unknown[] = ['web', 'app', 'offline', 'crm'];
const PARAM_ERROR = 40002;
const NOT_HASHED = 40062;

interface Refusal {
  readonly code: number;
  readonly message: string;
}

export const sandbox = defineSandbox<Refusal>({
  slug: 'tiktok',
  hosts: ['business-api.tiktok.com'],
  dedupeWindowSec: 48 * 3_600,
  login: ['event_source_id', 'access_token'],
  seen: {
    name: 'event',
    id: 'event_id',
    value: 'properties.value',
    currency: 'properties.currency',
  },
  read: ({ body: text }) => {
    const body = parse(text);
    const account = typeof body?.event_source_id === 'string' ? body.event_source_id : '';
    return { account, body, events: listOf(body?.data), test: typeof body?.test_event_code === 'string' };
  },
  refuse: (request, call, context) => {
    const refusal =
      requestRefusal(request, call, context) ?? bodyRefusal(call.body ?? {}, call.events.length);
    return refusal === null ? null : reply(refusal.code, refusal.message);
  },
  reasonAt: 'message',
  refusalOf: (event, nowMs) => refusalOf(event, nowMs / 1_000),
  reasonOf: ({ message }) => message,
  answer: (refusals) => {
    const first = refusals.find((refusal) => refusal !== null);
    return first ? reply(first.code, first.message) : reply(0, 'OK');
  },
  allOrNothing: true,
  provoked: {
    throttled: reply(40100, 'Requests made too frequently', 429),
    unavailable: reply(50000, 'System error', 500),
    unauthorized: reply(40105, 'Access token is incorrect or has been revoked.', 401),
  },
  partial: (whole) => {
    const events = lastRefused(whole.events);
    const failed = events
      .map((event, index) => ({
        index,
        event_id: event.eventId,
        error_code: PARAM_ERROR,
        error_message: 'provoked',
      }))
      .slice(-1);
    return { answer: reply(20001, 'Partially OK', 200, { failed_events: failed }), events };
  },
});

/** Why the request is refused before its content is looked at. */
function requestRefusal(
  request: SandboxRequest,
  { body, account }: Call,
  context: SandboxContext,
): Refusal | null {
  if (!PATH.test(request.path) || request.method !== 'POST') return bad('No such path or method');
  const token = request.headers['access-token'] ?? '';
  if (token === '') return { code: 40104, message: 'Access token is empty' };
  if (body === undefined) return bad('Request body is not valid JSON');
  const login = context.check(account, token);
  if (login === 'wrong_secret')
    return { code: 40105, message: 'Access token is incorrect or has been revoked.' };
  if (login === 'unknown_account')
    return { code: 40001, message: `No permission to operate pixel ${account}` };
  return null;
}

function bodyRefusal(body: Fields, events: number): Refusal | null {
  if (!SOURCES.includes(body.event_source)) return bad('event_source: must be web, app, offline or crm');
  if (events === 0) return bad('data: is required');
  if (events > BATCH_MAX) return { code: 40061, message: `data: at most ${BATCH_MAX} events` };
  return null;
}

/** Null when TikTok takes the event. */
function refusalOf(fields: Fields, nowSec: number): Refusal | null {
  if (typeof fields.event !== 'string' || fields.event === '') return bad('event: is required');
  if (!Number.isInteger(fields.event_time)) return bad('event_time: must be an integer of seconds');
  const ageSec = nowSec - Number(fields.event_time);
  if (ageSec > AGE_MAX_SEC) return bad('event_time: is more than 7 days ago');
  if (-ageSec > FUTURE_MAX_SEC) return bad('event_time: is in the future');
  const user = record(fields.user) ?? {};
  const unhashed = HASHED.find((key) => user[key] !== undefined && !isDigest(user[key]));
  if (unhashed !== undefined)
    return { code: NOT_HASHED, message: `user.${unhashed}: must be hashed with SHA-256` };
  if (!IDENTIFIERS.some((key) => key in user) && !('ip' in user && 'user_agent' in user))
    return bad('user: needs an identifier');
  return moneyRefusal(record(fields.properties) ?? {});
}

function moneyRefusal({ value, currency, contents }: Fields): Refusal | null {
  if (value !== undefined && (typeof value !== 'number' || value < 0))
    return bad('properties.value: must be a number');
  if (value !== undefined && currency === undefined)
    return bad('properties.currency: is required with value');
  if (currency !== undefined && !isCurrency(currency))
    return bad('properties.currency: must be an ISO 4217 code');
  if (contents !== undefined && !Array.isArray(contents)) return bad('properties.contents: must be a list');
  return null;
}

const bad = (message: string): Refusal => ({ code: PARAM_ERROR, message });

function reply(code: number, message: string, status = 200, data: unknown = {}): SandboxAnswer {
  return jsonAnswer(status, { code, message, request_id: '2026112100000000000000000000', data });
}
