// What the Graph API's answer means for each event. By error code first: throttles and token errors come as 400,
// 403 or 500. One bad event makes Meta refuse the whole request without naming it.
import type { Outcome } from '../../domain/delivery.ts';
import type { NormalizedEvent } from '../../domain/normalized-event.ts';
import {
  type Answer,
  everyone,
  failureOutcome,
  jsonObject,
  outcome,
  record,
  refusal,
  retryAfter,
  statusOutcome,
  wholeNumber,
} from '../answer.ts';
import type { HttpResult } from '../platform.ts';

// https://developers.facebook.com/docs/graph-api/guides/error-handling
const TRANSIENT: ReadonlySet<number> = new Set([1, 2, 341, 368, 5000, 21009]);
const THROTTLED: ReadonlySet<number> = new Set([4, 17, 32, 613]);
const AUTH: ReadonlySet<number> = new Set([3, 10, 102, 104, 190]);
/** The dataset does not exist for this token: nothing is wrong with the events. */
const NO_SUCH_OBJECT = 33;

export function metaOutcomes(result: HttpResult, events: readonly NormalizedEvent[]): readonly Outcome[] {
  if (result.kind === 'failure') return everyone(events.length, failureOutcome(result));
  const body = jsonObject(result);
  const error = record(body?.error);
  if (error !== undefined) return everyone(events.length, errorOutcome(error, result, events.length));
  if (body === undefined || result.status < 200 || result.status >= 300)
    return everyone(events.length, statusOutcome(result, events.length));
  return everyone(events.length, acceptance(body, events.length));
}

function acceptance(body: Readonly<Record<string, unknown>>, events: number): Outcome {
  const received = wholeNumber(body.events_received);
  if (received === undefined)
    return outcome({ kind: 'retry', code: 'unreadable_answer', maybeDelivered: true });
  if (received !== events)
    return outcome({
      kind: 'retry',
      code: 'wrong_count',
      message: `events_received is ${received} for ${events} sent`,
      maybeDelivered: true,
    });
  const messages = Array.isArray(body.messages) ? body.messages.filter((m) => typeof m === 'string') : [];
  return outcome({ kind: 'delivered', message: messages.join(' ') });
}

function errorOutcome(error: Readonly<Record<string, unknown>>, answer: Answer, events: number): Outcome {
  const code = wholeNumber(error.code);
  const subcode = wholeNumber(error.error_subcode);
  const message = wording(error);
  if (code === undefined) return outcome({ ...statusOutcome(answer, events), message });
  const word = subcode === undefined ? `meta.${code}` : `meta.${code}.${subcode}`;
  const retryAfterSec = retryAfter(answer);
  if (THROTTLED.has(code) || (code >= 80_000 && code <= 80_014) || answer.status === 429)
    return outcome({ kind: 'rate_limited', code: word, message, retryAfterSec });
  if (AUTH.has(code) || (code >= 200 && code <= 299) || (code === 100 && subcode === NO_SUCH_OBJECT))
    return outcome({ kind: 'auth', code: word, message });
  if (TRANSIENT.has(code) || error.is_transient === true || answer.status >= 500)
    return outcome({ kind: 'retry', code: word, message, retryAfterSec, maybeDelivered: true });
  return refusal(events, word, message);
}

function wording(error: Readonly<Record<string, unknown>>): string {
  const parts = [error.error_user_title, error.error_user_msg, error.message];
  const said = parts.filter((part): part is string => typeof part === 'string' && part !== '');
  return said.slice(0, 2).join(': ');
}
