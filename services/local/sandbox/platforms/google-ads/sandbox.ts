// A stand-in for datamanager.googleapis.com/v1/events:ingest and for Google's token endpoint. Fails fast, as the real
// one does, naming the fields; checks the JSON against the transcribed schema first.
import { seenBy, WITH_ITS_BATCH } from '../define-sandbox.ts';
import {
  jsonAnswer,
  type PlatformSandbox,
  type SandboxAnswer,
  type SandboxContext,
  type SandboxReply,
  type SandboxRequest,
} from '../platform-sandbox.ts';
import { type Fields, isCurrency, isDigest, listOf, parse, record, recordsOf } from '../reading.ts';
import { bearerSecret, tokenAnswer } from '../token-endpoint.ts';
import { violationsOf } from './ingest-schema.ts';

const TOKEN_HOST = 'oauth2.googleapis.com';
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

export const sandbox: PlatformSandbox = {
  slug: 'google_ads',
  hosts: ['datamanager.googleapis.com', TOKEN_HOST],
  dedupeWindowSec: 0,
  login: (credentials) => ({
    account: String(credentials.customer_id),
    secret: String(credentials.refresh_token),
  }),
  nameOf: (credentials, name) => String(record(credentials.event_ids)?.[name]),
  handle,
  provoked: {
    throttled: status(429, 'RESOURCE_EXHAUSTED', 'Too many requests.', 'RESOURCE_EXHAUSTED'),
    unavailable: status(503, 'UNAVAILABLE', 'The service is currently unavailable.', 'INTERNAL_ERROR'),
    unauthorized: unauthenticated(),
  },
};

const seen = seenBy({
  name: ({ destinationReferences }) => listOf(destinationReferences)[0],
  id: 'transactionId',
  value: 'conversionValue',
  currency: 'currency',
});

function handle(request: SandboxRequest, context: SandboxContext): SandboxReply {
  if (request.host === TOKEN_HOST) return { answer: tokenAnswer(request, context), events: [] };
  const body = parse(request.body);
  const data = Array.isArray(body?.events) ? body.events : [];
  const destinations = Array.isArray(body?.destinations) ? body.destinations.map((d) => record(d) ?? {}) : [];
  const account = String(record(destinations[0]?.operatingAccount)?.accountId ?? '');
  const test = body?.validateOnly === true;
  const refuse = (answer: SandboxAnswer, reasons: readonly (string | undefined)[]): SandboxReply => ({
    answer,
    events: data.map((event, index) => seen(account, event, test, reasons[index] ?? WITH_ITS_BATCH)),
  });
  const general = requestRefusal(request, body, account, context);
  if (general !== null) return refuse(general, []);
  const refusals = [...violationsOf(body, 'IngestEventsRequest'), ...requestRefusals(destinations, data)];
  if (refusals.length === 0)
    data.forEach((event, index) => {
      refusals.push(...eventRefusals(record(event) ?? {}, `events[${index}]`, body?.encoding, context.nowMs));
    });
  if (refusals.length > 0)
    return refuse(
      badRequest(refusals.slice(0, 20)),
      data.map((_, index) => refusals.find(({ field }) => field.startsWith(`events[${index}]`))?.description),
    );
  return {
    answer: jsonAnswer(200, { requestId: `sandbox-${data.length}-${context.nowMs}` }),
    events: data.map((event) => seen(account, event, test)),
  };
}

/** Why the request is refused before its content is looked at. */
function requestRefusal(
  request: SandboxRequest,
  body: Fields | undefined,
  account: string,
  context: SandboxContext,
): SandboxAnswer | null {
  if (request.path !== '/v1/events:ingest' || request.method !== 'POST')
    return status(404, 'NOT_FOUND', 'Method not found.');
  const secret = bearerSecret(request, context.nowMs);
  if (secret === null) return unauthenticated();
  if (body === undefined) return status(400, 'INVALID_ARGUMENT', 'Invalid JSON payload received.');
  const login = context.check(account, secret);
  if (login === 'wrong_secret') return unauthenticated();
  if (login === 'unknown_account')
    return status(403, 'PERMISSION_DENIED', 'The caller does not have permission', 'PERMISSION_DENIED');
  return null;
}

function requestRefusals(destinations: readonly Fields[], data: readonly unknown[]): Refusal[] {
  const refusals: Refusal[] = [];
  const refuse = (field: string, reason: string, description: string): void => {
    refusals.push({ field, reason, description });
  };
  if (data.length > EVENTS_MAX) refuse('events', 'TOO_MANY_EVENTS', `At most ${EVENTS_MAX} events.`);
  if (destinations.length > DESTINATIONS_MAX)
    refuse('destinations', 'TOO_MANY_DESTINATIONS', `At most ${DESTINATIONS_MAX} destinations.`);
  const references = destinations.map(({ reference }) => reference);
  if (new Set(references).size < references.length)
    refuse('destinations', 'DUPLICATE_DESTINATION_REFERENCE', 'References must be unique.');
  destinations.forEach(({ productDestinationId }, index) => {
    if (!/^\d+$/.test(String(productDestinationId)))
      refuse(`destinations[${index}]`, 'INVALID_CONVERSION_ACTION_ID', 'Conversion action ID is not valid.');
  });
  data.forEach((event, index) => {
    const used = record(event)?.destinationReferences;
    const unknown = Array.isArray(used) && used.some((reference) => !references.includes(reference));
    if (unknown)
      refuse(`events[${index}].destination_references`, 'INVALID_DESTINATION', 'Unknown destination.');
  });
  return refusals;
}

/** Everything Google refuses about one event whose shape is right. */
function eventRefusals(event: Fields, path: string, encoding: unknown, nowMs: number): readonly Refusal[] {
  const refusals: Refusal[] = [];
  const refuse = (field: string, reason: string, description: string): void => {
    refusals.push({ field: `${path}.${field}`, reason, description });
  };
  const ageMs = nowMs - Date.parse(String(event.eventTimestamp));
  if (ageMs > AGE_MAX_MS || -ageMs > FUTURE_MAX_MS)
    refuse('event_timestamp', 'EVENT_TIME_INVALID', 'Event is older than the acceptable time window.');
  if (event.currency !== undefined && !isCurrency(event.currency))
    refuse('currency', 'INVALID_CURRENCY_CODE', 'The currency code is not supported.');
  const identifiers = recordsOf(record(event.userData)?.userIdentifiers);
  if (identifiers.length > IDENTIFIERS_MAX)
    refuse('user_data', 'TOO_MANY_USER_IDENTIFIERS', `At most ${IDENTIFIERS_MAX} identifiers.`);
  if (identifiers.length > 0 && encoding !== 'HEX')
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
            field: refusal.field.startsWith('events[') ? `events.${refusal.field}` : refusal.field,
          })),
        },
      ],
    },
  });
}

function unauthenticated(): SandboxAnswer {
  return jsonAnswer(401, {
    error: {
      code: 401,
      message: 'Request had invalid authentication credentials. Expected OAuth 2 access token.',
      status: 'UNAUTHENTICATED',
      details: [{ ...errorInfo('ACCESS_TOKEN_EXPIRED'), domain: 'googleapis.com' }],
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
