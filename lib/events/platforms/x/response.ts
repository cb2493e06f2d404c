// What X's answer means for each event. A request is taken or refused as a whole, and refusals do not say which of the
// events they are about.
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
  retryAfter,
  statusOutcome,
  wholeNumber,
} from '../answer.ts';
import { errorKind } from '../error-table.ts';
import type { HttpResult } from '../platform.ts';
import { X_ERRORS } from './errors.ts';

const RETRY_AFTER_MAX_SEC = 86_400;

export function xOutcomes(result: HttpResult, events: readonly NormalizedEvent[]): readonly Outcome[] {
  if (result.kind === 'failure') return everyone(events.length, failureOutcome(result));
  const body = jsonObject(result);
  const errors = Array.isArray(body?.errors) ? body.errors.map(record).filter((e) => e !== undefined) : [];
  if (errors.length > 0) return everyone(events.length, errorOutcome(errors, result, events.length));
  const processed = wholeNumber(record(body?.data)?.conversions_processed);
  if (result.status < 200 || result.status >= 300 || processed === undefined)
    return everyone(events.length, withReset(statusOutcome(result, events.length), result));
  if (processed === events.length) return everyone(events.length, { kind: 'delivered' });
  const message = `conversions_processed is ${processed} for ${events.length} sent`;
  return everyone(
    events.length,
    outcome({ kind: 'retry', code: 'wrong_count', message, maybeDelivered: true }),
  );
}

function errorOutcome(
  errors: readonly Readonly<Record<string, unknown>>[],
  answer: Answer,
  events: number,
): Outcome {
  const codes = errors.map(({ code }) => code).filter((code) => typeof code === 'string' && WORD.test(code));
  const word = typeof codes[0] === 'string' ? codes[0] : undefined;
  const said = {
    code: word === undefined ? `http_${answer.status}` : `x.${word}`,
    message: errors.map(wording).filter(Boolean).slice(0, 3).join('; '),
  };
  const kind = errorKind(X_ERRORS, { status: answer.status, codes: [word] }) ?? 'maybe_delivered';
  return withReset(kindOutcome(kind, { ...said, retryAfterSec: retryAfter(answer) }, events), answer);
}

const WORD = /^[A-Z][A-Z0-9_]{0,60}$/;

function wording({ message, details }: Readonly<Record<string, unknown>>): string {
  return [message, details].filter((part) => typeof part === 'string' && part !== '').join(': ');
}

/** When throttled X says when the window ends, as Unix time: read against the answer's own `Date`. */
function withReset(one: Outcome, answer: Answer): Outcome {
  if (one.kind !== 'rate_limited' || one.retryAfterSec !== undefined) return one;
  const { headers } = answer;
  const fromSec = Date.parse(headers.date ?? '') / 1_000;
  const waits = [headers['x-rate-limit-reset'], headers['x-account-rate-limit-reset']]
    .map((reset) => wholeNumber(reset))
    .filter((reset) => reset !== undefined)
    .map((reset) => Math.ceil(reset - fromSec))
    .filter((wait) => wait >= 0 && wait <= RETRY_AFTER_MAX_SEC);
  return waits.length === 0 ? one : { ...one, retryAfterSec: Math.max(...waits) };
}
