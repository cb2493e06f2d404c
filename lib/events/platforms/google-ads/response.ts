// What the Data Manager API's answer means for each event. It fails fast: one invalid event refuses the whole request,
// naming fields. Success means accepted for processing; what becomes of an event later is not part of any answer.
import type { Outcome } from '../../domain/deliveries/delivery.ts';
import type { NormalizedEvent } from '../../domain/event/normalized-event.ts';
import {
  type Answer,
  everyone,
  failureOutcome,
  jsonObject,
  kindOutcome,
  outcome,
  record,
  refusal,
  retryAfter,
  statusOutcome,
} from '../answer.ts';
import { errorKind } from '../error-table.ts';
import type { HttpResult } from '../platform.ts';
import { GOOGLE_ADS_ERRORS } from './errors.ts';

const DAILY_QUOTA_RETRY_SEC = 3_600;
const MINUTE_QUOTA_RETRY_SEC = 60;

type Fields = Readonly<Record<string, unknown>>;
interface Violation {
  readonly index: number | undefined;
  readonly reason: string | undefined;
  readonly description: unknown;
}

export function googleAdsOutcomes(
  result: HttpResult,
  events: readonly NormalizedEvent[],
): readonly Outcome[] {
  if (result.kind === 'failure') return everyone(events.length, failureOutcome(result));
  const body = jsonObject(result);
  const error = record(body?.error);
  if (error !== undefined) return errorOutcomes(error, result, events.length);
  const accepted = result.status >= 200 && result.status < 300 && typeof body?.requestId === 'string';
  if (!accepted || body.requestId === '')
    return everyone(events.length, statusOutcome(result, events.length));
  const warnings = violations(body.fieldWarnings);
  return events.map((_, index) => {
    const about = warnings.filter((warning) => warning.index === undefined || warning.index === index);
    return outcome({ kind: 'delivered', message: about.map(({ description }) => description).join(' ') });
  });
}

function errorOutcomes(error: Fields, answer: Answer, events: number): readonly Outcome[] {
  const details = list(error.details);
  const named = details.flatMap(({ fieldViolations }) => violations(fieldViolations));
  const words = [...details.map(({ reason }) => reason), ...named.map(({ reason }) => reason), error.status]
    .map(upperCase)
    .filter((word) => word !== undefined);
  const code = words[0] === undefined ? `http_${answer.status}` : `google_ads.${words[0]}`;
  const message = typeof error.message === 'string' ? error.message : undefined;
  const one = generalOutcome(words, { code, message }, details, answer);
  if (one !== null) return everyone(events, one);
  const culprits = new Map(named.map((violation) => [violation.index, violation] as const));
  const known = Array.from({ length: events }, (_, index) => culprits.get(index));
  if (known.every((violation) => violation === undefined))
    return everyone(events, refusal(events, code, message));
  return known.map((violation) =>
    violation === undefined
      ? refusal(events, code, message)
      : outcome({
          kind: 'permanent',
          code: violation.reason === undefined ? code : `google_ads.${violation.reason}`,
          message: violation.description ?? message,
        }),
  );
}

/** What is not about single events; null for a refusal of some of them. */
function generalOutcome(
  words: readonly string[],
  said: { readonly code: string; readonly message: string | undefined },
  details: readonly Fields[],
  answer: Answer,
): Outcome | null {
  const kind = errorKind(GOOGLE_ADS_ERRORS, { status: answer.status, codes: words }) ?? 'event_refused';
  if (kind === 'event_refused') return null;
  const retryAfterSec =
    retryAfter(answer) ?? retryDelay(details) ?? (kind === 'rate_limited' ? quotaWait(details) : undefined);
  return kindOutcome(kind, { ...said, retryAfterSec }, 1);
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
  return list(value).map(({ field, reason, description }) => {
    const [, index] = /^(?:events\.)?events\[(\d{1,6})\]/.exec(typeof field === 'string' ? field : '') ?? [];
    return {
      index: index === undefined ? undefined : Number(index),
      reason: upperCase(reason),
      description: typeof description === 'string' ? description : undefined,
    };
  });
}

const upperCase = (value: unknown): string | undefined =>
  typeof value === 'string' && /^[A-Z][A-Z0-9_]{0,99}$/.test(value) ? value : undefined;

function list(value: unknown): readonly Fields[] {
  return Array.isArray(value) ? value.map(record).filter((item) => item !== undefined) : [];
}
