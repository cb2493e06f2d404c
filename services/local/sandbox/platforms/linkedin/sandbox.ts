// A stand-in for api.linkedin.com/rest/conversionEvents (batches) and for LinkedIn's token endpoint. Refuses the whole
// batch and names indices, as the real one does.
import { defineSandbox, eventIdsOf, nameByEventId } from '../define-sandbox.ts';
import { jsonAnswer, type SandboxAnswer } from '../platform-sandbox.ts';
import { type Fields, isCurrency, isDecimal, isDigest, record, recordsOf } from '../reading.ts';
import { bearerSecret } from '../token-endpoint.ts';

/** LinkedIn finds the ad account through the rule; requests do not name it. */
const ACCOUNT = 'linkedin';
const BATCH_MAX = 5_000;
const AGE_MAX_MS = 90 * 86_400_000;
const FUTURE_MAX_MS = 600_000;
const RULE = /^urn:lla:llaPartnerConversion:(\d+)$/;
const ID_TYPES: readonly unknown[] = [
  'SHA256_EMAIL',
  'LINKEDIN_FIRST_PARTY_ADS_TRACKING_UUID',
  'ACXIOM_ID',
  'ORACLE_MOAT_ID',
  'PLAINTEXT_IP_ADDRESS',
  'GOOGLE_AID',
];

/** LinkedIn looks at the shape of all events before it looks at what they say. */
interface Refusal {
  readonly of: 'shape' | 'content';
  readonly reason: string;
}

export const sandbox = defineSandbox<Refusal>({
  slug: 'linkedin',
  hosts: ['api.linkedin.com'],
  tokens: { hosts: ['www.linkedin.com'], path: '/oauth/v2/accessToken', lifetimeSec: 60 * 86_400 },
  dedupeWindowSec: 0,
  login: ({ refresh_token, access_token }) => ({
    account: ACCOUNT,
    secret: String(refresh_token ?? access_token),
  }),
  nameOf: nameByEventId,
  seen: {
    name: ruleOf,
    id: 'eventId',
    value: 'conversionValue.amount',
    currency: 'conversionValue.currencyCode',
    key: (_event, { eventName, eventId }) => [eventName, eventId],
  },
  path: /^\/rest\/conversionEvents$/,
  account: () => ACCOUNT,
  events: 'elements',
  eventsMax: BATCH_MAX,
  secret: ({ request, context }) => bearerSecret(request, context.nowMs),
  refusals: {
    noRoute: error(404, 'RESOURCE_NOT_FOUND', 'No virtual resource found'),
    noJson: error(400, 'ILLEGAL_ARGUMENT', 'Invalid JSON in request body'),
    wrongSecret: error(401, 'INVALID_ACCESS_TOKEN', 'Invalid access token', 65_600),
    noEvents: error(400, 'ILLEGAL_ARGUMENT', `A batch holds 1 to ${BATCH_MAX} elements`),
    tooManyEvents: error(400, 'ILLEGAL_ARGUMENT', `A batch holds 1 to ${BATCH_MAX} elements`),
  },
  refuse: ({ request: { headers }, context, body }) => {
    const version = headers['linkedin-version'];
    if (version === undefined) return error(400, 'VERSION_MISSING', 'A version must be present.');
    if (!isServed(version, context.nowMs))
      return error(426, 'NONEXISTENT_VERSION', `Requested version ${version} is not active`);
    return headers['x-restli-method'] === 'BATCH_CREATE' && Array.isArray(body.elements)
      ? null
      : unprocessable(new Map([[0, '/conversion :: field is required but not found']]));
  },
  refusalOf: (event, call) => {
    const malformed = shapeRefusal(event);
    if (malformed !== null) return { of: 'shape', reason: malformed };
    const reason = contentRefusal(event, eventIdsOf(call), call.context.nowMs);
    return reason === null ? null : { of: 'content', reason };
  },
  reasonOf: ({ reason }) => reason,
  answer: (refusals) => {
    const reasonsOf = (part: Refusal['of']): ReadonlyMap<number, string> =>
      new Map(refusals.flatMap((refusal, i) => (refusal?.of === part ? [[i, refusal.reason]] : [])));
    const [malformed, wrong] = [reasonsOf('shape'), reasonsOf('content')];
    if (malformed.size > 0) return unprocessable(malformed);
    return wrong.size > 0 ? incorrect(wrong) : created(refusals.length);
  },
  allOrNothing: true,
  provoked: {
    throttled: error(
      429,
      'TOO_MANY_REQUESTS',
      'Resource level throttle limit for calls to this resource is reached.',
      101,
    ),
    unavailable: error(500, 'INTERNAL_SERVER_ERROR', 'Internal Server Error'),
    unauthorized: error(
      401,
      'REVOKED_ACCESS_TOKEN',
      'The token used in the request has been revoked by the user',
      65_601,
    ),
  },
  wrongCounts: (reply) => ({ ...reply, answer: created(reply.events.length + 7) }),
});

function ruleOf({ conversion }: Fields): string | undefined {
  return RULE.exec(String(conversion))?.[1];
}

/** A monthly version lives for a year. */
function isServed(version: string, nowMs: number): boolean {
  const [, year, month] = /^(\d{4})(\d{2})$/.exec(version) ?? [];
  if (year === undefined || month === undefined) return false;
  const now = new Date(nowMs);
  const ageMonths = (now.getUTCFullYear() - Number(year)) * 12 + now.getUTCMonth() + 1 - Number(month);
  return ageMonths >= 0 && ageMonths <= 12;
}

/** What LinkedIn's schema refuses, as `/path :: text`. */
function shapeRefusal(event: Fields): string | null {
  const user = record(event.user) ?? {};
  const required = 'field is required but not found and has no default value';
  if (!RULE.test(String(event.conversion))) return `/conversion :: ${required}`;
  if (!Number.isSafeInteger(event.conversionHappenedAt)) return `/conversionHappenedAt :: ${required}`;
  if (!Array.isArray(user.userIds)) return `/user/userIds :: ${required}`;
  for (const id of user.userIds) {
    const { idType, idValue } = record(id) ?? {};
    if (!ID_TYPES.includes(idType)) return '/user/userIds/idType :: is not an enum symbol';
    if (typeof idValue !== 'string' || idValue === '') return `/user/userIds/idValue :: ${required}`;
  }
  const info = record(user.userInfo);
  const nameless =
    info !== undefined && ['firstName', 'lastName'].find((key) => typeof info[key] !== 'string');
  if (nameless) return `/user/userInfo/${nameless} :: ${required}`;
  if (Array.isArray(user.externalIds) && user.externalIds.length > 1)
    return '/user/externalIds :: must not hold more than one';
  const money = record(event.conversionValue);
  if (money !== undefined && !isDecimal(money.amount)) return `/conversionValue/amount :: ${required}`;
  if (money !== undefined && typeof money.amount !== 'string')
    return '/conversionValue/amount :: cannot be coerced to String';
  return money !== undefined && !isCurrency(money.currencyCode)
    ? '/conversionValue/currencyCode :: is not a currency'
    : null;
}

/** What LinkedIn refuses about a well-formed event. */
function contentRefusal(
  event: Fields,
  rules: ReadonlySet<unknown> | undefined,
  nowMs: number,
): string | null {
  const ageMs = nowMs - Number(event.conversionHappenedAt);
  if (ageMs > AGE_MAX_MS) return 'Conversion happened more than 90 days ago';
  if (-ageMs > FUTURE_MAX_MS) return 'Conversion happened in the future';
  if (rules !== undefined && !rules.has(ruleOf(event)))
    return "Conversion's method should be CONVERSIONS_API";
  const user = record(event.user) ?? {};
  const ids = recordsOf(user.userIds);
  if (ids.some(({ idType, idValue }) => idType === 'SHA256_EMAIL' && !isDigest(idValue)))
    return 'SHA256_EMAIL should be hashed';
  return ids.length === 0 && user.userInfo === undefined ? 'A user needs an identifier' : null;
}

function created(events: number): SandboxAnswer {
  return jsonAnswer(200, { elements: Array.from({ length: events }, () => ({ status: 201 })) });
}

function incorrect(reasons: ReadonlyMap<number, string>): SandboxAnswer {
  const [reason = ''] = reasons.values();
  const indices = [...reasons].flatMap(([index, other]) => (other === reason ? [index] : []));
  return jsonAnswer(400, {
    message: `Incorrect conversions information provided. ${reason}, indices [${indices.join(', ')}] (0-indexed)`,
    status: 400,
  });
}

function unprocessable(reasons: ReadonlyMap<number, string>): SandboxAnswer {
  const message = [...reasons].map(([index, reason]) => `Index: ${index}, ERROR :: ${reason}\n`).join('');
  return jsonAnswer(422, { message, status: 422 });
}

function error(status: number, code: string, message: string, serviceErrorCode?: number): SandboxAnswer {
  return jsonAnswer(status, {
    status,
    ...(serviceErrorCode === undefined ? {} : { serviceErrorCode }),
    code,
    message,
  });
}
