// A stand-in for capi.uet.microsoft.com/v1/{tag}/events. Says of every bad event by index what is wrong with it; takes
// the others only where the request asks for that. Refunds: adjustments.ts.
import { bearerOf, type Call, defineSandbox, lastRefused } from '../define-sandbox.ts';
import { jsonAnswer, type PlatformSandbox, type SandboxAnswer } from '../platform-sandbox.ts';
import { type Fields, isCurrency, isDigest, record } from '../reading.ts';
import { adjustments } from './adjustments.ts';

const BATCH_MAX = 1_000;
const AGE_MAX_SEC = 7 * 86_400;
const FUTURE_MAX_SEC = 600;
const TRACE_ID = '00-5a17b0c5a17b0c5a-01';
const UUID = /^[0-9a-f]{8}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{12}$/i;
const PAGE_TYPES: ReadonlySet<unknown> = new Set(
  'home product category searchresults cart purchase other'.split(' '),
);

/** One of these is required: an address and a browser are not enough. */
const IDENTIFIERS = ['em', 'ph', 'externalId', 'anonymousId', 'msclkid', 'idfa', 'gaid'];

interface Complaint {
  readonly propertyName: string;
  readonly attemptedValue?: unknown;
  readonly errorMessage: string;
}

const events = defineSandbox<Complaint>({
  slug: 'microsoft',
  hosts: ['capi.uet.microsoft.com'],
  // No window is documented, and nothing older than seven days is taken anyway.
  dedupeWindowSec: 0,
  login: ['tag_id', 'api_token'],
  seen: {
    name: ({ eventName, eventType }) => eventName ?? eventType,
    id: 'eventId',
    value: 'customData.value',
    currency: 'customData.currency',
  },
  path: /^\/v1\/([^/]+)\/events$/,
  events: 'data',
  eventsMax: BATCH_MAX,
  secret: bearerOf,
  refusals: {
    noRoute: refused(404, 'NotFound', 'Resource not found.'),
    noJson: refused(400, 'InvalidJson', 'The request body is not valid JSON.'),
    wrongSecret: refused(401, 'Unauthorized', 'The token is missing, expired or not valid for this tag.'),
    noEvents: refused(400, 'ValidationError', "'data' must hold at least one event."),
    tooManyEvents: refused(400, 'ValidationError', `'data' must hold at most ${BATCH_MAX} events.`),
  },
  refusalOf: (event, { context }) => complaintAbout(event, context.nowMs / 1_000),
  reasonOf: ({ errorMessage }) => errorMessage,
  answer: (complaints, call) => {
    const details = complaints.flatMap((one, i) => (one === null ? [] : [detail(i, one)]));
    return details.length > 0 && stopsAtFirst(call)
      ? refused(400, 'ValidationError', 'One or more validation errors occurred.', details)
      : taken(complaints.length - details.length, details);
  },
  allOrNothing: stopsAtFirst,
  provoked: {
    throttled: refused(429, 'TooManyRequests', 'Rate limit is exceeded. Try again later.'),
    unavailable: refused(503, 'ServiceUnavailable', 'The service is temporarily unavailable.'),
  },
  partial: (whole) => {
    const last = whole.events.length - 1;
    const answer = taken(last, [detail(last, invalid('eventTime', 'provoked'))]);
    return { answer, events: lastRefused(whole.events) };
  },
  wrongCounts: (reply) => ({ ...reply, answer: taken(reply.events.length + 7) }),
});

/** Adjustments are shown, and no events that it counts. */
export const sandbox: PlatformSandbox = {
  ...events,
  hosts: [...events.hosts, ...adjustments.hosts],
  appLogin: adjustments.login,
  handle: (request, context) => {
    if (!adjustments.hosts.includes(request.host)) return events.handle(request, context);
    const reply = adjustments.handle(request, context);
    return { ...reply, events: reply.events.map((event) => ({ ...event, adjusts: true })) };
  },
};

function stopsAtFirst({ body }: Call): boolean {
  return body.continueOnValidationError !== true;
}

/** Null when Microsoft takes the event. */
function complaintAbout(fields: Fields, nowSec: number): Complaint | null {
  const { eventType, eventName, adStorageConsent } = fields;
  if (eventType !== 'pageLoad' && eventType !== 'custom')
    return invalid('eventType', "'eventType' must be pageLoad or custom.", eventType);
  if (eventType === 'custom' && (typeof eventName !== 'string' || eventName === ''))
    return invalid('eventName', "'eventName' is required for custom events.");
  if (adStorageConsent !== undefined && adStorageConsent !== 'G' && adStorageConsent !== 'D')
    return invalid('adStorageConsent', "'adStorageConsent' must be G or D.", adStorageConsent);
  return (
    timeComplaint(fields, nowSec) ?? userComplaint(record(fields.userData) ?? {}) ?? moneyComplaint(fields)
  );
}

function timeComplaint(fields: Fields, nowSec: number): Complaint | null {
  const { eventTime, eventType } = fields;
  if (!Number.isInteger(eventTime))
    return invalid('eventTime', "'eventTime' must be Unix seconds.", eventTime);
  const ageSec = nowSec - Number(eventTime);
  if (ageSec > AGE_MAX_SEC) return invalid('eventTime', "'eventTime' is older than 7 days.", eventTime);
  if (-ageSec > FUTURE_MAX_SEC) return invalid('eventTime', "'eventTime' is in the future.", eventTime);
  for (const key of ['eventSourceUrl', 'referrerUrl']) {
    const url = fields[key];
    const required = key === 'eventSourceUrl' && eventType === 'pageLoad';
    if (
      url === undefined ? required : !(typeof url === 'string' && /^https?:/i.test(url) && URL.canParse(url))
    )
      return invalid(key, `'${key}' must be an absolute URL.`, url);
  }
  return null;
}

function userComplaint(userData: Fields): Complaint | null {
  if (!IDENTIFIERS.some((key) => key in userData))
    return invalid('userData', 'At least one user identifier is required.');
  for (const key of ['em', 'ph'])
    if (userData[key] !== undefined && (typeof userData[key] !== 'string' || !isDigest(userData[key])))
      return invalid(`userData.${key}`, `'${key}' must be a valid SHA256 string.`);
  for (const key of ['msclkid', 'idfa', 'gaid'])
    if (userData[key] !== undefined && !UUID.test(String(userData[key])))
      return invalid(`userData.${key}`, `'${key}' must be a valid UUID.`);
  return null;
}

function moneyComplaint(fields: Fields): Complaint | null {
  const custom = record(fields.customData) ?? {};
  for (const key of ['value', 'ecommTotalValue'])
    if (custom[key] !== undefined && (typeof custom[key] !== 'number' || custom[key] < 0))
      return invalid(`customData.${key}`, `'${key}' must be a number.`, custom[key]);
  if (fields.eventType === 'pageLoad' && custom.value !== undefined)
    return invalid('customData.value', "'value' is not allowed for pageLoad events.", custom.value);
  const { currency, pageType, items } = custom;
  if (custom.value !== undefined && currency === undefined)
    return invalid('customData.currency', "'currency' is required with 'value'.");
  if (currency !== undefined && !isCurrency(currency))
    return invalid('customData.currency', "'currency' must be an ISO 4217 code.", currency);
  if (pageType !== undefined && !PAGE_TYPES.has(pageType))
    return invalid('customData.pageType', "'pageType' is not valid.", pageType);
  if (items !== undefined && !(Array.isArray(items) && items.every(isItem)))
    return invalid('customData.items', "'items' must hold items with whole quantities and numeric prices.");
  return null;
}

function isItem(item: unknown): boolean {
  const { quantity, price } = record(item) ?? {};
  return (
    (quantity === undefined || Number.isInteger(quantity)) &&
    (price === undefined || typeof price === 'number')
  );
}

const invalid = (propertyName: string, errorMessage: string, attemptedValue?: unknown): Complaint => ({
  propertyName,
  ...(attemptedValue === undefined ? {} : { attemptedValue }),
  errorMessage,
});

const detail = (index: number, complaint: Complaint) => ({ index, ...complaint, isWarning: false });

function taken(count: number, details: readonly unknown[] = []): SandboxAnswer {
  const error = { code: 'ValidationError', message: 'One or more validation errors occurred.', details };
  return jsonAnswer(200, {
    eventsReceived: count,
    ...(details.length === 0 ? {} : { error }),
    traceId: TRACE_ID,
  });
}

function refused(status: number, code: string, message: string, details?: readonly unknown[]): SandboxAnswer {
  const error = { code, message, ...(details === undefined ? {} : { details }) };
  return jsonAnswer(status, { error, traceId: TRACE_ID });
}
