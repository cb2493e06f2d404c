// What Reddit's answer means for each event. One bad event refuses the whole request, and the answer names the bad
// ones: the others go again together.
import type { Outcome } from '../../domain/deliveries/delivery.ts';
import type { NormalizedEvent } from '../../domain/event/normalized-event.ts';
import {
  type Answer,
  errorOutcome,
  type Fields,
  isSuccess,
  outcome,
  record,
  recordsOf,
  statusOutcome,
  wholeNumber,
  wrongCount,
} from '../answer.ts';
import { errorTable, type OwnError } from '../error-table.ts';
import type { ReadAnswer } from '../platform.ts';

/**
 * `schema`: the answer names events or fields, or speaks of the form of what was sent. Reddit words that as 403 too, and
 * then the event is at fault. 404 and 410: no such pixel, or this version of the interface is gone.
 */
export const REDDIT_ERRORS = errorTable([
  [403, 'schema', 'event_refused'],
  [404, '*', 'auth'],
  [410, '*', 'auth'],
]);

/**
 * `{"error": {"code" or "reason": …}}`, with `fields` where it names them; version 2 lists `invalid_events`. A code with a message is
 * what gateways say too: then the message must be in Reddit's words.
 */
export const isRedditError: OwnError = ({ error, invalid_events }) => {
  const { message, reason, fields } = record(error) ?? {};
  if (Array.isArray(invalid_events) || Array.isArray(fields) || typeof reason === 'string') return true;
  return (
    typeof message === 'string' &&
    [OWN_WORDS, OWN_CODE, SCHEMA, NAMES_FIELD].some((words) => words.test(message))
  );
};

const OWN_WORDS = /\bpixel id\b|\bbearer token\b|\badsconversions\b|\bconversion events?\b/i;
/** `UNAUTHORIZED`. */
const OWN_CODE = /^[A-Z_]{3,60}$/;

const PROCESSED = /^Successfully processed (\d{1,9}) conversion events?/i;
/** As recorded: `JSON error unexpected type number on field events event_metadata value`. */
const NAMES_FIELD = /\bon field\b|\bunexpected type\b|\bjson error\b/i;
const SCHEMA = /\bschema|\bvalidation|\bmalformed\b|\b(?:unknown|unexpected|additional) (?:field|propert)/i;
const EVENT_INDEX = /\bevents\[(\d{1,6})\]/;

export const readRedditAnswer: ReadAnswer = (answer, body, events) => {
  if (isSuccess(answer)) return acceptance(body, answer, events.length);
  if (body === undefined) return statusOutcome(answer, events.length);
  const named = namedEvents(body, events);
  const one = requestOutcome(body, answer, events.length, named.size > 0);
  if (one.kind !== 'batch_refused' && one.kind !== 'permanent') return one;
  return events.map((_, index) =>
    named.has(index)
      ? outcome({ kind: 'permanent', code: one.code, message: named.get(index) ?? one.message })
      : one,
  );
};

/** `{"data": {"message": "Successfully processed 1 conversion events."}}`; version 2 had no `data`. */
function acceptance(body: Fields | undefined, answer: Answer, sent: number): Outcome {
  const message = record(body?.data)?.message ?? body?.message;
  const processed = typeof message === 'string' ? PROCESSED.exec(message)?.[1] : undefined;
  if (processed === undefined) return statusOutcome(answer, sent);
  return Number(processed) === sent ? { kind: 'delivered' } : wrongCount(message);
}

function requestOutcome(body: Fields, answer: Answer, sent: number, namesEvents: boolean): Outcome {
  const error = record(body.error) ?? body;
  const message = [error.message, error.explanation, error.reason].find((part) => typeof part === 'string');
  const codes = namesEvents || speaksOfSchema(error) ? ['schema'] : [];
  return errorOutcome(REDDIT_ERRORS, answer, sent, { codes, code: codeIn(error), message });
}

/** Fields it dislikes, or words about the form of what was sent, whatever the reason says. A missing permission names neither. */
function speaksOfSchema({ fields, message, explanation, reason }: Fields): boolean {
  if (recordsOf(fields).length > 0) return true;
  return [message, explanation, reason].some(
    (said) => typeof said === 'string' && (SCHEMA.test(said) || NAMES_FIELD.test(said)),
  );
}

/** `UNAUTHORIZED`, else the number in the body; undefined where there is neither. */
function codeIn({ reason, code }: Fields): string | undefined {
  const word = typeof reason === 'string' && OWN_CODE.test(reason) ? reason : wholeNumber(code);
  return word === undefined ? undefined : `reddit.${word}`;
}

/** Index → what is wrong with it: by path (`$.data.events[0].user.UUID`), or in version 2's words by conversion id. */
function namedEvents(body: Fields, events: readonly NormalizedEvent[]): ReadonlyMap<number, unknown> {
  const named = new Map<number, string | undefined>();
  const note = (index: number, message: unknown) => {
    if (index >= 0 && index < events.length && !named.has(index))
      named.set(index, typeof message === 'string' ? message : undefined);
  };
  for (const { field, message } of recordsOf(record(body.error)?.fields)) {
    const index = typeof field === 'string' ? EVENT_INDEX.exec(field)?.[1] : undefined;
    if (index !== undefined) note(Number(index), message);
  }
  for (const { event, error_message: message } of recordsOf(body.invalid_events)) {
    const metadata = record(record(event)?.metadata) ?? record(record(event)?.event_metadata);
    note(
      events.findIndex(({ dedupId }) => dedupId === metadata?.conversion_id),
      message,
    );
  }
  return named;
}
