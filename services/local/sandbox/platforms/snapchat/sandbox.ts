// A stand-in for tr.snapchat.com/v3/{pixel}/events and its /validate. The shape of the answers is the EventResponse and
// ValidateResponse of Snap's own SDK; with which status a refusal comes is not documented: here it is 400.
import { defineSandbox } from '../define-sandbox.ts';
import { jsonAnswer, type SandboxAnswer } from '../platform-sandbox.ts';
import { type Fields, isCurrency, isDecimal, isDigest, record } from '../reading.ts';

const BATCH_MAX = 2_000;
const AGE_MAX_SEC = 37 * 86_400;
const FUTURE_MAX_SEC = 600;
const MILLISECONDS_FROM = 1_000_000_000_000;
const HASHED = ['em', 'ph', 'fn', 'ln', 'ge', 'db', 'ct', 'st', 'zp', 'country', 'external_id'];
const PLAIN = [
  'client_ip_address',
  'client_user_agent',
  'madid',
  'sc_click_id',
  'sc_cookie1',
  'subscription_id',
];
const EVENT_NAMES: ReadonlySet<unknown> = new Set(
  [
    'PURCHASE SAVE START_CHECKOUT ADD_CART VIEW_CONTENT ADD_BILLING SIGN_UP SEARCH PAGE_VIEW SUBSCRIBE AD_CLICK AD_VIEW',
    'COMPLETE_TUTORIAL LEVEL_COMPLETE INVITE LOGIN SHARE RESERVE ACHIEVEMENT_UNLOCKED ADD_TO_WISHLIST SPENT_CREDITS',
    'RATE START_TRIAL LIST_VIEW APP_INSTALL APP_OPEN',
    'CUSTOM_EVENT_1 CUSTOM_EVENT_2 CUSTOM_EVENT_3 CUSTOM_EVENT_4 CUSTOM_EVENT_5',
  ]
    .join(' ')
    .split(' '),
);
const ACTION_SOURCES: readonly unknown[] = ['WEB', 'MOBILE_APP', 'OFFLINE', 'website', 'app'];

export const sandbox = defineSandbox<string>({
  slug: 'snapchat',
  hosts: ['tr.snapchat.com'],
  dedupeWindowSec: 48 * 3_600,
  login: ['pixel_id', 'access_token'],
  appLogin: ({ snap_app_id, access_token }) => ({
    account: String(snap_app_id),
    secret: String(access_token),
  }),
  seen: {
    name: 'event_name',
    id: 'event_id',
    value: 'custom_data.value',
    currency: 'custom_data.currency',
    key: (_event, { account, eventId }) => [account, eventId],
  },
  path: /^\/v3\/([^/]+)\/events(?:\/validate)?$/,
  events: 'data',
  eventsMax: BATCH_MAX,
  isTest: ({ path }, { test_event_code }) =>
    path.endsWith('/validate') || typeof test_event_code === 'string',
  secret: ({ request: { query, headers } }) =>
    query.access_token ?? headers.authorization?.replace(/^Bearer /i, ''),
  refusals: {
    noRoute: { status: 404, headers: {}, body: '' },
    noJson: invalid(400, 'The body is not valid JSON'),
    wrongSecret: invalid(401, 'Invalid access token'),
    unknownAccount: () => invalid(403, 'The token may not send events for this asset'),
    noEvents: invalid(400, 'data must hold at least one event'),
    tooManyEvents: invalid(400, `data must hold at most ${BATCH_MAX} events`),
  },
  refusalOf: (event, { context }) => refusalOf(event, context.nowMs / 1_000),
  reasonOf: (reason) => reason,
  answer: (reasons, { isTest }) => {
    const index = reasons.findIndex((reason) => reason !== null);
    return index < 0
      ? valid(reasons.length, isTest)
      : invalid(400, undefined, { index, reason: reasons[index] });
  },
  allOrNothing: true,
  provoked: {
    throttled: invalid(429, 'Too Many Requests'),
    unavailable: invalid(503, 'Service Unavailable'),
  },
});

/** Null when Snap takes the event. */
function refusalOf(fields: Fields, nowSec: number): string | null {
  if (!EVENT_NAMES.has(fields.event_name)) return 'event_name is invalid';
  if (!ACTION_SOURCES.includes(fields.action_source)) return 'action_source is invalid';
  if (fields.action_source === 'MOBILE_APP' && !isAppData(record(fields.app_data) ?? {}))
    return 'app_data of MOBILE_APP needs 16 texts of extinfo and advertiser_tracking_enabled';
  if (!Number.isInteger(fields.event_time)) return 'event_time must be an integer';
  const time = Number(fields.event_time);
  const ageSec = nowSec - (time >= MILLISECONDS_FROM ? time / 1_000 : time);
  if (ageSec > AGE_MAX_SEC) return 'event_time is older than 37 days';
  if (-ageSec > FUTURE_MAX_SEC) return 'event_time is in the future';
  return identityRefusal(record(fields.user_data) ?? {}) ?? contentRefusal(fields);
}

const isAppData = ({ extinfo, advertiser_tracking_enabled: tracking }: Fields): boolean =>
  Array.isArray(extinfo) &&
  extinfo.length === 16 &&
  extinfo.every((entry) => typeof entry === 'string') &&
  (tracking === 0 || tracking === 1);

function identityRefusal(user: Fields): string | null {
  const unhashed = HASHED.find((key) => user[key] !== undefined && !isDigest(user[key]));
  if (unhashed !== undefined) return `user_data.${unhashed} must be hashed with SHA-256`;
  const odd = PLAIN.find((key) => user[key] !== undefined && typeof user[key] !== 'string');
  if (odd !== undefined) return `user_data.${odd} must be a string`;
  const isOnDevice = isSaid(user.client_ip_address) && isSaid(user.client_user_agent);
  return isOnDevice || [user.em, user.ph, user.madid].some(isSaid)
    ? null
    : 'user_data needs em, ph, madid, or client_ip_address with client_user_agent';
}

const isSaid = (value: unknown): boolean =>
  value !== undefined && !(Array.isArray(value) && value.length === 0);

function contentRefusal(fields: Fields): string | null {
  const { value, currency, contents } = record(fields.custom_data) ?? {};
  if (value !== undefined && !isAmount(value)) return 'custom_data.value must be a number';
  if (currency !== undefined && !isCurrency(currency)) return 'custom_data.currency must be an ISO 4217 code';
  if (fields.event_name === 'PURCHASE' && (value === undefined || currency === undefined))
    return 'PURCHASE requires custom_data.value and custom_data.currency';
  if (contents === undefined) return null;
  const good = Array.isArray(contents) && contents.every((item) => isContent(record(item)));
  return good ? null : 'custom_data.contents must hold items with id, quantity and item_price as strings';
}

const isAmount = (value: unknown): boolean =>
  typeof value === 'number' ? value >= 0 : typeof value === 'string' && isDecimal(value);

const isContent = (item: Fields | undefined): boolean =>
  item !== undefined &&
  ['id', 'quantity', 'item_price'].every((key) => item[key] === undefined || typeof item[key] === 'string');

function valid(events: number, test: boolean): SandboxAnswer {
  const reason = 'Events have been processed successfully.';
  if (!test) return jsonAnswer(200, { status: 'VALID', reason });
  const logs = Array.from({ length: events }, (_, event) => ({ event, status: 'VALID' }));
  return jsonAnswer(200, { status: 'VALID', test_event: true, reason, event_logs: logs });
}

function invalid(
  status: number,
  reason?: string,
  bad?: { readonly index: number; readonly reason: string | null | undefined },
): SandboxAnswer {
  return jsonAnswer(status, {
    status: 'INVALID',
    ...(reason === undefined ? {} : { reason }),
    ...(bad === undefined ? {} : { event: bad.index, errors: { codes: [], error_msgs: [bad.reason] } }),
  });
}
