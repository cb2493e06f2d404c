// A stand-in for the Measurement Protocol. Production answers 204 whatever arrives and drops in silence what it
// cannot use; the sandbox does the same and says in its record what was dropped and why. The validation server
// complains in the open, does not look at the API secret, and stores nothing.
import { seenBy } from '../define-sandbox.ts';
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
import { dataManager } from './ingest.ts';
import { isReservedName, isWellNamed } from './names.ts';

const EVENTS_MAX = 25;
const PARAMS_MAX = 25;
const BODY_MAX_BYTES = 130_000;
const AGE_MAX_SEC = 72 * 3_600;
const FUTURE_MAX_SEC = 900;

interface Complaint {
  readonly fieldPath: string;
  readonly description: string;
  readonly validationCode: string;
}

export const sandbox: PlatformSandbox = {
  slug: 'ga4',
  other: dataManager,
  hosts: ['www.google-analytics.com', 'region1.google-analytics.com'],
  dedupeWindowSec: 0,
  silent: true,
  login: (credentials) => ({
    account: String(credentials.measurement_id),
    secret: String(credentials.api_secret),
  }),
  appLogin: (credentials) => ({
    account: String(credentials.firebase_app_id),
    secret: String(credentials.app_api_secret),
  }),
  handle,
  provoked: {
    throttled: { status: 429, headers: {}, body: '' },
    unavailable: { status: 503, headers: {}, body: '' },
    unauthorized: { status: 401, headers: {}, body: '' },
  },
};

const seen = seenBy({
  name: 'name',
  id: 'params.event_id',
  value: 'params.value',
  currency: 'params.currency',
  // Nothing but purchases is deduplicated, by their transaction.
  key: ({ params }, { account, eventName }) =>
    eventName === 'purchase' ? [account, eventName, record(params)?.transaction_id] : undefined,
});

const NO_CONTENT: SandboxAnswer = { status: 204, headers: {}, body: '' };

function handle(request: SandboxRequest, context: SandboxContext): SandboxReply {
  const debug = request.path === '/debug/mp/collect';
  if (!debug && request.path !== '/mp/collect')
    return {
      answer: { status: 404, headers: { 'content-type': 'text/html' }, body: '<html>404</html>' },
      events: [],
    };
  if (request.method !== 'POST') return { answer: { status: 405, headers: {}, body: '' }, events: [] };
  const app = request.query.firebase_app_id;
  const account = app ?? request.query.measurement_id ?? '';
  const body = parse(request.body);
  const general = bodyComplaints(request.body, body, app === undefined ? 'client_id' : 'app_instance_id');
  const list = Array.isArray(body?.events) ? body.events : [];
  const perEvent = list.map((event, i) => eventComplaints(event, `events[${i}]`));
  if (debug)
    return {
      answer: jsonAnswer(200, { validationMessages: [...general, ...perEvent.flat()] }),
      events: list.map((event, i) =>
        seen(account, event, true, [...general, ...(perEvent[i] ?? [])][0]?.description),
      ),
    };
  const login = account === '' ? 'unknown_account' : context.check(account, request.query.api_secret ?? '');
  const closed = login === 'ok' ? undefined : login;
  return {
    answer: NO_CONTENT,
    events: list.map((event, i) => {
      const dropped = closed ?? general[0]?.description ?? perEvent[i]?.[0]?.description;
      return dropped === undefined
        ? timed(seen(account, event, false), event, body, context.nowMs / 1_000)
        : seen(account, event, false, dropped);
    }),
  };
}

function bodyComplaints(
  text: string,
  body: Fields | undefined,
  device: 'client_id' | 'app_instance_id',
): readonly Complaint[] {
  if (body === undefined) return [complaint('', 'Unable to parse the body as JSON', 'VALUE_INVALID')];
  const out: Complaint[] = [];
  if (Buffer.byteLength(text) > BODY_MAX_BYTES)
    out.push(complaint('', 'The body exceeds 130 kB', 'EXCEEDED_MAX_ENTITIES'));
  const id = body[device];
  if (typeof id !== 'string' || id === '')
    out.push(complaint(device, `Measurement requires a ${device}`, 'VALUE_REQUIRED'));
  if (!Array.isArray(body.events) || body.events.length === 0)
    out.push(complaint('events', 'A request must have at least one event', 'VALUE_REQUIRED'));
  else if (body.events.length > EVENTS_MAX)
    out.push(complaint('events', `A request can have at most ${EVENTS_MAX} events`, 'EXCEEDED_MAX_ENTITIES'));
  return [...out, ...userDataComplaints(record(body.user_data) ?? {})];
}

function userDataComplaints(userData: Fields): readonly Complaint[] {
  const address = Array.isArray(userData.address) ? (record(userData.address[0]) ?? {}) : {};
  const digests: Fields = {
    sha256_email_address: userData.sha256_email_address,
    sha256_phone_number: userData.sha256_phone_number,
    'address[0].sha256_first_name': address.sha256_first_name,
    'address[0].sha256_last_name': address.sha256_last_name,
  };
  return Object.entries(digests)
    .filter(([, value]) => value !== undefined && !isDigest(value))
    .map(([key]) => complaint(`user_data.${key}`, `${key} must be a SHA-256 digest in hex`, 'VALUE_INVALID'));
}

function eventComplaints(event: unknown, path: string): readonly Complaint[] {
  const fields = record(event) ?? {};
  const name = typeof fields.name === 'string' ? fields.name : '';
  if (name === '') return [complaint(`${path}.name`, 'An event needs a name', 'VALUE_REQUIRED')];
  if (isReservedName(name))
    return [complaint(`${path}.name`, `The name ${name} is reserved`, 'NAME_RESERVED')];
  if (!isWellNamed(name))
    return [complaint(`${path}.name`, 'The name of an event is invalid', 'NAME_INVALID')];
  const params = record(fields.params) ?? {};
  const keys = Object.keys(params);
  if (keys.length > PARAMS_MAX)
    return [
      complaint(
        `${path}.params`,
        `An event can have at most ${PARAMS_MAX} parameters`,
        'EXCEEDED_MAX_ENTITIES',
      ),
    ];
  const misnamed = keys.find((key) => !isWellNamed(key));
  if (misnamed !== undefined)
    return [complaint(`${path}.params`, 'The name of a parameter is invalid', 'NAME_INVALID')];
  return moneyComplaints(name, params, path);
}

function moneyComplaints(name: string, params: Fields, path: string): readonly Complaint[] {
  const at = `${path}.params`;
  if (params.value !== undefined && typeof params.value !== 'number')
    return [complaint(`${at}.value`, 'value must be a number', 'VALUE_INVALID')];
  if (params.value !== undefined && params.currency === undefined)
    return [complaint(`${at}.currency`, 'currency is required with value', 'VALUE_REQUIRED')];
  if (params.currency !== undefined && !isCurrency(params.currency))
    return [complaint(`${at}.currency`, 'currency must be an ISO 4217 code', 'VALUE_INVALID')];
  if ((name === 'purchase' || name === 'refund') && typeof params.transaction_id !== 'string')
    return [complaint(`${at}.transaction_id`, `${name} requires transaction_id`, 'VALUE_REQUIRED')];
  return [];
}

/** Times outside the 72 hours are not refused but moved: the event counts, on the wrong day. */
function timed(event: SandboxEvent, sent: unknown, body: Fields | undefined, nowSec: number): SandboxEvent {
  const micros = record(sent)?.timestamp_micros ?? body?.timestamp_micros;
  const ageSec = nowSec - Number(micros ?? nowSec * 1e6) / 1e6;
  if (ageSec > AGE_MAX_SEC) return { ...event, reason: 'timestamp older than 72 h: moved' };
  if (-ageSec > FUTURE_MAX_SEC) return { ...event, reason: 'timestamp in the future: moved' };
  return event;
}

const complaint = (fieldPath: string, description: string, validationCode: string): Complaint => ({
  fieldPath,
  description,
  validationCode,
});
