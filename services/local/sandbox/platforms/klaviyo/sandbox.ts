// A stand-in for a.klaviyo.com/api/events, /api/event-bulk-create-jobs and /api/data-privacy-deletion-jobs. Takes a request whole or refuses it with
// JSON:API errors that point at the field; an unknown field is one. Limits are those that Klaviyo's OpenAPI document states.
import { hash } from 'node:crypto';
import { type Call, defineSandbox } from '../define-sandbox.ts';
import type { SandboxAnswer } from '../platform-sandbox.ts';
import { type Fields, isCurrency, listOf, record } from '../reading.ts';
import { KLAVIYO_BODIES } from './schema.ts';

const EVENTS_MAX = 1_000;
const BODY_MAX_BYTES = 5_000_000;
const TEXT_MAX_BYTES = 100_000;
const OLDEST_MS = Date.UTC(1990, 0, 1);
const FUTURE_MAX_MS = 366 * 86_400_000;
const OLDEST_REVISION = '2024-10-15';
const BULK = '/data/attributes/events-bulk-create/data';
const IDENTIFIERS = ['email', 'phone_number', 'external_id', 'anonymous_id', '_kx'];
const WRONG_KEY = 'Incorrect authentication credentials.';
const WRONG_COUNT = invalid({ pointer: BULK, detail: `Between 1 and ${EVENTS_MAX} events are required.` });

/** A fault and where it is. */
interface Pointed {
  readonly pointer: string;
  readonly detail: string;
}

export const sandbox = defineSandbox<never>({
  slug: 'klaviyo',
  hosts: ['a.klaviyo.com'],
  dedupeWindowSec: 0,
  login: ({ private_api_key: key }) => ({ account: accountOf(String(key)), secret: String(key) }),
  // The events of one order arrive together and count once: as the order.
  seen: {
    name: (entry) => metricOf(eventsOf(entry)[0]),
    id: (entry) => uniqueIdOf(eventsOf(entry)[0]),
    value: (entry) => attributesOf(eventsOf(entry)[0]).value,
    currency: (entry) => attributesOf(eventsOf(entry)[0]).value_currency,
    key: (entry, { account, eventName, eventId }) => [
      account,
      identifierOf(profileOf(entry)),
      eventName,
      eventId,
    ],
  },
  path: /^\/api\/(?:events|event-bulk-create-jobs)\/?$/,
  account: ({ headers }) => accountOf(keyOf(headers)),
  events: ({ data }) => {
    const bulk = record(attributesOf(data)['events-bulk-create']);
    return bulk === undefined ? [data] : bulk.data;
  },
  eventsMax: EVENTS_MAX,
  deletions: {
    path: /^\/api\/data-privacy-deletion-jobs\/?$/,
    refuse: (call) => {
      const misfit = misfitOf(call.request.path, call.body);
      return headerRefusal(call) ?? (misfit === null ? null : invalid(misfit));
    },
    answer: { status: 202, headers: {}, body: '' },
  },
  secret: ({ request }) => keyOf(request.headers),
  refusals: {
    noRoute: refused(404, 'not_found', 'Not found.', 'The path could not be found.'),
    noToken: refused(
      401,
      'not_authenticated',
      'Authentication credentials were not provided.',
      'Missing or invalid authorization scheme. Please use Klaviyo-API-Key.',
    ),
    noJson: refused(400, 'parse_error', 'Malformed request.', 'JSON parse error.'),
    wrongSecret: refused(401, 'authentication_failed', WRONG_KEY, WRONG_KEY),
    noEvents: WRONG_COUNT,
    tooManyEvents: WRONG_COUNT,
  },
  refuse: (call) => headerRefusal(call) ?? bodyRefusal(call),
  reasonAt: ({ errors }) => record(listOf(errors)[0])?.detail,
  refusalOf: () => null,
  reasonOf: (refusal) => refusal,
  answer: () => ({ status: 202, headers: {}, body: '' }),
  allOrNothing: true,
  provoked: {
    throttled: {
      ...refused(429, 'throttled', 'Request was throttled.', 'Expected available in 1 second.'),
      headers: { 'content-type': 'application/vnd.api+json', 'retry-after': '1' },
    },
    unavailable: refused(503, 'service_unavailable', 'Service unavailable.', 'Try again later.'),
  },
});

/** A private key belongs to one account and names it nowhere. */
function accountOf(key: string): string {
  return `key ${hash('sha256', key, 'hex').slice(0, 12)}`;
}

function keyOf({ authorization = '' }: Readonly<Record<string, string>>): string {
  return /^Klaviyo-API-Key (\S+)$/.exec(authorization)?.[1] ?? '';
}

function attributesOf(resource: unknown): Fields {
  return record(record(resource)?.attributes) ?? {};
}

/** Of an event that carries its profile itself, or of an entry of a job. */
function profileOf(entry: unknown): Fields {
  return attributesOf(record(attributesOf(entry).profile)?.data);
}

function eventsOf(entry: unknown): readonly unknown[] {
  const events = record(attributesOf(entry).events);
  return events === undefined ? [entry] : listOf(events.data);
}

function metricOf(event: unknown): string {
  return String(attributesOf(record(attributesOf(event).metric)?.data).name ?? '');
}

/** Without an id Klaviyo takes the second of the event for one. */
function uniqueIdOf(event: unknown): string {
  const { unique_id: id, time } = attributesOf(event);
  return typeof id === 'string' ? id : String(time ?? '');
}

/** Which profile these attributes mean. */
function identifierOf(profile: Fields): string {
  const key = IDENTIFIERS.find((name) => typeof profile[name] === 'string');
  return key === undefined ? '' : `${key} ${String(profile[key])}`;
}

function headerRefusal({ request: { headers } }: Call): SandboxAnswer | null {
  const { revision = '', 'content-type': contentType = '' } = headers;
  if (!/^\d{4}-\d\d-\d\d$/.test(revision))
    return refused(400, 'invalid', 'Invalid input.', 'The revision header is missing or invalid.');
  if (revision < OLDEST_REVISION)
    return refused(410, 'gone', 'This revision is retired.', 'Please use a supported revision.');
  return /^application\/(?:vnd\.api\+)?json\b/.test(contentType)
    ? null
    : refused(415, 'unsupported_media_type', 'Unsupported media type.', 'Use application/vnd.api+json.');
}

function bodyRefusal({ request, body, events: entries, context }: Call): SandboxAnswer | null {
  if (Buffer.byteLength(request.body) > BODY_MAX_BYTES)
    return refused(413, 'payload_too_large', 'Payload too large.', 'The payload exceeds 5 MB.');
  const count = entries.reduce<number>((sum, entry) => sum + eventsOf(entry).length, 0);
  if (count === 0 || count > EVENTS_MAX) return WRONG_COUNT;
  const misfit = misfitOf(request.path, body);
  if (misfit !== null) return invalid(misfit);
  for (const [i, entry] of entries.entries()) {
    const isSingle = request.path.startsWith('/api/events');
    const complaint = entryComplaint(
      entry,
      isSingle ? '/data/attributes' : `${BULK}/${i}/attributes`,
      context.nowMs,
    );
    if (complaint !== null) return invalid(complaint);
  }
  return null;
}

/** What the API's own description says: types, and no fields it does not have. */
function misfitOf(path: string, body: Fields): Pointed | null {
  const issue = KLAVIYO_BODIES[path.replace(/\/$/, '')]?.safeParse(body).error?.issues[0];
  if (issue === undefined) return null;
  const unknown = issue.code === 'unrecognized_keys' ? issue.keys.slice(0, 1) : [];
  return { pointer: `/${[...issue.path, ...unknown].join('/')}`, detail: issue.message };
}

function entryComplaint(entry: unknown, pointer: string, nowMs: number): Pointed | null {
  if (identifierOf(profileOf(entry)) === '')
    return {
      pointer: `${pointer}/profile/data/attributes`,
      detail: 'At least one profile identifier is required.',
    };
  const events = eventsOf(entry);
  const known = new Set<string>();
  for (const [i, event] of events.entries()) {
    const at = events[0] === entry ? pointer : `${pointer}/events/data/${i}/attributes`;
    const complaint = eventComplaint(attributesOf(event), at, nowMs);
    if (complaint !== null) return complaint;
    const id = `${metricOf(event)}\n${uniqueIdOf(event)}`;
    if (known.has(id)) return { pointer: `${at}/unique_id`, detail: 'Duplicate unique_id for this metric.' };
    known.add(id);
  }
  return null;
}

function eventComplaint(event: Fields, pointer: string, nowMs: number): Pointed | null {
  const { properties, time, value_currency: currency } = event;
  const isLong = Object.values(record(properties) ?? {}).some(
    (value) => typeof value === 'string' && Buffer.byteLength(value) > TEXT_MAX_BYTES,
  );
  if (isLong) return { pointer: `${pointer}/properties`, detail: 'A string is larger than 100 KB.' };
  const ms = time === undefined ? nowMs : Date.parse(String(time));
  if (ms < OLDEST_MS) return { pointer: `${pointer}/time`, detail: 'The time is older than the year 1990.' };
  if (ms - nowMs > FUTURE_MAX_MS)
    return { pointer: `${pointer}/time`, detail: 'The time is more than a year ahead.' };
  return currency === undefined || isCurrency(currency)
    ? null
    : { pointer: `${pointer}/value_currency`, detail: 'Not a valid ISO 4217 code.' };
}

function invalid({ pointer, detail }: Pointed): SandboxAnswer {
  return refused(400, 'invalid', 'Invalid input.', detail, pointer);
}

function refused(
  status: number,
  code: string,
  title: string,
  detail: string,
  pointer = '/data',
): SandboxAnswer {
  const id = '5a17b0c5-0000-4000-8000-000000000000';
  const error = { id, status, code, title, detail, source: { pointer }, links: {}, meta: {} };
  return {
    status,
    headers: { 'content-type': 'application/vnd.api+json' },
    body: JSON.stringify({ errors: [error] }),
  };
}
