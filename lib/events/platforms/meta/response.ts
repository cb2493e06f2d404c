// What the Graph API's answer means for each event. By error code first: throttles and token errors come as 400,
// 403 or 500. One bad event makes Meta refuse the whole request without naming it.
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
import { META_ERRORS } from './errors.ts';

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
  const kind = errorKind(META_ERRORS, { status: answer.status, codes: [code], subcode }) ?? 'event_refused';
  const passing = kind === 'event_refused' && error.is_transient === true;
  const said = {
    code: subcode === undefined ? `meta.${code}` : `meta.${code}.${subcode}`,
    message,
    retryAfterSec: retryAfter(answer),
  };
  return kindOutcome(passing ? 'maybe_delivered' : kind, said, events);
}

function wording(error: Readonly<Record<string, unknown>>): string {
  const parts = [error.error_user_title, error.error_user_msg, error.message];
  const said = parts.filter((part): part is string => typeof part === 'string' && part !== '');
  return said.slice(0, 2).join(': ');
}
