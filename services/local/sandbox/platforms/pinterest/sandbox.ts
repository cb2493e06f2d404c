// A stand-in for api.pinterest.com/v5/ad_accounts/{id}/events. A body that offends the API description is refused as a
// whole (400); what only a look at the event tells is said event by event (422), as the real one does.
import { bearerOf, defineSandbox, lastRefused } from '../define-sandbox.ts';
import { jsonAnswer, type SandboxAnswer } from '../platform-sandbox.ts';
import { type Fields, isCurrency, isDecimal, isDigest, record } from '../reading.ts';
import { conversionEvents } from './schema.ts';

const BATCH_MAX = 1_000;
const AGE_MAX_SEC = 7 * 86_400;
const FUTURE_MAX_SEC = 600;
const ACTION_SOURCES: readonly unknown[] = ['app_android', 'app_ios', 'web', 'offline'];
/** Letters, digits, `_` and `-`, at most 100 of them. */
const EVENT_NAME = /^[\w-]{1,100}$/;
const HASHED = 'em ph ge db fn ln ct st zp country external_id hashed_maids'.split(' ');
/** "This action could not be processed properly due to some or all data provided being invalid": seen, not documented. */
const SOME_INVALID = 953;

export const sandbox = defineSandbox<string>({
  slug: 'pinterest',
  hosts: ['api.pinterest.com'],
  dedupeWindowSec: 24 * 3_600,
  login: ['ad_account_id', 'access_token'],
  seen: {
    name: 'event_name',
    id: 'event_id',
    value: 'custom_data.value',
    currency: 'custom_data.currency',
    // Events that took place offline are not deduplicated.
    key: (event, said) => (event.action_source === 'offline' ? undefined : Object.values(said)),
  },
  path: /^\/v5\/ad_accounts\/([^/]+)\/events$/,
  events: 'data',
  eventsMax: BATCH_MAX,
  isTest: ({ query }) => query.test === 'true',
  secret: bearerOf,
  refusals: {
    noRoute: failure(404, 12, 'No such endpoint. Check the path and the method.'),
    noJson: malformed('the body is not valid JSON'),
    wrongSecret: failure(401, 2, 'Authentication failed.'),
    unknownAccount: () => failure(403, 29, 'You are not permitted to access that resource.'),
    noEvents: malformed('data must be a list with something in it'),
    tooManyEvents: malformed(`data holds more than ${BATCH_MAX} items`),
  },
  refuse: ({ body }) => {
    const [issue] = conversionEvents.safeParse(body).error?.issues ?? [];
    return issue === undefined ? null : malformed(`${issue.path.join('.')}: ${issue.message}`);
  },
  refusalOf: (event, { context }) => refusalOf(event, context.nowMs / 1_000),
  reasonOf: (reason) => reason,
  answer: report,
  allOrNothing: false,
  provoked: {
    throttled: failure(429, 8, 'This request exceeded a rate limit.'),
    unavailable: failure(
      503,
      4197,
      'The endpoint has been ramped down and is currently not accepting any traffic.',
    ),
  },
  partial: (whole) => {
    const events = lastRefused(whole.events);
    return { answer: report(events.map(({ reason }) => reason ?? null)), events };
  },
  wrongCounts: (whole) => ({
    ...whole,
    answer: jsonAnswer(200, {
      num_events_received: whole.events.length + 7,
      num_events_processed: whole.events.length + 7,
      events: whole.events.map(() => ({ status: 'processed' })),
    }),
  }),
});

/** Null when Pinterest takes the event, which is known to be of the right shape. */
function refusalOf(event: Fields, nowSec: number): string | null {
  if (typeof event.event_name !== 'string' || !EVENT_NAME.test(event.event_name))
    return `event_name ${String(event.event_name)} is not supported`;
  if (!ACTION_SOURCES.includes(event.action_source))
    return `action_source ${String(event.action_source)} is not supported`;
  const ageSec = nowSec - Number(event.event_time);
  if (ageSec > AGE_MAX_SEC) return 'event_time is older than 7 days';
  if (-ageSec > FUTURE_MAX_SEC) return 'event_time is in the future';
  const user = record(event.user_data) ?? {};
  const unhashed = HASHED.find((key) => user[key] !== undefined && !isDigest(user[key]));
  if (unhashed !== undefined) return `user_data.${unhashed} must hold SHA-256 hashes`;
  const isOnDevice = 'client_ip_address' in user && 'client_user_agent' in user;
  if (!('em' in user || 'hashed_maids' in user || isOnDevice))
    return 'user_data needs em, hashed_maids, or client_ip_address with client_user_agent';
  return moneyRefusal(record(event.custom_data) ?? {});
}

function moneyRefusal({ value, currency, contents }: Fields): string | null {
  const prices = Array.isArray(contents) ? contents.map((item) => record(item)?.item_price) : [];
  const odd = [value, ...prices].find((amount) => amount !== undefined && !isDecimal(amount));
  if (odd !== undefined) return 'an amount of custom_data is not a number';
  return currency === undefined || isCurrency(currency)
    ? null
    : 'custom_data.currency is not an ISO 4217 code';
}

/** One verdict per event: 200 when all are taken, 422 otherwise. */
function report(reasons: readonly (string | null)[]): SandboxAnswer {
  const details = {
    num_events_received: reasons.length,
    num_events_processed: reasons.filter((reason) => reason === null).length,
    events: reasons.map((reason) =>
      reason === null
        ? { status: 'processed', error_message: null, warning_message: null }
        : { status: 'failed', error_message: reason, warning_message: null },
    ),
  };
  if (details.num_events_processed === reasons.length) return jsonAnswer(200, details);
  const message = 'Not all events were successfully processed.';
  return jsonAnswer(422, { code: SOME_INVALID, message, details });
}

function malformed(offence: string): SandboxAnswer {
  return failure(400, 4196, `The request was invalid: ${offence}`);
}

function failure(status: number, code: number, message: string): SandboxAnswer {
  return jsonAnswer(status, { code, message });
}
