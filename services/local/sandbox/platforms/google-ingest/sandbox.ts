// What a stand-in for datamanager.googleapis.com does whichever product the events are for: Google's token endpoint, the words of its
// refusals, and the check of the JSON against the transcribed schema. It fails fast, naming the fields.
import type { Call, SandboxDefinition } from '../define-sandbox.ts';
import { jsonAnswer, type SandboxAnswer } from '../platform-sandbox.ts';
import { type Fields, isCurrency, isDigest, record, recordsOf } from '../reading.ts';
import { bearerSecret } from '../token-endpoint.ts';
import { violationsOf } from './ingest-schema.ts';
import { requestIdOf, statusAnswer } from './request-status.ts';

const EVENTS_MAX = 2_000;
const IDENTIFIERS_MAX = 10;
const FUTURE_MAX_MS = 600_000;

export interface Refusal {
  readonly field: string;
  readonly reason: string;
  readonly description: string;
}

type Shared = Omit<
  SandboxDefinition<readonly Refusal[]>,
  'slug' | 'login' | 'seen' | 'refusalOf' | 'dedupeWindowSec' | 'appLogin' | 'nameOf'
>;

/** `product`: how its request ids begin. `destinationRefusals`: what it refuses about destinations. */
export const dataManagerSandbox = (
  product: string,
  destinationRefusals: (destinations: readonly Fields[]) => readonly Refusal[],
): Shared => ({
  hosts: ['datamanager.googleapis.com'],
  tokens: { hosts: ['oauth2.googleapis.com'], path: '/token' },
  path: /^\/v1\/events:ingest$/,
  account: (_request, { destinations }) => record(recordsOf(destinations)[0]?.operatingAccount)?.accountId,
  events: 'events',
  eventsMax: EVENTS_MAX,
  isTest: (_request, { validateOnly }) => validateOnly === true,
  secret: ({ request, context }) => bearerSecret(request, context.nowMs),
  refusals: {
    noRoute: status(404, 'NOT_FOUND', 'Method not found.'),
    noJson: status(400, 'INVALID_ARGUMENT', 'Invalid JSON payload received.'),
    wrongSecret: jsonAnswer(401, {
      error: {
        code: 401,
        message: 'Request had invalid authentication credentials. Expected OAuth 2 access token.',
        status: 'UNAUTHENTICATED',
        details: [{ ...errorInfo('ACCESS_TOKEN_EXPIRED'), domain: 'googleapis.com' }],
      },
    }),
    unknownAccount: () =>
      status(403, 'PERMISSION_DENIED', 'The caller does not have permission', 'PERMISSION_DENIED'),
    noEvents: badRequest([
      { field: 'events', reason: 'REQUIRED_FIELD_MISSING', description: 'Required field is missing.' },
    ]),
    tooManyEvents: badRequest([
      { field: 'events', reason: 'TOO_MANY_EVENTS', description: `At most ${EVENTS_MAX} events.` },
    ]),
  },
  refuse: ({ body }) => {
    const violations = violationsOf(body, 'IngestEventsRequest').filter(({ field }) => !isOfEvent(field));
    const refusals = [...violations, ...destinationRefusals(recordsOf(body.destinations))];
    return refusals.length === 0 ? null : badRequest(refusals);
  },
  reasonOf: ([first]) => first?.description ?? '',
  asked: (request, context) =>
    statusAnswer(product, request, context, bearerSecret(request, context.nowMs), status),
  answer: (refusals, { context, body, account }) => {
    const all = refusals.flatMap((some) => some ?? []);
    if (all.length > 0) return badRequest(all.slice(0, 20));
    return jsonAnswer(200, { requestId: requestIdOf(product, account, body, context.nowMs) });
  },
  allOrNothing: true,
  provoked: {
    throttled: status(429, 'RESOURCE_EXHAUSTED', 'Too many requests.', 'RESOURCE_EXHAUSTED'),
    unavailable: status(503, 'UNAVAILABLE', 'The service is currently unavailable.', 'INTERNAL_ERROR'),
  },
});

const isOfEvent = (field: string): boolean => field.startsWith('events[');

/** What is wrong with the shape of the event; where nothing is, what any product refuses about it, and `more`. */
export function eventRefusals(
  event: Fields,
  { body, context }: Call,
  path: string,
  ageMaxMs: number,
  more: (refuse: (field: string, reason: string, description: string) => void) => void,
): readonly Refusal[] | null {
  const refusals: Refusal[] = [...violationsOf(event, 'Event', path)];
  const refuse = (field: string, reason: string, description: string): void => {
    refusals.push({ field: `${path}.${field}`, reason, description });
  };
  if (refusals.length > 0) return refusals;
  const ageMs = context.nowMs - Date.parse(String(event.eventTimestamp));
  if (ageMs > ageMaxMs || -ageMs > FUTURE_MAX_MS)
    refuse('event_timestamp', 'EVENT_TIME_INVALID', 'Event is older than the acceptable time window.');
  if (event.currency !== undefined && !isCurrency(event.currency))
    refuse('currency', 'INVALID_CURRENCY_CODE', 'The currency code is not supported.');
  const identifiers = recordsOf(record(event.userData)?.userIdentifiers);
  if (identifiers.length > IDENTIFIERS_MAX)
    refuse('user_data', 'TOO_MANY_USER_IDENTIFIERS', `At most ${IDENTIFIERS_MAX} identifiers.`);
  if (identifiers.length > 0 && body.encoding !== 'HEX')
    refuse('user_data', 'REQUIRED_FIELD_MISSING', 'encoding is required with user data.');
  identifiers.forEach((identifier, index) => {
    const at = `user_data.user_identifiers[${index}]`;
    if (Object.keys(identifier).length !== 1) refuse(at, 'INVALID_FORMAT', 'Exactly one must be specified.');
    const { givenName, familyName, regionCode } = record(identifier.address) ?? {};
    const digests = [identifier.emailAddress, identifier.phoneNumber, givenName, familyName];
    if (digests.some((digest) => digest !== undefined && !isDigest(digest)))
      refuse(at, 'INVALID_SHA256_FORMAT', 'The SHA256 encoded value is malformed.');
    if (regionCode !== undefined && !/^[A-Z]{2}$/.test(String(regionCode)))
      refuse(at, 'INVALID_REGION_CODE', 'The region code is not valid.');
  });
  more(refuse);
  return refusals.length === 0 ? null : refusals;
}

function badRequest(refusals: readonly Refusal[]): SandboxAnswer {
  return jsonAnswer(400, {
    error: {
      code: 400,
      message: 'There was a problem with the request.',
      status: 'INVALID_ARGUMENT',
      details: [
        errorInfo('INVALID_ARGUMENT'),
        {
          '@type': 'type.googleapis.com/google.rpc.BadRequest',
          fieldViolations: refusals.map((refusal) => ({
            ...refusal,
            field: isOfEvent(refusal.field) ? `events.${refusal.field}` : refusal.field,
          })),
        },
      ],
    },
  });
}

function status(code: number, word: string, message: string, reason?: string): SandboxAnswer {
  const details = reason === undefined ? [] : [errorInfo(reason)];
  return jsonAnswer(code, { error: { code, message, status: word, details } });
}

function errorInfo(reason: string) {
  const domain = 'datamanager.googleapis.com';
  return { '@type': 'type.googleapis.com/google.rpc.ErrorInfo', reason, domain };
}
