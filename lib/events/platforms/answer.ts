// What every platform reads the same way: failures, HTTP statuses, Retry-After, JSON that may be anything.
// Guarantees: total; what the vendor did not say is never called delivered.
import type { Outcome } from '../domain/deliveries/delivery.ts';
import { type ErrorKind, type ErrorTable, errorKind, STATUS_ERRORS } from './error-table.ts';
import type { HttpResult } from './platform.ts';
import { redactMessage } from './redact.ts';

export type Failure = Extract<HttpResult, { kind: 'failure' }>;
export type Answer = Extract<HttpResult, { kind: 'response' }>;
export type Fields = Readonly<Record<string, unknown>>;

export const isSuccess = ({ status }: Answer): boolean => status >= 200 && status < 300;

/** The parsed body when it is a JSON object and complete; undefined otherwise. */
export const jsonObject = ({ truncated, body }: Answer): Fields | undefined =>
  truncated === true ? undefined : objectIn(body);

/** The JSON object that the text is; undefined for any other text. */
export function objectIn(text: string): Fields | undefined {
  try {
    return record(JSON.parse(text));
  } catch {
    return undefined;
  }
}

export function record(value: unknown): Fields | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : undefined;
}

/** The objects of a JSON array; empty for anything else. */
export function recordsOf(list: unknown): readonly Fields[] {
  return Array.isArray(list) ? list.map(record).filter((item) => item !== undefined) : [];
}

/** The texts among these that say something, joined; empty where none does. */
export function joined(parts: readonly unknown[], separator: string): string {
  return parts.filter((part) => typeof part === 'string' && part !== '').join(separator);
}

/** `vendor.CODE` where the vendor's code is a plain word: codes end up in rows and counters. */
export function codeOf(vendor: string, code: unknown): string | undefined {
  return typeof code === 'string' && /^[A-Za-z0-9_.-]{1,60}$/.test(code) ? `${vendor}.${code}` : undefined;
}

/** A whole number given as number or digits; undefined for anything else. */
export function wholeNumber(value: unknown): number | undefined {
  const number = typeof value === 'string' && /^-?\d{1,15}$/.test(value) ? Number(value) : value;
  return typeof number === 'number' && Number.isSafeInteger(number) ? number : undefined;
}

/** No answer came: try again, remembering whether the platform may have the events. */
export function failureOutcome(failure: Failure): Outcome {
  return outcome({
    kind: 'retry',
    code: failure.code,
    message: failure.message,
    maybeDelivered: failure.maybeDelivered,
  });
}

/** What the status alone says, for answers whose body says nothing. */
export function statusOutcome(answer: Answer, events: number): Outcome {
  const kind = errorKind(STATUS_ERRORS, { status: answer.status }) ?? 'retry';
  if (isSuccess(answer)) return kindOutcome(kind, { code: 'unreadable_answer' }, events);
  const said = { code: `http_${answer.status}`, retryAfterSec: retryAfter(answer) };
  return kindOutcome(kind, said, events);
}

/** What the platform's own table says of an answer, else its status; in the platform's words where it has any. */
export function errorOutcome(
  table: ErrorTable,
  answer: Answer,
  events: number,
  said: {
    readonly codes: readonly (string | number | undefined)[];
    readonly code?: string | undefined;
    readonly message?: unknown;
  },
): Outcome {
  const general = statusOutcome(answer, events);
  const { codes, code = general.code, message } = said;
  const kind = errorKind(table, { status: answer.status, codes });
  return kind === undefined
    ? outcome({ ...general, code, message })
    : kindOutcome(kind, { code, message, retryAfterSec: retryAfter(answer) }, events);
}

/** How often events are tried whose id at the vendor is refused. */
export const SETTING_RETRY_SEC = 3_600;

/** The outcome of a kind of error, for each of `events`: of several, the one that is refused must be found by splitting. */
export function kindOutcome(
  kind: ErrorKind,
  said: {
    readonly code: string | undefined;
    readonly message?: unknown;
    readonly retryAfterSec?: number | undefined;
  },
  events: number,
): Outcome {
  const { code, message, retryAfterSec } = said;
  switch (kind) {
    case 'event_refused':
      return outcome({ kind: events > 1 ? 'batch_refused' : 'permanent', code, message });
    case 'setting_refused':
      return {
        ...outcome({ kind: 'retry', code, message, retryAfterSec: SETTING_RETRY_SEC }),
        setting: true,
      };
    case 'maybe_delivered':
      return outcome({ kind: 'retry', code, message, retryAfterSec, maybeDelivered: true });
    case 'retry':
    case 'rate_limited':
      return outcome({ kind, code, message, retryAfterSec });
    default:
      return outcome({ kind, code, message });
  }
}

/** A refusal about one event of the request: final when it is the only one, else a reason to split. */
export function refusal(events: number, code: string, message?: unknown): Outcome {
  return outcome({ kind: events > 1 ? 'batch_refused' : 'permanent', code, message });
}

/** Leaves out what is not known. */
export function outcome(parts: {
  readonly kind: Outcome['kind'];
  readonly code?: string | undefined;
  readonly message?: unknown;
  readonly retryAfterSec?: number | undefined;
  readonly maybeDelivered?: boolean | undefined;
  readonly request?: string | undefined;
}): Outcome {
  const message = typeof parts.message === 'string' ? redactMessage(parts.message) : undefined;
  return {
    kind: parts.kind,
    ...(parts.code === undefined ? {} : { code: parts.code }),
    ...(message === undefined ? {} : { message }),
    ...(parts.retryAfterSec === undefined ? {} : { retryAfterSec: parts.retryAfterSec }),
    ...(parts.maybeDelivered === true ? { maybeDelivered: true } : {}),
    ...(parts.request === undefined ? {} : { request: parts.request }),
  };
}

/** A success in words that say nothing: the events may have arrived. */
export const UNREADABLE: Outcome = { kind: 'retry', code: 'unreadable_answer', maybeDelivered: true };

/** A success that speaks of another number of events than was sent. */
export const wrongCount = (message: unknown): Outcome =>
  outcome({ kind: 'retry', code: 'wrong_count', message, maybeDelivered: true });

/** No platform is obeyed for longer. */
export const RETRY_AFTER_MAX_SEC = 86_400;

/**
 * Seconds of `Retry-After`, 0..86400; undefined when absent or unreadable. A date is read against the answer's own
 * `Date`, so no clock is needed (RFC 9110, 10.2.3). Pinterest and Reddit say it in `x-ratelimit-reset`.
 */
export function retryAfter(answer: Answer): number | undefined {
  const text = answer.headers['retry-after']?.trim();
  if (text === undefined || text === '') return resetSec(answer);
  if (/^\d+(?:\.\d+)?$/.test(text)) return Math.min(Math.ceil(Number(text)), RETRY_AFTER_MAX_SEC);
  const until = Date.parse(text);
  const from = Date.parse(answer.headers.date ?? '');
  if (Number.isNaN(until) || Number.isNaN(from)) return undefined;
  return Math.min(Math.max(0, Math.ceil((until - from) / 1_000)), RETRY_AFTER_MAX_SEC);
}

/** They send it with every answer: it says when to come back only where one was too much. What is longer is a time of day. */
function resetSec({ status, headers }: Answer): number | undefined {
  const seconds = Number(headers['x-ratelimit-reset']?.trim() || Number.NaN);
  return status === 429 && seconds >= 0 && seconds <= RETRY_AFTER_MAX_SEC ? Math.ceil(seconds) : undefined;
}
