// A stand-in for graph.facebook.com/{version}/{pixel}/events. Refuses whole requests, as the real one does.
// Subcodes 2804003 (too old) and 2804050 (nobody to match) are Meta's; the other refusals use Meta's general
// payload subcode, and what distinguishes them is in the wording.
import { defineSandbox } from '../define-sandbox.ts';
import { jsonAnswer, type SandboxAnswer } from '../platform-sandbox.ts';
import { type Fields, isCurrency, isDigest, record } from '../reading.ts';

const VERSIONS = { from: 25, to: 27 };
/** As Meta words it (https://developers.facebook.com/docs/marketing-api/overview/versioning). */
const ENDING = {
  'x-ad-api-version-warning': 'The call has been auto-upgraded to v26.0 as v25.0 will be deprecated.',
};
const versionIn = (path: string): number => Number(/\d+/.exec(path)?.[0]);
const BATCH_MAX = 1_000;
const DAY_SEC = 86_400;
const FUTURE_MAX_SEC = 600;
const HASHED = ['em', 'ph', 'ge', 'db', 'fn', 'ln', 'ct', 'st', 'zp', 'country', 'external_id'];
const ACTION_SOURCES: ReadonlySet<unknown> = new Set(
  'email website app phone_call chat physical_store system_generated business_messaging other'.split(' '),
);
/** Nobody is found by parameters that are all of one line. */
const TOO_BROAD = ['ct country st zp ge client_user_agent', 'db client_user_agent', 'fn ge', 'ln ge'];
const PAYLOAD = 2804019;
const TOO_OLD = 2804003;
const NOBODY = 2804050;
const MISSING =
  'does not exist, cannot be loaded due to missing permissions, or does not support this operation';
const NO_DATA = refused(100, '(#100) The parameter data is required');

interface Refusal {
  readonly subcode: number;
  readonly title: string;
}

export const sandbox = defineSandbox<Refusal>({
  slug: 'meta',
  hosts: ['graph.facebook.com'],
  dedupeWindowSec: 48 * 3_600,
  login: ['pixel_id', 'access_token'],
  seen: {
    name: 'event_name',
    id: 'event_id',
    value: 'custom_data.value',
    currency: 'custom_data.currency',
  },
  path: /^\/v\d{2}\.0\/([^/]+)\/events$/,
  events: 'data',
  eventsMax: BATCH_MAX,
  isTest: (_request, { test_event_code }) => typeof test_event_code === 'string',
  secret: ({ request: { query, headers }, body }) => {
    const given = query.access_token ?? body.access_token ?? headers.authorization?.replace(/^Bearer /i, '');
    return typeof given === 'string' ? given : undefined;
  },
  refusals: {
    noRoute: refused(2500, 'Unknown path components'),
    noToken: refused(104, 'An access token is required to request this resource.'),
    noJson: NO_DATA,
    wrongSecret: refused(190, 'Invalid OAuth access token - Cannot parse access token', 401),
    unknownAccount: (account) =>
      refused(100, `Unsupported post request. Object with ID '${account}' ${MISSING}`, 400, {
        error_subcode: 33,
      }),
    noEvents: NO_DATA,
    tooManyEvents: invalid({ subcode: PAYLOAD, title: `More than ${BATCH_MAX} events` }),
  },
  refuse: ({ request: { path } }) => {
    const version = versionIn(path);
    const isServed = version >= VERSIONS.from && version <= VERSIONS.to;
    return isServed ? null : refused(2635, 'You are calling a version of the API that is not available');
  },
  reasonAt: ({ error }) => record(error)?.error_user_title ?? record(error)?.message,
  refusalOf: (event, { context }) => refusalOf(event, context.nowMs / 1_000),
  reasonOf: ({ title }) => title,
  answer: (refusals, { request: { path } }) => {
    const first = refusals.find((refusal) => refusal !== null);
    const { headers, ...reply } = first ? invalid(first) : received(refusals.length);
    return { ...reply, headers: { ...headers, ...(versionIn(path) === VERSIONS.from ? ENDING : {}) } };
  },
  allOrNothing: true,
  provoked: {
    throttled: refused(4, '(#4) Application request limit reached', 429, { is_transient: true }),
    unavailable: refused(2, 'Service temporarily unavailable', 500, { is_transient: true }),
    unauthorized: refused(190, 'Error validating access token: Session has expired', 401, {
      error_subcode: 463,
    }),
  },
  wrongCounts: (reply) => ({ ...reply, answer: received(reply.events.length + 7) }),
});

/** Null when Meta takes the event. */
function refusalOf(fields: Fields, nowSec: number): Refusal | null {
  const userData = record(fields.user_data);
  if (typeof fields.event_name !== 'string' || fields.event_name === '') return bad('event_name is required');
  if (!ACTION_SOURCES.has(fields.action_source)) return bad('action_source is invalid');
  if (userData === undefined || isTooBroad(userData))
    return { subcode: NOBODY, title: 'Customer information parameters are insufficient' };
  if (fields.action_source === 'app' && !isAppData(record(fields.app_data) ?? {}))
    return bad('app_data of an app event needs extinfo and advertiser_tracking_enabled');
  return timeRefusal(fields, nowSec) ?? identityRefusal(userData) ?? moneyRefusal(fields);
}

/** The first entry is the version, the fifth the system's: both are required. */
const isAppData = ({ extinfo, advertiser_tracking_enabled: tracking }: Fields): boolean =>
  Array.isArray(extinfo) &&
  extinfo.length === 16 &&
  extinfo.every((entry) => typeof entry === 'string') &&
  /^[ia]2$/.test(String(extinfo[0])) &&
  extinfo[4] !== '' &&
  (tracking === 0 || tracking === 1);

function isTooBroad(userData: Fields): boolean {
  const said = Object.keys(userData);
  return TOO_BROAD.some((line) => said.every((key) => line.split(' ').includes(key)));
}

function timeRefusal(fields: Fields, nowSec: number): Refusal | null {
  if (!Number.isInteger(fields.event_time)) return bad('event_time must be an integer of seconds');
  const ageSec = nowSec - Number(fields.event_time);
  const ageMaxSec = (fields.action_source === 'physical_store' ? 62 : 7) * DAY_SEC;
  if (ageSec > ageMaxSec) return { subcode: TOO_OLD, title: 'Event Timestamp Too Old' };
  if (-ageSec > FUTURE_MAX_SEC) return bad('event_time is in the future');
  const url = fields.event_source_url;
  if (url !== undefined && !(typeof url === 'string' && /^https?:\/\//i.test(url)))
    return bad('event_source_url must begin with http:// or https://');
  return null;
}

function identityRefusal(userData: Fields): Refusal | null {
  const unhashed = HASHED.find((key) => userData[key] !== undefined && !isDigest(userData[key]));
  if (unhashed !== undefined) return bad(`user_data.${unhashed} must be hashed with SHA-256`);
  for (const key of ['lead_id', 'fb_login_id'])
    if (userData[key] !== undefined && typeof userData[key] !== 'number')
      return bad(`user_data.${key} must be an integer`);
  return null;
}

function moneyRefusal(fields: Fields): Refusal | null {
  const custom = record(fields.custom_data) ?? {};
  const { value, currency } = custom;
  if (value !== undefined && (typeof value !== 'number' || value < 0))
    return bad('custom_data.value must be a number');
  if (currency !== undefined && !(typeof currency === 'string' && isCurrency(currency.toUpperCase())))
    return bad('custom_data.currency must be an ISO 4217 code');
  if (fields.event_name === 'Purchase' && (value === undefined || currency === undefined))
    return bad('Purchase requires custom_data.value and custom_data.currency');
  return null;
}

/** No event of the request was taken. */
function invalid({ subcode, title }: Refusal): SandboxAnswer {
  return refused(100, 'Invalid parameter', 400, {
    error_subcode: subcode,
    is_transient: false,
    error_user_title: title,
    error_user_msg: 'No event of this request was processed.',
  });
}

const bad = (title: string): Refusal => ({ subcode: PAYLOAD, title });
const received = (count: number): SandboxAnswer =>
  jsonAnswer(200, { events_received: count, messages: [], fbtrace_id: 'Asandbox0000000000000' });

function refused(code: number, message: string, status = 400, more: Fields = {}): SandboxAnswer {
  const error = { type: 'OAuthException', code, message, ...more, fbtrace_id: 'Asandbox0000000000000' };
  return jsonAnswer(status, { error });
}
