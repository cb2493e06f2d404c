// A stand-in for graph.facebook.com/{version}/{pixel}/events. Refuses whole requests, as the real one does.
// Subcodes 2804003 (too old) and 2804050 (nobody to match) are Meta's; the other refusals use Meta's general
// payload subcode, and what distinguishes them is in the wording.
import {
  jsonAnswer,
  type PlatformSandbox,
  type SandboxAnswer,
  type SandboxContext,
  type SandboxEvent,
  type SandboxReply,
  type SandboxRequest,
} from '../platform-sandbox.ts';
import { type Fields, isCurrency, isDigest, parse, record } from '../reading.ts';

const PATH = /^\/v(\d{2})\.0\/([^/]+)\/events$/;
const VERSIONS = { from: 23, to: 26 };
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

interface Refusal {
  readonly subcode: number;
  readonly title: string;
}

export const sandbox: PlatformSandbox = {
  slug: 'meta',
  hosts: ['graph.facebook.com'],
  dedupeWindowSec: 48 * 3_600,
  login: (credentials) => ({
    account: String(credentials.pixel_id),
    secret: String(credentials.access_token),
  }),
  handle,
  provoked: {
    throttled: graphError(429, {
      code: 4,
      message: '(#4) Application request limit reached',
      is_transient: true,
    }),
    unavailable: graphError(500, { code: 2, message: 'Service temporarily unavailable', is_transient: true }),
    unauthorized: graphError(401, {
      code: 190,
      message: 'Error validating access token: Session has expired',
      error_subcode: 463,
    }),
  },
  wrongCounts: (reply) => ({ ...reply, answer: received(reply.events.length + 7) }),
};

function handle(request: SandboxRequest, context: SandboxContext): SandboxReply {
  const [, version, pixel = ''] = PATH.exec(request.path) ?? [];
  const body = parse(request.body);
  const data = Array.isArray(body?.data) ? body.data : [];
  const test = typeof body?.test_event_code === 'string';
  const refusal = requestRefusal(request, body, version, pixel, context);
  if (refusal !== null)
    return {
      answer: graphError(refusal.status, refusal.error),
      events: data.map((event) =>
        seen(pixel, event, test, { subcode: 0, title: String(refusal.error.message) }),
      ),
    };
  if (data.length > BATCH_MAX)
    return refuseEvents(pixel, data, test, { subcode: PAYLOAD, title: `More than ${BATCH_MAX} events` });
  const refusals = data.map((event) => refusalOf(event, context.nowMs / 1_000));
  const first = refusals.find((found) => found !== null);
  if (first) return refuseEvents(pixel, data, test, first, refusals);
  return { answer: received(data.length), events: data.map((event) => seen(pixel, event, test)) };
}

/** Why the request is refused before any event of it is looked at. */
function requestRefusal(
  request: SandboxRequest,
  body: Fields | undefined,
  version: string | undefined,
  pixel: string,
  context: SandboxContext,
): { readonly status: number; readonly error: Fields } | null {
  if (version === undefined || request.method !== 'POST')
    return { status: 400, error: { code: 2500, message: 'Unknown path components' } };
  if (Number(version) < VERSIONS.from || Number(version) > VERSIONS.to)
    return {
      status: 400,
      error: { code: 2635, message: 'You are calling a version of the API that is not available' },
    };
  const token =
    request.query.access_token ??
    body?.access_token ??
    request.headers.authorization?.replace(/^Bearer /i, '');
  if (typeof token !== 'string' || token === '')
    return {
      status: 400,
      error: { code: 104, message: 'An access token is required to request this resource.' },
    };
  const login = context.check(pixel, token);
  if (login === 'wrong_secret')
    return {
      status: 401,
      error: { code: 190, message: 'Invalid OAuth access token - Cannot parse access token' },
    };
  const missing =
    'does not exist, cannot be loaded due to missing permissions, or does not support this operation';
  if (login === 'unknown_account')
    return {
      status: 400,
      error: {
        code: 100,
        error_subcode: 33,
        message: `Unsupported post request. Object with ID '${pixel}' ${missing}`,
      },
    };
  if (!Array.isArray(body?.data) || body.data.length === 0)
    return { status: 400, error: { code: 100, message: '(#100) The parameter data is required' } };
  return null;
}

/** Null when Meta takes the event. */
function refusalOf(event: unknown, nowSec: number): Refusal | null {
  const fields = record(event);
  if (fields === undefined) return bad('An event must be an object');
  const userData = record(fields.user_data);
  if (typeof fields.event_name !== 'string' || fields.event_name === '') return bad('event_name is required');
  if (!ACTION_SOURCES.has(fields.action_source)) return bad('action_source is invalid');
  if (userData === undefined || isTooBroad(userData))
    return { subcode: NOBODY, title: 'Customer information parameters are insufficient' };
  return timeRefusal(fields, nowSec) ?? identityRefusal(userData) ?? moneyRefusal(fields);
}

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

function seen(pixel: string, event: unknown, test: boolean, refusal?: Refusal | null): SandboxEvent {
  const fields = record(event) ?? {};
  const custom = record(fields.custom_data) ?? {};
  const eventName = String(fields.event_name ?? '');
  const eventId = typeof fields.event_id === 'string' ? fields.event_id : '';
  return {
    account: pixel,
    eventName,
    eventId,
    test,
    accepted: refusal === undefined,
    ...(refusal === undefined ? {} : { reason: refusal === null ? 'refused with its batch' : refusal.title }),
    ...(eventId === '' ? {} : { dedupeKey: `${pixel}\n${eventName}\n${eventId}` }),
    ...(typeof custom.value === 'number' ? { value: custom.value } : {}),
    ...(typeof custom.currency === 'string' ? { currency: custom.currency } : {}),
    payload: event,
  };
}

function refuseEvents(
  pixel: string,
  data: readonly unknown[],
  test: boolean,
  refusal: Refusal,
  refusals: readonly (Refusal | null)[] = data.map(() => refusal),
): SandboxReply {
  const error = {
    code: 100,
    message: 'Invalid parameter',
    error_subcode: refusal.subcode,
    is_transient: false,
    error_user_title: refusal.title,
    error_user_msg: 'No event of this request was processed.',
  };
  return {
    answer: graphError(400, error),
    events: data.map((event, i) => seen(pixel, event, test, refusals[i] ?? null)),
  };
}

const bad = (title: string): Refusal => ({ subcode: PAYLOAD, title });
const received = (count: number): SandboxAnswer =>
  jsonAnswer(200, { events_received: count, messages: [], fbtrace_id: 'Asandbox0000000000000' });

function graphError(status: number, error: Fields): SandboxAnswer {
  return jsonAnswer(status, {
    error: { type: 'OAuthException', ...error, fbtrace_id: 'Asandbox0000000000000' },
  });
}
