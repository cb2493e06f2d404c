// What the Data Manager API's answer means for each event. It fails fast: one invalid event refuses the whole request,
// naming fields. Success means accepted for processing; what becomes of it later is asked by its request id (status.ts).
// What differs by the product of Google that the events are for is in `Destinations`.
import type { Outcome } from '../../domain/deliveries/delivery.ts';
import type { NormalizedEvent } from '../../domain/event/normalized-event.ts';
import {
  type Answer,
  type Fields,
  isSuccess,
  kindOutcome,
  outcome,
  record,
  recordsOf,
  refusal,
  retryAfter,
  statusOutcome,
} from '../answer.ts';
import { type ErrorTable, errorKind, errorTable, type OwnError } from '../error-table.ts';
import type { ReadAnswer } from '../platform.ts';

type Lines = Parameters<typeof errorTable>[0];

/**
 * Words of `error.details[].reason`, of the violations, and `error.status`; any of them may fit. With those that only one product
 * has: of its connection as a whole, and of what its settings name.
 * https://github.com/googleapis/googleapis/blob/master/google/ads/datamanager/v1/error.proto and google/rpc/code.proto
 */
export const dataManagerErrors = (connection: readonly string[], setting: Lines[number]): ErrorTable =>
  errorTable([
    [429, '*', 'rate_limited'],
    [
      '*',
      'RESOURCE_EXHAUSTED',
      'rate_limited',
      'after `RetryInfo`, or once a minute or an hour, as the quota is',
    ],
    [401, '*', 'auth'],
    [403, '*', 'auth'],
    [
      '*',
      [
        'UNAUTHENTICATED',
        'PERMISSION_DENIED',
        'NOT_ALLOWLISTED',
        'TERMS_AND_CONDITIONS_NOT_SIGNED',
        'DESTINATION_ACCOUNT_TYPE_MISMATCH',
        'OPERATING_ACCOUNT_LOGIN_ACCOUNT_MISMATCH',
        ...connection,
      ],
      'auth',
    ],
    ['5xx', '*', 'maybe_delivered'],
    [408, '*', 'maybe_delivered'],
    [425, '*', 'maybe_delivered'],
    ['*', ['INTERNAL', 'INTERNAL_ERROR', 'UNAVAILABLE', 'DEADLINE_EXCEEDED'], 'maybe_delivered'],
    ['*', ['ABORTED', 'CANCELLED', 'UNKNOWN'], 'maybe_delivered'],
    setting,
    ['*', '*', 'event_refused', 'the events it names, alone'],
  ]);

/** `{"error": {"code": 403, "message": …, "status": "PERMISSION_DENIED"}}`. */
export const isDataManagerError: OwnError = ({ error }) => upperCase(record(error)?.status) !== undefined;

const DAILY_QUOTA_RETRY_SEC = 3_600;
const MINUTE_QUOTA_RETRY_SEC = 60;

/** What a violation is about; undefined where that is something else. */
export interface Violation {
  /** Of an event. */
  readonly index: number | undefined;
  readonly destination: number | undefined;
  readonly isOfDestinations: boolean;
  readonly reason: string | undefined;
  readonly description: unknown;
}

/** How a product of Google words what is wrong with the settings of its connections. */
export interface Destinations {
  /** Before the codes. */
  readonly vendor: string;
  readonly errors: ErrorTable;
  /** True where whatever is wrong with `destinations` is a fault of the settings, and not only what the table names. */
  readonly onlySettings: boolean;
  /** Whether an event goes where a setting is refused. */
  readonly isAtFault: (
    named: readonly Violation[],
    events: readonly NormalizedEvent[],
  ) => (event: NormalizedEvent) => boolean;
}

export const dataManagerAnswer =
  (destinations: Destinations): ReadAnswer =>
  (answer, body, events) => {
    const error = record(body?.error);
    if (error !== undefined) return errorOutcomes(error, answer, events, destinations);
    const request = body?.requestId;
    if (!isSuccess(answer) || typeof request !== 'string' || request === '')
      return statusOutcome(answer, events.length);
    const warnings = violations(body?.fieldWarnings);
    return events.map((_, index) => {
      const about = warnings.filter((warning) => warning.index === undefined || warning.index === index);
      const message = about.map(({ description }) => description).join(' ');
      return outcome({ kind: 'delivered', message, request });
    });
  };

function errorOutcomes(
  error: Fields,
  answer: Answer,
  events: readonly NormalizedEvent[],
  { vendor, errors, onlySettings, isAtFault }: Destinations,
): Outcome | readonly Outcome[] {
  const details = recordsOf(error.details);
  const named = details.flatMap(({ fieldViolations }) => violations(fieldViolations));
  // What is said of a field goes before `ErrorInfo`, whose reason may be the status once more.
  const wordsOf = (some: readonly Violation[]): readonly string[] =>
    [...some, ...details, { reason: error.status }].flatMap(({ reason }) => upperCase(reason) ?? []);
  const saidOf = (some: readonly Violation[]) => {
    const [word] = wordsOf(some);
    const code = word === undefined ? `http_${answer.status}` : `${vendor}.${word}`;
    return { code, message: some.find(({ description }) => description)?.description ?? error.message };
  };
  const { code, message } = saidOf(named);
  const said = errorKind(errors, { status: answer.status, codes: wordsOf(named) }) ?? 'event_refused';
  const isSetting = onlySettings && said === 'event_refused' && named.some((one) => one.isOfDestinations);
  const kind = isSetting ? 'setting_refused' : said;
  if (kind === 'setting_refused') {
    const isRefused = isAtFault(named, events);
    return events.map((event) =>
      isRefused(event) ? kindOutcome(kind, { code, message }, 1) : refusal(events.length, code, message),
    );
  }
  if (kind !== 'event_refused') {
    const waitSec = kind === 'rate_limited' ? quotaWait(details) : undefined;
    const retryAfterSec = retryAfter(answer) ?? retryDelay(details) ?? waitSec;
    return kindOutcome(kind, { code, message, retryAfterSec }, 1);
  }
  const culprits = new Map(named.map((violation) => [violation.index, violation] as const));
  const general = saidOf(named.filter(({ index }) => index === undefined));
  return events.map((_, index) => {
    const culprit = culprits.get(index);
    return culprit === undefined
      ? refusal(events.length, general.code, general.message)
      : outcome({ kind: 'permanent', ...saidOf([culprit]) });
  });
}

/** `ErrorInfo.metadata.quota_limit`: a day's quota comes back at midnight Pacific time, so it is asked for once an hour. */
function quotaWait(details: readonly Fields[]): number | undefined {
  const limits = details.map(({ metadata }) => record(metadata)?.quota_limit);
  if (limits.some((limit) => typeof limit === 'string' && limit.includes('PerDay')))
    return DAILY_QUOTA_RETRY_SEC;
  const perMinute = limits.some((limit) => typeof limit === 'string' && limit.includes('PerMinute'));
  return perMinute ? MINUTE_QUOTA_RETRY_SEC : undefined;
}

/** Whole seconds of `RetryInfo.retryDelay`, 0..86400. */
function retryDelay(details: readonly Fields[]): number | undefined {
  for (const { retryDelay: delay } of details) {
    const [, seconds] = /^(\d{1,9}(?:\.\d+)?)s$/.exec(typeof delay === 'string' ? delay : '') ?? [];
    if (seconds !== undefined) return Math.min(Math.ceil(Number(seconds)), 86_400);
  }
  return undefined;
}

/** Field paths look like `events.events[3].user_data`; the index is undefined where the field is of no event. */
function violations(value: unknown): readonly Violation[] {
  return recordsOf(value).map(({ field, reason, description }) => {
    const path = typeof field === 'string' ? field : '';
    const [, index] = /^(?:events\.)?events\[(\d{1,6})\]/.exec(path) ?? [];
    const [, destination] = /^destinations\[(\d{1,2})\]/.exec(path) ?? [];
    return {
      index: index === undefined ? undefined : Number(index),
      destination: destination === undefined ? undefined : Number(destination),
      isOfDestinations: /^destinations\b/.test(path) && !path.includes('events'),
      reason: upperCase(reason),
      description: typeof description === 'string' ? description : undefined,
    };
  });
}

const upperCase = (value: unknown): string | undefined =>
  typeof value === 'string' && /^[A-Z][A-Z0-9_]{0,99}$/.test(value) ? value : undefined;
