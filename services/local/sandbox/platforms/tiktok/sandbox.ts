// A stand-in for business-api.tiktok.com/open_api/v1.3/event/track/. Answers 200 with a code, as the real one does,
// and refuses the whole request for one bad event.
import { defineSandbox, lastRefused } from '../define-sandbox.ts';
import { jsonAnswer, type SandboxAnswer } from '../platform-sandbox.ts';
import { type Fields, isCurrency, isDigest, record } from '../reading.ts';

const BATCH_MAX = 1_000;
const AGE_MAX_SEC = 7 * 86_400;
const FUTURE_MAX_SEC = 600;
/** Any of them is enough; of network address and browser both are needed. */
const IDENTIFIERS = ['email', 'phone', 'external_id', 'ttclid', 'ttp', 'idfa', 'gaid', 'idfv'];
const HASHED = ['email', 'phone', 'external_id', 'first_name', 'last_name', 'zip_code', 'idfa', 'gaid'];
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
  path: /^\/open_api\/v1\.3\/event\/track\/?$/,
  account: (_request, { event_source_id }) => event_source_id,
  events: 'data',
  eventsMax: BATCH_MAX,
  isTest: (_request, { test_event_code }) => typeof test_event_code === 'string',
  secret: ({ request }) => request.headers['access-token'],
  refusals: {
    noRoute: reply(PARAM_ERROR, 'No such path or method'),
    noToken: reply(40104, 'Access token is empty'),
    noJson: reply(PARAM_ERROR, 'Request body is not valid JSON'),
    wrongSecret: reply(40105, 'Access token is incorrect or has been revoked.'),
    unknownAccount: (account) => reply(40001, `No permission to operate pixel ${account}`),
    noEvents: reply(PARAM_ERROR, 'data: is required'),
    tooManyEvents: reply(40061, `data: at most ${BATCH_MAX} events`),
  },
  refuse: ({ body }) =>
    SOURCES.includes(body.event_source)
      ? null
      : reply(PARAM_ERROR, 'event_source: must be web, app, offline or crm'),
  reasonAt: 'message',
  refusalOf: (event, { body, context }) =>
    refusalOf(event, context.nowMs / 1_000) ?? (body.event_source === 'app' ? appRefusal(event) : null),
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

function appRefusal({ app, user }: Fields): Refusal | null {
  if (typeof record(app)?.app_id !== 'string') return bad('app.app_id: is required');
  return typeof record(user)?.att_status === 'string' ? null : bad('user.att_status: is required');
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
