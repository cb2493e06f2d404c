// A stand-in for {host}/adsApi/v1/create/events and the Login with Amazon token endpoint. Answers 207 with the events it
// took, repeated whole, and those it did not, each by index.
import { type Call, defineSandbox, lastRefused } from '../define-sandbox.ts';
import { jsonAnswer, type SandboxAnswer } from '../platform-sandbox.ts';
import { type Fields, isDigest, record, recordsOf } from '../reading.ts';
import { bearerSecret } from '../token-endpoint.ts';
import { deletionRequest, eventCreate } from './schema.ts';

const EU_HOST = 'advertising-api-eu.amazon.com';
const BATCH_MAX = 500;
const AGE_MAX_SEC = 7 * 86_400;
const FUTURE_MAX_SEC = 600;
const HASHED: ReadonlySet<unknown> = new Set(
  'EMAIL PHONE FIRST_NAME LAST_NAME ADDRESS CITY STATE POSTAL'.split(' '),
);
const PURCHASE = 'OFF_AMAZON_PURCHASES';
const WRONG_COUNT = refused(400, 'BAD_REQUEST', `events must hold 1 to ${BATCH_MAX} entries`);

interface Complaint {
  readonly field: string;
  readonly message: string;
}

export const sandbox = defineSandbox<Complaint>({
  slug: 'amazon',
  hosts: ['advertising-api.amazon.com', EU_HOST, 'advertising-api-fe.amazon.com'],
  tokens: { hosts: ['api.amazon.com', 'api.amazon.co.uk', 'api.amazon.co.jp'], path: '/auth/o2/token' },
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
  path: /^\/adsApi\/v1\/create\/events$/,
  account: ({ headers }) => headers['amazon-ads-accountid'],
  events: 'events',
  eventsMax: BATCH_MAX,
  deletions: {
    path: /^\/accounts\/([^/]+)\/dsp\/conversionDefinitions\/delete$/,
    account: ({ path }) => path.split('/')[2],
    refuse: (call) => deletionRefusal(call),
    answer: jsonAnswer(207, { success: [{ index: 1 }], error: [] }),
  },
  secret: ({ request, context }) => bearerSecret(request, context.nowMs),
  refusals: {
    noRoute: refused(404, 'NOT_FOUND', 'No such resource'),
    noJson: refused(400, 'BAD_REQUEST', 'The body is not valid JSON'),
    wrongSecret: refused(401, 'UNAUTHORIZED', 'Not authorized to access this resource'),
    unknownAccount: () => refused(403, 'FORBIDDEN', 'Not authorized to manage events of this account'),
    noEvents: WRONG_COUNT,
    tooManyEvents: WRONG_COUNT,
  },
  refuse: ({ request: { headers } }) => {
    const missing = ['amazon-ads-clientid', 'amazon-ads-accountid'].find((header) => !headers[header]);
    return missing === undefined ? null : refused(400, 'BAD_REQUEST', `Header ${missing} is required`);
  },
  refusalOf: (event, { request, context }) =>
    schemaComplaint(event) ??
    timeComplaint(event, context.nowMs / 1_000) ??
    matchKeyComplaint(event) ??
    moneyComplaint(event) ??
    consentComplaint(event, request.host === EU_HOST),
  reasonOf: ({ message }) => message,
  answer: (complaints, call) => multiStatus(call.events, complaints),
  allOrNothing: false,
  provoked: {
    throttled: refused(429, 'TOO_MANY_REQUESTS', 'Too many requests'),
    unavailable: refused(503, 'INTERNAL_ERROR', 'Service unavailable'),
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

/** One of these requests is of one person; more than the one that is sent here would be answered one by one. */
function deletionRefusal({ request: { headers }, body }: Call): SandboxAnswer | null {
  if (!headers['amazon-advertising-api-clientid'])
    return refused(400, 'BAD_REQUEST', 'Header Amazon-Advertising-API-ClientId is required');
  if (headers['content-type'] !== 'application/vnd.dspuserdeletionrequest.v1+json')
    return refused(415, 'UNSUPPORTED_MEDIA_TYPE', 'Unsupported media type');
  const parsed = deletionRequest.safeParse(body);
  if (!parsed.success) return refused(400, 'BAD_REQUEST', parsed.error.issues[0]?.message ?? '');
  const complaint = matchKeyComplaint({ matchKeys: parsed.data.deletionRequests[0]?.matchKeys });
  return complaint === null
    ? null
    : jsonAnswer(207, {
        success: [],
        error: [{ index: 1, code: 'INVALID_ARGUMENT', message: complaint.message }],
      });
}

/** What the API's own description says: types, values, and no fields it does not have. */
function schemaComplaint(event: Fields): Complaint | null {
  const issue = eventCreate.safeParse(event).error?.issues[0];
  return issue === undefined ? null : bad(issue.path.join('.'), issue.message);
}

function timeComplaint({ eventTime }: Fields, nowSec: number): Complaint | null {
  const ageSec = nowSec - Date.parse(String(eventTime)) / 1_000;
  if (ageSec > AGE_MAX_SEC) return bad('eventTime', 'eventTime is older than 7 days');
  return -ageSec > FUTURE_MAX_SEC ? bad('eventTime', 'eventTime is in the future') : null;
}

function matchKeyComplaint({ matchKeys }: Fields): Complaint | null {
  const plain = recordsOf(matchKeys).find(({ type, values }) => HASHED.has(type) && !isDigest(values));
  return plain === undefined
    ? null
    : bad('matchKeys.values', `${String(plain.type)} must be hashed with SHA-256`);
}

function moneyComplaint({ value, currencyCode, unitsSold, eventDescription }: Fields): Complaint | null {
  const isPurchase = record(eventDescription)?.conversionType === PURCHASE;
  if (isPurchase && Number(value) < 0) return bad('value', 'value must not be negative');
  if (typeof value === 'number' && Number(value.toFixed(2)) !== value)
    return bad('value', 'value must have at most 2 decimals');
  return isPurchase || (currencyCode === undefined && unitsSold === undefined)
    ? null
    : bad('currencyCode', `currencyCode and unitsSold are for ${PURCHASE} only`);
}

function consentComplaint({ consent }: Fields, inEu: boolean): Complaint | null {
  return inEu && Object.keys(record(consent) ?? {}).length === 0
    ? bad('consent', 'One of geo, amazonConsent, tcf or gpp is required')
    : null;
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
  return jsonAnswer(status, { code, details: message, requestId: 'SANDBOX0000000000000' });
}
