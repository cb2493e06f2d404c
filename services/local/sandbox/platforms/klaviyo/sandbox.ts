// A stand-in for a.klaviyo.com/api/events and /api/event-bulk-create-jobs. Takes a request whole or refuses it with
// JSON:API errors that point at the field; an unknown field is one.
import { hash } from 'node:crypto';
import type {
  PlatformSandbox,
  SandboxAnswer,
  SandboxContext,
  SandboxEvent,
  SandboxReply,
  SandboxRequest,
} from '../platform-sandbox.ts';
import { type Fields, listOf, parse, record } from '../reading.ts';
import { eventComplaint, identifierOf, type Pointed, pointed, profileComplaint } from './rules.ts';
import { KLAVIYO_BODIES } from './schema.ts';

const EVENTS_MAX = 1_000;
const BODY_MAX_BYTES = 5_000_000;
const OLDEST_REVISION = '2024-10-15';
const BULK = '/data/attributes/events-bulk-create/data';

export const sandbox: PlatformSandbox = {
  slug: 'klaviyo',
  hosts: ['a.klaviyo.com'],
  dedupeWindowSec: 0,
  login: (credentials) => ({
    account: accountOf(String(credentials.private_api_key)),
    secret: String(credentials.private_api_key),
  }),
  handle,
  provoked: {
    throttled: {
      ...refused(429, 'throttled', 'Request was throttled.', 'Expected available in 1 second.'),
      headers: { 'content-type': 'application/vnd.api+json', 'retry-after': '1' },
    },
    unavailable: refused(503, 'service_unavailable', 'Service unavailable.', 'Try again later.'),
    unauthorized: wrongKey(),
  },
};

/** A private key belongs to one account and names it nowhere. */
function accountOf(key: string): string {
  return `key ${hash('sha256', key, 'hex').slice(0, 12)}`;
}

/** The events of one order arrive together and count once: as the order. */
interface Entry {
  readonly profile: Fields;
  readonly events: readonly unknown[];
  readonly payload: unknown;
  readonly pointer: string;
  readonly single: boolean;
}

function handle(request: SandboxRequest, context: SandboxContext): SandboxReply {
  const key = /^Klaviyo-API-Key (\S+)$/.exec(request.headers.authorization ?? '')?.[1] ?? '';
  const body = parse(request.body);
  const entries = entriesOf(request.path, body);
  const answer =
    requestRefusal(request, key, context) ?? bodyRefusal(request, body, entries, context.nowMs) ?? ACCEPTED;
  const reason = answer === ACCEPTED ? undefined : detailOf(answer);
  return { answer, events: entries.map((entry) => seen(accountOf(key), entry, reason)) };
}

function entriesOf(path: string, body: Fields | undefined): readonly Entry[] {
  const attributes = record(record(body?.data)?.attributes) ?? {};
  if (/^\/api\/events\/?$/.test(path))
    return [
      {
        profile: attributesOf(attributes.profile),
        events: [body?.data],
        payload: body?.data,
        pointer: '/data/attributes',
        single: true,
      },
    ];
  const list = record(attributes['events-bulk-create'])?.data;
  if (!Array.isArray(list)) return [];
  return list.map((item, i) => {
    const part = record(record(item)?.attributes) ?? {};
    const events = record(part.events)?.data;
    return {
      profile: attributesOf(part.profile),
      events: listOf(events),
      payload: item,
      pointer: `${BULK}/${i}/attributes`,
      single: false,
    };
  });
}

const attributesOf = (resource: unknown): Fields => record(record(record(resource)?.data)?.attributes) ?? {};

/** Why the request is refused before its content is looked at. */
function requestRefusal(request: SandboxRequest, key: string, context: SandboxContext): SandboxAnswer | null {
  if (!/^\/api\/(?:events|event-bulk-create-jobs)\/?$/.test(request.path))
    return refused(404, 'not_found', 'Not found.', 'The path could not be found.');
  if (request.method !== 'POST')
    return refused(
      405,
      'method_not_allowed',
      'Method not allowed.',
      `Method "${request.method}" not allowed.`,
    );
  if (key === '')
    return refused(
      401,
      'not_authenticated',
      'Authentication credentials were not provided.',
      'Missing or invalid authorization scheme. Please use Klaviyo-API-Key.',
    );
  if (context.check(accountOf(key), key) !== 'ok') return wrongKey();
  const revision = request.headers.revision ?? '';
  if (!/^\d{4}-\d\d-\d\d$/.test(revision))
    return refused(400, 'invalid', 'Invalid input.', 'The revision header is missing or invalid.');
  if (revision < OLDEST_REVISION)
    return refused(410, 'gone', 'This revision is retired.', 'Please use a supported revision.');
  if (!/^application\/(?:vnd\.api\+)?json\b/.test(request.headers['content-type'] ?? ''))
    return refused(415, 'unsupported_media_type', 'Unsupported media type.', 'Use application/vnd.api+json.');
  return null;
}

function bodyRefusal(
  request: SandboxRequest,
  body: Fields | undefined,
  entries: readonly Entry[],
  nowMs: number,
): SandboxAnswer | null {
  if (body === undefined) return refused(400, 'parse_error', 'Malformed request.', 'JSON parse error.');
  if (Buffer.byteLength(request.body) > BODY_MAX_BYTES)
    return refused(413, 'payload_too_large', 'Payload too large.', 'The payload exceeds 5 MB.');
  const count = entries.reduce((sum, { events }) => sum + events.length, 0);
  if (count === 0 || count > EVENTS_MAX)
    return invalid({ pointer: BULK, detail: `Between 1 and ${EVENTS_MAX} events are required.` });
  const fault = typeFault(record(body.data), entries);
  if (fault !== null) return invalid(fault);
  for (const entry of entries) {
    const complaint = entryComplaint(entry, nowMs);
    if (complaint !== null) return invalid(complaint);
  }
  const misfit = misfitOf(request.path, body);
  return misfit === null ? null : invalid(misfit);
}

/** Everything else the API's own description says: types, and fields it does not have. */
function misfitOf(path: string, body: Fields): Pointed | null {
  const issue = KLAVIYO_BODIES[path.replace(/\/$/, '')]?.safeParse(body).error?.issues[0];
  return issue === undefined ? null : pointed(`/${issue.path.join('/')}`, issue.message);
}

function typeFault(data: Fields | undefined, entries: readonly Entry[]): Pointed | null {
  const single = entries[0]?.single === true;
  const expected = single ? 'event' : 'event-bulk-create-job';
  if (data?.type !== expected) return pointed('/data/type', `'${expected}' is expected.`);
  const foreign = entries.find(
    ({ payload }) => record(payload)?.type !== (single ? 'event' : 'event-bulk-create'),
  );
  return foreign === undefined ? null : pointed(foreign.pointer, "'event-bulk-create' is expected.");
}

function entryComplaint(entry: Entry, nowMs: number): Pointed | null {
  const { profile, events, pointer, single } = entry;
  const aboutProfile = profileComplaint(profile, `${pointer}/profile/data/attributes`);
  if (aboutProfile !== null) return aboutProfile;
  const known = new Set<string>();
  for (const [i, event] of events.entries()) {
    const at = single ? pointer : `${pointer}/events/data/${i}/attributes`;
    const complaint = eventComplaint(event, at, single, nowMs);
    if (complaint !== null) return complaint;
    const id = `${metricOf(event)}\n${uniqueIdOf(event)}`;
    if (!single && known.has(id)) return pointed(`${at}/unique_id`, 'Duplicate unique_id for this metric.');
    known.add(id);
  }
  return null;
}

const eventAttributes = (event: unknown): Fields => record(record(event)?.attributes) ?? {};
const metricOf = (event: unknown): string => String(attributesOf(eventAttributes(event).metric).name ?? '');

/** Without an id Klaviyo takes the second of the event for one. */
function uniqueIdOf(event: unknown): string {
  const { unique_id: id, time } = eventAttributes(event);
  return typeof id === 'string' ? id : String(time ?? '');
}

function seen(account: string, entry: Entry, refusedFor: string | undefined): SandboxEvent {
  const [first] = entry.events;
  const { value, value_currency: currency } = eventAttributes(first);
  const eventName = metricOf(first);
  const eventId = uniqueIdOf(first);
  return {
    account,
    eventName,
    eventId,
    test: false,
    accepted: refusedFor === undefined,
    ...(refusedFor === undefined ? {} : { reason: refusedFor }),
    dedupeKey: `${account}\n${identifierOf(entry.profile)}\n${eventName}\n${eventId}`,
    ...(typeof value === 'number' ? { value } : {}),
    ...(typeof currency === 'string' ? { currency } : {}),
    payload: entry.payload,
  };
}

const ACCEPTED: SandboxAnswer = { status: 202, headers: {}, body: '' };

function wrongKey(): SandboxAnswer {
  const said = 'Incorrect authentication credentials.';
  return refused(401, 'authentication_failed', said, said);
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

function detailOf(answer: SandboxAnswer): string {
  const errors = parse(answer.body)?.errors;
  return String(record(Array.isArray(errors) ? errors[0] : undefined)?.detail ?? `status ${answer.status}`);
}
