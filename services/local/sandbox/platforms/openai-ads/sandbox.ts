// A stand-in for bzr.openai.com/v1/events. One event that fails refuses the whole request.
import * as z from 'zod';
import { bearerOf, defineSandbox } from '../define-sandbox.ts';
import { jsonAnswer, type SandboxAnswer } from '../platform-sandbox.ts';
import { majorOf, record } from '../reading.ts';
import { eventSchema, requestSchema } from './schema.ts';

const BATCH_MAX = 1_000;
const AGE_MAX_MS = 7 * 86_400_000;
const FUTURE_MAX_MS = 600_000;
/** How it words any of this is not in its pages. */
const failure = (status: number, type: string, message: string): SandboxAnswer =>
  jsonAnswer(status, { error: { message, type, param: null, code: null } });
const invalid = (message: string): SandboxAnswer => failure(400, 'invalid_request_error', message);

export const sandbox = defineSandbox<string>({
  slug: 'openai_ads',
  hosts: ['bzr.openai.com'],
  dedupeWindowSec: 0,
  acknowledgesByStatus: true,
  login: ['pixel_id', 'api_key'],
  seen: {
    name: ({ type, custom_event_name: name }) => name ?? type,
    id: 'id',
    value: ({ data }) => majorOf(record(data)?.amount, record(data)?.currency),
    currency: 'data.currency',
  },
  path: /^\/v1\/events$/,
  account: ({ query }) => query.pid,
  events: 'events',
  eventsMax: BATCH_MAX,
  isTest: (_request, body) => body.validate_only === true,
  secret: bearerOf,
  refusals: {
    noRoute: failure(404, 'invalid_request_error', 'Not found'),
    noJson: invalid('The body is not valid JSON.'),
    wrongSecret: failure(401, 'authentication_error', 'Incorrect API key provided.'),
    unknownAccount: () => failure(404, 'invalid_request_error', 'Not found'),
    noEvents: invalid('Missing required field: events'),
    tooManyEvents: invalid(`events: at most ${BATCH_MAX}`),
  },
  refuse: ({ body }) => {
    const { error } = requestSchema.safeParse(body);
    return error === undefined ? null : invalid(z.prettifyError(error));
  },
  refusalOf: (event, { context }) => {
    const { data, error } = eventSchema.safeParse(event);
    if (data === undefined) return z.prettifyError(error);
    const ageMs = context.nowMs - data.timestamp_ms;
    if (ageMs > AGE_MAX_MS) return 'timestamp_ms must be within the last 7 days';
    return -ageMs > FUTURE_MAX_MS ? 'timestamp_ms must not be more than 10 minutes ahead' : null;
  },
  reasonOf: (reason) => reason,
  answer: (refusals) => {
    const at = refusals.findIndex((refusal) => refusal !== null);
    return at < 0 ? jsonAnswer(200, {}) : invalid(`events[${at}]: ${refusals[at]}`);
  },
  allOrNothing: true,
  provoked: {
    throttled: failure(429, 'rate_limit_error', 'Rate limit reached.'),
    unavailable: failure(503, 'server_error', 'The server is overloaded.'),
  },
});
