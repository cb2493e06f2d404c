// What Reddit's answer means for each event. One bad event refuses the whole request, and the answer names the bad
// ones: the others go again together.
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
  statusOutcome,
  wholeNumber,
} from '../answer.ts';
import { errorKind } from '../error-table.ts';
import type { HttpResult } from '../platform.ts';
import { REDDIT_ERRORS } from './errors.ts';

type Fields = Readonly<Record<string, unknown>>;
type Named = ReadonlyMap<number, string | undefined>;

const PROCESSED = /^Successfully processed (\d{1,9}) conversion events?/i;
/** As recorded: `JSON error unexpected type number on field events event_metadata value`. */
const NAMES_FIELD = /\bon field\b|\bunexpected type\b|\bjson error\b/i;
const SCHEMA = /\bschema|\bvalidation|\bmalformed\b|\b(?:unknown|unexpected|additional) (?:field|propert)/i;
const EVENT_INDEX = /\bevents\[(\d{1,6})\]/;

export function redditOutcomes(result: HttpResult, events: readonly NormalizedEvent[]): readonly Outcome[] {
  if (result.kind === 'failure') return everyone(events.length, failureOutcome(result));
  const body = jsonObject(result);
  if (result.status >= 200 && result.status < 300)
    return everyone(events.length, acceptance(body, result, events.length));
  if (body === undefined) return everyone(events.length, statusOutcome(result, events.length));
  const named = namedEvents(body, events);
  const one = sharedOutcome(body, result, events.length, named.size > 0);
  if (named.size === 0 || (one.kind !== 'batch_refused' && one.kind !== 'permanent'))
    return everyone(events.length, one);
  return events.map((_, index) =>
    named.has(index)
      ? outcome({ kind: 'permanent', code: one.code, message: named.get(index) ?? one.message })
      : one,
  );
}

/** `{"data": {"message": "Successfully processed 1 conversion events."}}`; version 2 had no `data`. */
function acceptance(body: Fields | undefined, answer: Answer, events: number): Outcome {
  const message = record(body?.data)?.message ?? body?.message;
  const processed = typeof message === 'string' ? PROCESSED.exec(message)?.[1] : undefined;
  if (processed === undefined) return statusOutcome(answer, events);
  if (Number(processed) === events) return { kind: 'delivered' };
  return outcome({ kind: 'retry', code: 'wrong_count', message, maybeDelivered: true });
}

function sharedOutcome(body: Fields, answer: Answer, events: number, namesEvents: boolean): Outcome {
  const { status } = answer;
  const general = statusOutcome(answer, events);
  const error = record(body.error) ?? body;
  const said = [error.message, error.explanation, error.reason].find((part) => typeof part === 'string');
  const message = typeof said === 'string' ? said : undefined;
  const code = codeOf(error, status);
  const codes = namesEvents || speaksOfSchema(error) ? ['schema'] : [];
  const kind = errorKind(REDDIT_ERRORS, { status, codes });
  if (kind !== undefined) return kindOutcome(kind, { code, message }, events);
  return outcome({ ...general, code, message });
}

/** Fields it dislikes, or words about the form of what was sent, whatever the reason says. A missing permission names neither. */
function speaksOfSchema({ fields, message, explanation, reason }: Fields): boolean {
  if (records(fields).length > 0) return true;
  return [message, explanation, reason].some(
    (said) => typeof said === 'string' && (SCHEMA.test(said) || NAMES_FIELD.test(said)),
  );
}

/** `UNAUTHORIZED`, else the number in the body, else the status. */
function codeOf(error: Fields, status: number): string {
  const { reason } = error;
  const word = typeof reason === 'string' && /^[A-Z_]{3,60}$/.test(reason) ? reason : wholeNumber(error.code);
  return word === undefined ? `http_${status}` : `reddit.${word}`;
}

/** Index → what is wrong with it: by path (`$.data.events[0].user.UUID`), or in version 2's words by conversion id. */
function namedEvents(body: Fields, events: readonly NormalizedEvent[]): Named {
  const named = new Map<number, string | undefined>();
  const note = (index: number, message: unknown) => {
    if (index >= 0 && index < events.length && !named.has(index))
      named.set(index, typeof message === 'string' ? message : undefined);
  };
  for (const { field, message } of records(record(body.error)?.fields)) {
    const index = typeof field === 'string' ? EVENT_INDEX.exec(field)?.[1] : undefined;
    if (index !== undefined) note(Number(index), message);
  }
  for (const { event, error_message: message } of records(body.invalid_events)) {
    const metadata = record(record(event)?.metadata) ?? record(record(event)?.event_metadata);
    note(
      events.findIndex(({ dedupId }) => dedupId === metadata?.conversion_id),
      message,
    );
  }
  return named;
}

function records(list: unknown): readonly Fields[] {
  return Array.isArray(list) ? list.map(record).filter((item) => item !== undefined) : [];
}
