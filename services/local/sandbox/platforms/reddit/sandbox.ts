// A stand-in for ads-api.reddit.com/api/v3/pixels/{pixel}/conversion_events. Refuses the whole request for one bad
// event and names the bad ones by path, as the real one does.
import { bearerOf, defineSandbox } from '../define-sandbox.ts';
import { jsonAnswer, type SandboxAnswer } from '../platform-sandbox.ts';
import { type Fields, isCurrency, isDigest, record } from '../reading.ts';

const BATCH_MAX = 1_000;
const AGE_MAX_MS = 168 * 3_600_000;
const FUTURE_MAX_MS = 5 * 60_000;
const CUSTOM_NAME_MAX_CHARS = 64;
const ACTION_SOURCES: readonly unknown[] = ['WEBSITE', 'APP', 'PHYSICAL_STORE', 'OTHER'];
/** Reddit takes these plain, too; who sends digests must send whole ones. */
const STANDARD_TYPES: ReadonlySet<unknown> = new Set(
  'PAGE_VISIT VIEW_CONTENT SEARCH ADD_TO_CART ADD_TO_WISHLIST PURCHASE LEAD SIGN_UP'.split(' '),
);
/** Any of them is enough, as is a click id; of network address and browser both are needed. */
const MATCH_KEYS = ['email', 'phone_number', 'external_id', 'uuid', 'idfa', 'aaid'];
const HASHED = ['email', 'phone_number', 'external_id', 'aaid'];
const RFC_4122 = /^(?:\d+\.)?[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/i;
const HEX = /^[0-9a-f]+$/i;

/** Path within the event, and what is wrong there. */
type Offence = readonly [path: string, message: string];

export const sandbox = defineSandbox<Offence>({
  slug: 'reddit',
  hosts: ['ads-api.reddit.com'],
  dedupeWindowSec: 48 * 3_600,
  login: ['pixel_id', 'access_token'],
  seen: {
    name: ({ type }) => record(type)?.custom_event_name ?? record(type)?.tracking_type,
    id: 'metadata.conversion_id',
    value: 'metadata.value',
    currency: 'metadata.currency',
    // Only events of one channel and one kind are compared.
    key: ({ action_source, type }, { account, eventName, eventId }) => [
      account,
      action_source,
      record(type)?.tracking_type,
      eventName,
      eventId,
    ],
  },
  path: /^\/api\/v3\/pixels\/([^/]+)\/conversion_events$/,
  events: 'data.events',
  eventsMax: BATCH_MAX,
  isTest: (_request, { data }) => typeof record(data)?.test_id === 'string',
  secret: bearerOf,
  refusals: {
    noRoute: failure(404, 'Not Found'),
    noToken: failure(401, 'No bearer token provided'),
    noJson: failure(400, 'Bad Request'),
    wrongSecret: failure(401, 'UNAUTHORIZED'),
    unknownAccount: (account) =>
      failure(403, `You're not authorized to post conversions to Pixel ID ${account}.`),
    noEvents: failure(400, 'Bad Request'),
    tooManyEvents: failure(400, 'Bad Request'),
  },
  refusalOf: (event, { context }) => offenceOf(event, context.nowMs),
  reasonOf: ([, message]) => message,
  answer: (offences) => {
    const fields = offences.flatMap((offence, i) =>
      offence === null ? [] : [{ field: `$.data.events[${i}].${offence[0]}`, message: offence[1] }],
    );
    if (fields.length === 0) return processed(offences.length);
    const message = `There were ${fields.length} invalid conversion events. None were processed.`;
    return failure(400, message, fields);
  },
  allOrNothing: true,
  provoked: {
    throttled: failure(429, 'Too many requests/events within timeframe.'),
    unavailable: failure(500, 'The service is currently unavailable. No conversion events were processed.'),
  },
  wrongCounts: (reply) => ({ ...reply, answer: processed(reply.events.length + 7) }),
});

/** Null when Reddit takes the event. */
function offenceOf(event: Fields, nowMs: number): Offence | null {
  if (!Number.isInteger(event.event_at)) return ['event_at', 'event_at must be an integer of milliseconds'];
  const ageMs = nowMs - Number(event.event_at);
  if (ageMs > AGE_MAX_MS) return ['event_at', 'event_at timestamp must be less than 168h0m0s old'];
  if (-ageMs > FUTURE_MAX_MS)
    return ['event_at', 'event_at timestamp must not be more than 5m0s in the future'];
  if (!ACTION_SOURCES.includes(event.action_source)) return ['action_source', 'action_source is invalid'];
  return typeOffence(record(event.type) ?? {}) ?? userOffence(event) ?? metadataOffence(event);
}

function typeOffence({ tracking_type: type, custom_event_name: name }: Fields): Offence | null {
  const standard = STANDARD_TYPES.has(type);
  if (!standard && type !== 'CUSTOM') return ['type.tracking_type', 'type.tracking_type is invalid'];
  if (standard)
    return name === undefined
      ? null
      : ['type.custom_event_name', `type with custom_event_name must be a Custom event: ${String(type)}`];
  const good = typeof name === 'string' && name !== '' && [...name].length <= CUSTOM_NAME_MAX_CHARS;
  return good ? null : ['type.custom_event_name', 'custom_event_name must have 1 to 64 characters'];
}

function userOffence(event: Fields): Offence | null {
  const user = record(event.user) ?? {};
  const uuid = user.uuid;
  if (uuid !== undefined && !(typeof uuid === 'string' && RFC_4122.test(uuid)))
    return ['user.UUID', 'user.UUID: invalid UUID: UUID must be RFC-4122 compliant'];
  const cut = HASHED.find((key) => isHex(user[key]) && !isDigest(user[key]));
  if (cut !== undefined) return [`user.${cut}`, `user.${cut} is not a SHA-256 hash`];
  const isKnown =
    event.click_id !== undefined ||
    MATCH_KEYS.some((key) => key in user) ||
    ('ip_address' in user && 'user_agent' in user);
  return isKnown ? null : ['user', 'at least one match key is required'];
}

const isHex = (value: unknown): boolean => typeof value === 'string' && value.length >= 32 && HEX.test(value);

function metadataOffence(event: Fields): Offence | null {
  const { value, currency, item_count: count, products } = record(event.metadata) ?? {};
  if (value !== undefined && !(typeof value === 'number' && value >= 0))
    return ['metadata.value', 'metadata.value must be a number'];
  if (currency !== undefined && !isCurrency(currency))
    return ['metadata.currency', 'metadata.currency must be an ISO 4217 code'];
  if (count !== undefined && !Number.isInteger(count))
    return ['metadata.item_count', 'metadata.item_count must be an integer'];
  const good =
    products === undefined || (Array.isArray(products) && products.every((item) => isProduct(record(item))));
  return good ? null : ['metadata.products', 'metadata.products: quantity and item_price must be numbers'];
}

const isProduct = (item: Fields | undefined): boolean =>
  item !== undefined &&
  (item.quantity === undefined || Number.isInteger(item.quantity)) &&
  (item.item_price === undefined || typeof item.item_price === 'number');

function processed(count: number): SandboxAnswer {
  return jsonAnswer(200, { data: { message: `Successfully processed ${count} conversion events.` } });
}

function failure(code: number, message: string, fields?: readonly unknown[]): SandboxAnswer {
  return jsonAnswer(code, { error: { code, message, ...(fields === undefined ? {} : { fields }) } });
}
