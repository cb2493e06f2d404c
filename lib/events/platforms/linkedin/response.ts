// What LinkedIn's answer means for each event. A batch is refused as a whole, and the message names the indices: the
// others go again together.
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
  wholeNumber,
} from '../answer.ts';
import { errorKind } from '../error-table.ts';
import type { HttpResult } from '../platform.ts';
import { LINKEDIN_ERRORS } from './errors.ts';

type Fields = Readonly<Record<string, unknown>>;

export function linkedinOutcomes(result: HttpResult, events: readonly NormalizedEvent[]): readonly Outcome[] {
  if (result.kind === 'failure') return everyone(events.length, failureOutcome(result));
  const body = jsonObject(result);
  if (result.status === 200 && Array.isArray(body?.elements))
    return elementOutcomes(body.elements, events.length);
  if (body === undefined || (result.status >= 200 && result.status < 300))
    return everyone(events.length, sharedOutcome(undefined, result, events.length));
  const named = namedEvents(body.message);
  const culprits = Array.from({ length: events.length }, (_, index) => named.get(index));
  const one = sharedOutcome(body, result, events.length);
  if (one.kind !== 'batch_refused' && one.kind !== 'permanent') return everyone(events.length, one);
  if (culprits.every((message) => message === undefined)) return everyone(events.length, one);
  const code = codeOf(body, result.status);
  return culprits.map((message) =>
    message === undefined ? one : outcome({ kind: 'permanent', code, message }),
  );
}

/** The one status each event has in an answer to a batch. */
function elementOutcomes(elements: readonly unknown[], events: number): readonly Outcome[] {
  if (elements.length !== events)
    return everyone(
      events,
      outcome({
        kind: 'retry',
        code: 'wrong_count',
        message: `${elements.length} results for ${events} events`,
        maybeDelivered: true,
      }),
    );
  return elements.map((element) => {
    const fields = record(element);
    const status = wholeNumber(fields?.status);
    if (fields === undefined || status === undefined || status < 200 || status > 599)
      return outcome({ kind: 'retry', code: 'unreadable_answer', maybeDelivered: true });
    if (status < 300) return { kind: 'delivered' };
    const error = record(fields.error) ?? fields;
    return sharedOutcome(error, { kind: 'response', status, headers: {}, body: '' }, 1);
  });
}

function sharedOutcome(body: Fields | undefined, answer: Answer, events: number): Outcome {
  const { status } = answer;
  const kind = errorKind(LINKEDIN_ERRORS, { status });
  if (kind !== undefined)
    return kindOutcome(kind, { code: 'linkedin.no_such_version', message: body?.message }, events);
  const general = statusOutcome(answer, events);
  if (body === undefined) return general;
  const code = codeOf(body, status);
  const message = typeof body.message === 'string' ? body.message : undefined;
  if (status === 429)
    return outcome({ kind: 'rate_limited', code, message, retryAfterSec: retryAfter(answer) });
  return general.kind === 'batch_refused' || general.kind === 'permanent'
    ? refusal(events, code, message)
    : outcome({ ...general, code, message });
}

/** `INVALID_ACCESS_TOKEN`, else the numeric service error code, else the status. */
function codeOf(body: Fields, status: number): string {
  const service = wholeNumber(body.serviceErrorCode);
  if (typeof body.code === 'string' && /^[A-Z][A-Z0-9_]{0,60}$/.test(body.code))
    return `linkedin.${body.code}`;
  return service !== undefined && service > 0 ? `linkedin.${service}` : `linkedin.${status}`;
}

/**
 * Index → what is wrong with that event: `… indices [0, 2] (0-indexed)` with status 400, or
 * `Index: 0, ERROR :: /path :: text` and further lines with status 422.
 */
function namedEvents(message: unknown): ReadonlyMap<number, string> {
  const named = new Map<number, string>();
  if (typeof message !== 'string') return named;
  const [, indices = ''] = /\bindices \[([\d, ]{1,40000})\]/.exec(message) ?? [];
  for (const index of indices.split(',')) if (index.trim() !== '') named.set(Number(index), message);
  for (const [, index, text = ''] of message.matchAll(/\bIndex: (\d{1,6}), ((?:(?!\bIndex: \d)[\s\S])*)/g))
    named.set(Number(index), text);
  return named;
}
