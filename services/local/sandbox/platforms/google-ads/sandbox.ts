// A stand-in for datamanager.googleapis.com/v1/events:ingest and for Google's token endpoint. Fails fast, as the real
// one does, naming the fields; checks the JSON against the transcribed schema first. What it would reject later is in request-status.ts.
import { type Call, defineSandbox, nameByEventId } from '../define-sandbox.ts';
import { jsonAnswer, type SandboxAnswer } from '../platform-sandbox.ts';
import { type Fields, isCurrency, isDigest, listOf, record, recordsOf } from '../reading.ts';
import { bearerSecret } from '../token-endpoint.ts';
import { violationsOf } from './ingest-schema.ts';
import { requestIdOf, statusAnswer } from './request-status.ts';

const EVENTS_MAX = 2_000;
const DESTINATIONS_MAX = 10;
const IDENTIFIERS_MAX = 10;
const AGE_MAX_MS = 90 * 86_400_000;
const FUTURE_MAX_MS = 600_000;

interface Refusal {
  readonly field: string;
  readonly reason: string;
  readonly description: string;
}

export const sandbox = defineSandbox<readonly Refusal[]>({
  slug: 'google_ads',
  hosts: ['datamanager.googleapis.com'],
  tokens: { hosts: ['oauth2.googleapis.com'], path: '/token' },
  dedupeWindowSec: 0,
  login: ['customer_id', 'refresh_token'],
  nameOf: nameByEventId,
  seen: {
    name: ({ destinationReferences }) => listOf(destinationReferences)[0],
    id: 'transactionId',
    value: 'conversionValue',
    currency: 'currency',
  },
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
  refusalOf: (event, call, index) => {
    const refusals = eventRefusals(event, call, `events[${index}]`);
    return refusals.length === 0 ? null : refusals;
  },
  reasonOf: ([first]) => first?.description ?? '',
  asked: (request, context) => statusAnswer(request, context, bearerSecret(request, context.nowMs), status),
  answer: (refusals, { context, body, account }) => {
    const all = refusals.flatMap((some) => some ?? []);
    if (all.length > 0) return badRequest(all.slice(0, 20));
    return jsonAnswer(200, { requestId: requestIdOf(account, body, context.nowMs) });
  },
  allOrNothing: true,
  provoked: {
    throttled: status(429, 'RESOURCE_EXHAUSTED', 'Too many requests.', 'RESOURCE_EXHAUSTED'),
    unavailable: status(503, 'UNAVAILABLE', 'The service is currently unavailable.', 'INTERNAL_ERROR'),
  },
});

function isOfEvent(field: string): boolean {
  return field.startsWith('events[');
}

function destinationRefusals(destinations: readonly Fields[]): readonly Refusal[] {
  const refusals: Refusal[] = [];
  const refuse = (field: string, reason: string, description: string): void => {
    refusals.push({ field, reason, description });
  };
  if (destinations.length > DESTINATIONS_MAX)
    refuse('destinations', 'TOO_MANY_DESTINATIONS', `At most ${DESTINATIONS_MAX} destinations.`);
  if (new Set(referencesOf(destinations)).size < destinations.length)
    refuse('destinations', 'DUPLICATE_DESTINATION_REFERENCE', 'References must be unique.');
  destinations.forEach(({ productDestinationId }, index) => {
    if (!/^\d+$/.test(String(productDestinationId)))
      refuse(`destinations[${index}]`, 'INVALID_CONVERSION_ACTION_ID', 'Conversion action ID is not valid.');
  });
  return refusals;
}

const referencesOf = (destinations: unknown): readonly unknown[] =>
  recordsOf(destinations).map(({ reference }) => reference);

/** What is wrong with the shape of the event; where nothing is, what Google refuses about it. */
function eventRefusals(event: Fields, { body, context }: Call, path: string): readonly Refusal[] {
  const refusals: Refusal[] = [...violationsOf(event, 'Event', path)];
  const refuse = (field: string, reason: string, description: string): void => {
    refusals.push({ field: `${path}.${field}`, reason, description });
  };
  const references = referencesOf(body.destinations);
  if (listOf(event.destinationReferences).some((reference) => !references.includes(reference)))
    refuse('destination_references', 'INVALID_DESTINATION', 'Unknown destination.');
  if (refusals.length > 0) return refusals;
  const ageMs = context.nowMs - Date.parse(String(event.eventTimestamp));
  if (ageMs > AGE_MAX_MS || -ageMs > FUTURE_MAX_MS)
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
  const ad = Object.keys(record(event.adIdentifiers) ?? {});
  if (identifiers.length === 0 && ad.length === 0)
    refuse('user_data', 'NO_IDENTIFIERS_PROVIDED', 'Event contains no user identifiers or ad identifiers.');
  return refusals;
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
