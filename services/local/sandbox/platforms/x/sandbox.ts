// A stand-in for ads-api.x.com/12/measurement/conversions/{pixel}. Checks the signature where the host knows the keys,
// and refuses the whole request with a list of all errors, as the real one does.
import { type Call, defineSandbox, eventIdsOf, nameByEventId } from '../define-sandbox.ts';
import { jsonAnswer, type SandboxAnswer } from '../platform-sandbox.ts';
import { type Fields, isCurrency, isDecimal, isDigest, record, recordsOf } from '../reading.ts';
import { type Parameter, signatureOf } from './signature.ts';

const BATCH_MAX = 500;
const AGE_MAX_MS = 90 * 86_400_000;
const FUTURE_MAX_MS = 600_000;
const CLOCK_SKEW_MAX_SEC = 300;
const ISO_8601 = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d+)?Z$/;

export const sandbox = defineSandbox<string>({
  slug: 'x',
  hosts: ['ads-api.x.com'],
  dedupeWindowSec: 0,
  login: ['pixel_id', 'access_token', 'pixel_token'],
  nameOf: nameByEventId,
  seen: { name: 'event_id', id: 'conversion_id', value: 'value', currency: 'price_currency' },
  path: /^\/12\/measurement\/conversions\/([a-z0-9]{1,20})$/,
  events: 'conversions',
  eventsMax: BATCH_MAX,
  secret: (call) => call.request.headers['x-pixel-token'] ?? signedToken(call),
  refusals: {
    noRoute: refused(404, 'ROUTE_NOT_FOUND', 'The requested route was not found'),
    noJson: invalid(['Expected JSON body']),
    wrongSecret: refused(401, 'UNAUTHORIZED_ACCESS', 'This request is not properly authenticated'),
    unknownAccount: () => refused(403, 'ACCOUNT_NOT_FOUND', 'Account was not found'),
    noEvents: refused(400, 'MISSING_PARAMETER', 'At least one conversion must be provided'),
    tooManyEvents: invalid([`Conversion count limit is ${BATCH_MAX}`]),
  },
  refuse: (call) => {
    const tags = eventIdsOf(call);
    return tags === undefined || call.events.every((event) => tags.has(record(event)?.event_id))
      ? null
      : refused(404, 'WEB_EVENT_TAG_NOT_FOUND', 'Web event tag was not found');
  },
  refusalOf: (event, { context }) => refusalOf(event, context.nowMs),
  reasonOf: (reason) => reason,
  answer: (reasons) => {
    const messages = [...new Set(reasons.filter((reason) => reason !== null))];
    return messages.length > 0 ? invalid(messages) : processed(reasons.length);
  },
  allOrNothing: true,
  provoked: {
    throttled: refused(429, 'TOO_MANY_REQUESTS', 'Too many requests'),
    unavailable: refused(503, 'OVER_CAPACITY', 'The service is temporarily over capacity'),
  },
  wrongCounts: (reply) => ({ ...reply, answer: processed(reply.events.length + 7) }),
});

/** The access token of a request that is signed properly; undefined otherwise. Without keys the signature stays unread. */
function signedToken({ request, context, account }: Call): string | undefined {
  const given = headerParameters(request.headers.authorization ?? '');
  const timestampSec = Number(given.get('oauth_timestamp'));
  const skewSec = Math.abs(context.nowMs / 1_000 - timestampSec);
  const formal =
    given.get('oauth_signature_method') === 'HMAC-SHA1' &&
    (given.get('oauth_version') ?? '1.0') === '1.0' &&
    (given.get('oauth_nonce') ?? '') !== '' &&
    /^[A-Za-z0-9+/]{27}=$/.test(given.get('oauth_signature') ?? '') &&
    skewSec <= CLOCK_SKEW_MAX_SEC;
  if (!formal) return undefined;
  const keys = context.credentialsOf?.(account);
  if (keys !== undefined) {
    const signed: readonly Parameter[] = [...Object.entries(request.query), ...given].filter(
      ([name]) => name !== 'oauth_signature',
    );
    const expected = signatureOf(
      request.method,
      `https://${request.host}${request.path}`,
      signed,
      [keys.consumer_secret, keys.access_token_secret].map(String),
    );
    if (given.get('oauth_consumer_key') !== keys.consumer_key) return undefined;
    if (given.get('oauth_signature') !== expected) return undefined;
  }
  return given.get('oauth_token');
}

function headerParameters(header: string): ReadonlyMap<string, string> {
  if (!/^OAuth /i.test(header)) return new Map();
  const pairs = header.slice(6).matchAll(/([a-z_]+)="([^"]*)"/g);
  return new Map([...pairs].map(([, name = '', value = '']) => [name, decode(value)]));
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return '';
  }
}

/** A network address or a browser alone is none: X wants another one in conjunction with it. */
const identifies = ({ twclid, hashed_email, hashed_phone_number, ip_address, user_agent }: Fields): boolean =>
  [twclid, hashed_email, hashed_phone_number].some((id) => id !== undefined) ||
  (ip_address !== undefined && user_agent !== undefined);

/** Null when X takes the conversion. */
function refusalOf(event: Fields, nowMs: number): string | null {
  if (typeof event.event_id !== 'string' || event.event_id === '') return 'Event Id must be provided';
  const time = String(event.conversion_time);
  if (!ISO_8601.test(time)) return `Expected time, got "${time}" for conversion_time`;
  const ageMs = nowMs - Date.parse(time);
  if (ageMs > AGE_MAX_MS) return 'Conversion_time is too far in the past';
  if (-ageMs > FUTURE_MAX_MS) return 'Conversion_time is in the future';
  const identifiers = recordsOf(event.identifiers);
  if (!identifiers.some(identifies)) return 'At least one user identifier must be provided';
  for (const { hashed_email, hashed_phone_number } of identifiers) {
    if (hashed_email !== undefined && !isDigest(hashed_email))
      return 'Hashed_email is not a valid SHA-256 hash';
    if (hashed_phone_number !== undefined && !isDigest(hashed_phone_number))
      return 'Hashed_phone_number is not a valid SHA-256 hash';
  }
  return moneyRefusal(event);
}

function moneyRefusal(event: Fields): string | null {
  if (event.value !== undefined && !isDecimal(event.value)) return 'Expected number for value';
  if (event.price_currency !== undefined && !isCurrency(event.price_currency))
    return 'Expected currency for price_currency';
  const counts = [event.number_items, ...recordsOf(event.contents).map(({ num_items }) => num_items)];
  if (counts.some((count) => count !== undefined && !(Number.isInteger(count) && Number(count) > 0)))
    return 'Expected positive integer for number_items';
  const prices = recordsOf(event.contents).map(({ content_price }) => content_price);
  return prices.some((price) => price !== undefined && typeof price !== 'number')
    ? 'Expected number for content_price'
    : null;
}

function processed(conversions: number): SandboxAnswer {
  return jsonAnswer(200, {
    request: { params: { account_id: '18ce552mlaq' } },
    data: { conversions_processed: conversions, debug_id: 'ff02e052-36e4-47d6-bdf0-6d8986446562' },
  });
}

function invalid(messages: readonly string[]): SandboxAnswer {
  const errors = messages.map((message) => ({
    code: 'INVALID_PARAMETER',
    message,
    parameter: 'conversions',
  }));
  return jsonAnswer(400, { errors, request: { params: { account_id: '18ce552mlaq' } } });
}

function refused(status: number, code: string, message: string): SandboxAnswer {
  return jsonAnswer(status, { errors: [{ code, message }], request: { params: {} } });
}
