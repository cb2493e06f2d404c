// A stand-in for {host}/adsApi/v1/create/events and the Login with Amazon token endpoint. Answers 207 with the events it
// took, repeated whole, and those it did not, each by index.
import { type Call, defineSandbox, lastRefused } from '../define-sandbox.ts';
import {
  jsonAnswer,
  type PlatformSandbox,
  type SandboxAnswer,
  type SandboxContext,
  type SandboxRequest,
} from '../platform-sandbox.ts';
import { type Fields, isDigest, listOf, parse, record } from '../reading.ts';
import { bearerSecret, tokenAnswer } from '../token-endpoint.ts';
import { conversionType, currencyCode as currency, eventCreate } from './schema.ts';

const API_HOSTS = [
  'advertising-api.amazon.com',
  'advertising-api-eu.amazon.com',
  'advertising-api-fe.amazon.com',
];
const TOKEN_HOSTS = ['api.amazon.com', 'api.amazon.co.uk', 'api.amazon.co.jp'];
const EU_HOST = 'advertising-api-eu.amazon.com';
const BATCH_MAX = 500;
const AGE_MAX_SEC = 7 * 86_400;
const FUTURE_MAX_SEC = 600;
const MATCH_KEYS_MAX = 15;
const CUSTOM_DATA_MAX = 13;
const HASHED: ReadonlySet<unknown> = new Set(
  'EMAIL PHONE FIRST_NAME LAST_NAME ADDRESS CITY STATE POSTAL'.split(' '),
);
const RAW: ReadonlySet<unknown> = new Set('MAID RAMP_ID MATCH_ID REAL_ID MERKLE_ID KANTAR_ID FIP'.split(' '));
const SOURCES: ReadonlySet<unknown> = new Set(
  'ANDROID FIRE_TV IOS MEASUREMENT_ATTRIBUTION_PARTNER OFFLINE WEBSITE'.split(' '),
);
const CONSENT: ReadonlySet<unknown> = new Set(['GRANTED', 'DENIED']);
const PURCHASE = 'OFF_AMAZON_PURCHASES';

interface Complaint {
  readonly field: string;
  readonly message: string;
}

const events = defineSandbox<Complaint>({
  slug: 'amazon',
  hosts: [...API_HOSTS, ...TOKEN_HOSTS],
  // Of equal ids the latest is kept, without a documented end.
  dedupeWindowSec: 0,
  login: ['account_id', 'refresh_token'],
  seen: {
    name: 'eventDescription.conversionType',
    id: 'eventId',
    value: 'value',
    currency: 'currencyCode',
    // Across all names: two different events of one id are one event at Amazon.
    key: (_event, { account, eventId }) => [account, eventId],
  },
  read: ({ headers, body: text }) => {
    const body = parse(text);
    return {
      account: headers['amazon-ads-accountid'] ?? '',
      body,
      events: listOf(body?.events),
      test: false,
    };
  },
  refuse: requestRefusal,
  refusalOf: (event, nowMs, request) => complaintAbout(event, request.host === EU_HOST, nowMs / 1_000),
  reasonOf: ({ message }) => message,
  answer: (complaints, call) => multiStatus(call.events, complaints),
  allOrNothing: false,
  provoked: {
    throttled: refused(429, 'TOO_MANY_REQUESTS', 'Too many requests'),
    unavailable: refused(503, 'INTERNAL_ERROR', 'Service unavailable'),
    unauthorized: refused(401, 'UNAUTHORIZED', 'Not authorized to access this resource'),
  },
  partial: (whole) => {
    const events = lastRefused(whole.events);
    const complaints = events.map(({ accepted }) => (accepted ? null : bad('eventTime', 'provoked')));
    return {
      answer: multiStatus(
        events.map(({ payload }) => payload),
        complaints,
      ),
      events,
    };
  },
});

export const sandbox: PlatformSandbox = {
  ...events,
  handle: (request, context) =>
    TOKEN_HOSTS.includes(request.host) && request.path === '/auth/o2/token'
      ? { answer: tokenAnswer(request, context), events: [] }
      : events.handle(request, context),
};

/** Why the request is refused before any event of it is looked at. */
function requestRefusal(
  request: SandboxRequest,
  { account, body, events: list }: Call,
  context: SandboxContext,
): SandboxAnswer | null {
  if (
    !API_HOSTS.includes(request.host) ||
    request.path !== '/adsApi/v1/create/events' ||
    request.method !== 'POST'
  )
    return refused(404, 'NOT_FOUND', 'No such resource');
  const secret = bearerSecret(request, context.nowMs);
  if (secret === null) return refused(401, 'UNAUTHORIZED', 'Not authorized to access this resource');
  for (const header of ['amazon-ads-clientid', 'amazon-ads-accountid'])
    if (!request.headers[header]) return refused(400, 'BAD_REQUEST', `Header ${header} is required`);
  const login = context.check(account, secret);
  if (login === 'wrong_secret') return refused(401, 'UNAUTHORIZED', 'Not authorized to access this resource');
  if (login === 'unknown_account')
    return refused(403, 'FORBIDDEN', 'Not authorized to manage events of this account');
  if (body === undefined) return refused(400, 'BAD_REQUEST', 'The body is not valid JSON');
  if (list.length === 0 || list.length > BATCH_MAX)
    return refused(400, 'BAD_REQUEST', `events must hold 1 to ${BATCH_MAX} entries`);
  return null;
}

/** Null when Amazon takes the event. */
function complaintAbout(fields: Fields, inEu: boolean, nowSec: number): Complaint | null {
  const description = record(fields.eventDescription) ?? {};
  if (typeof description.name !== 'string' || description.name === '')
    return bad('eventDescription.name', 'name is required');
  if (!conversionType.safeParse(description.conversionType).success)
    return bad('eventDescription.conversionType', 'conversionType is not valid');
  if (!SOURCES.has(description.eventSource))
    return bad('eventDescription.eventSource', 'eventSource is not valid');
  if (description.eventIngestionMethod !== 'SERVER_TO_SERVER')
    return bad('eventDescription.eventIngestionMethod', 'eventIngestionMethod is not valid');
  const { dataSetName } = description;
  if (dataSetName !== undefined && !/^[A-Za-z][A-Za-z0-9_-]*$/.test(String(dataSetName)))
    return bad('eventDescription.dataSetName', 'dataSetName is not valid');
  if (typeof fields.countryCode !== 'string' || !/^[A-Z]{2}$/.test(fields.countryCode))
    return bad('countryCode', 'countryCode must be an ISO 3166-1 alpha-2 code');
  return (
    timeComplaint(fields, nowSec) ??
    matchKeyComplaint(fields) ??
    moneyComplaint(fields) ??
    consentComplaint(fields, inEu) ??
    customDataComplaint(fields) ??
    schemaComplaint(fields)
  );
}

/** Everything else the API's own description says: types, and fields it does not have. */
function schemaComplaint(fields: Fields): Complaint | null {
  const issue = eventCreate.safeParse(fields).error?.issues[0];
  return issue === undefined ? null : bad(issue.path.join('.'), issue.message);
}

function timeComplaint({ eventTime }: Fields, nowSec: number): Complaint | null {
  const ms =
    typeof eventTime === 'string' && /^\d{4}-\d\d-\d\dT/.test(eventTime) ? Date.parse(eventTime) : Number.NaN;
  if (Number.isNaN(ms)) return bad('eventTime', 'eventTime must be an ISO 8601 date and time');
  const ageSec = nowSec - ms / 1_000;
  if (ageSec > AGE_MAX_SEC) return bad('eventTime', 'eventTime is older than 7 days');
  return -ageSec > FUTURE_MAX_SEC ? bad('eventTime', 'eventTime is in the future') : null;
}

function matchKeyComplaint({ matchKeys }: Fields): Complaint | null {
  if (!Array.isArray(matchKeys) || matchKeys.length === 0 || matchKeys.length > MATCH_KEYS_MAX)
    return bad('matchKeys', `matchKeys must hold 1 to ${MATCH_KEYS_MAX} entries`);
  for (const key of matchKeys) {
    const { type, values } = record(key) ?? {};
    const [value, ...more] = listOf(values);
    if (typeof value !== 'string' || value === '' || more.length > 0)
      return bad('matchKeys.values', 'values must hold exactly one entry');
    if (HASHED.has(type) && !isDigest(value))
      return bad('matchKeys.values', `${String(type)} must be hashed with SHA-256`);
    if (!HASHED.has(type) && !RAW.has(type)) return bad('matchKeys.type', 'type is not valid');
  }
  return null;
}

function moneyComplaint(fields: Fields): Complaint | null {
  const { value, currencyCode, unitsSold } = fields;
  const isPurchase = record(fields.eventDescription)?.conversionType === PURCHASE;
  if (value !== undefined && (typeof value !== 'number' || (isPurchase && value < 0)))
    return bad('value', 'value must be a number');
  if (typeof value === 'number' && Number(value.toFixed(2)) !== value)
    return bad('value', 'value must have at most 2 decimals');
  if (currencyCode !== undefined && !currency.safeParse(currencyCode).success)
    return bad('currencyCode', 'currencyCode is not supported');
  if (!isPurchase && (currencyCode !== undefined || unitsSold !== undefined))
    return bad('currencyCode', `currencyCode and unitsSold are for ${PURCHASE} only`);
  if (unitsSold !== undefined && !Number.isInteger(unitsSold))
    return bad('unitsSold', 'unitsSold must be an integer');
  return null;
}

function consentComplaint({ consent }: Fields, inEu: boolean): Complaint | null {
  const given = record(consent);
  if (given === undefined || Object.keys(given).length === 0)
    return inEu ? bad('consent', 'One of geo, amazonConsent, tcf or gpp is required') : null;
  const amazon = record(given.amazonConsent);
  if (amazon === undefined) return null;
  const { amznUserData, amznAdStorage } = amazon;
  return CONSENT.has(amznUserData) && (amznAdStorage === undefined || CONSENT.has(amznAdStorage))
    ? null
    : bad('consent.amazonConsent', 'amazonConsent must be GRANTED or DENIED');
}

function customDataComplaint({ customData }: Fields): Complaint | null {
  if (customData === undefined) return null;
  if (!Array.isArray(customData) || customData.length > CUSTOM_DATA_MAX)
    return bad('customData', `customData must hold at most ${CUSTOM_DATA_MAX} entries`);
  const fits = (text: unknown): boolean => typeof text === 'string' && /^[A-Za-z0-9_]+$/.test(text);
  return customData.every((item) => fits(record(item)?.name) && fits(record(item)?.value))
    ? null
    : bad('customData', 'Only letters, numbers and the underscore are allowed');
}

const bad = (field: string, message: string): Complaint => ({ field, message });

function multiStatus(events: readonly unknown[], complaints: readonly (Complaint | null)[]): SandboxAnswer {
  const entries = events.map((event, index) => ({ index, event, complaint: complaints[index] ?? null }));
  return jsonAnswer(207, {
    success: entries.flatMap(({ index, event, complaint }) => (complaint === null ? [{ index, event }] : [])),
    error: entries.flatMap(({ index, complaint }) =>
      complaint === null ? [] : [{ index, errors: [errorOf(index, complaint)] }],
    ),
  });
}

const errorOf = (index: number, { field, message }: Complaint) => ({
  code: 'FIELD_VALUE_IS_INVALID',
  fieldLocation: `$.events[${index}].${field}`,
  message,
});

function refused(status: number, code: string, message: string): SandboxAnswer {
  return jsonAnswer(status, { code, message });
}
