// What Pinterest's answer means for each event: 200 and 422 say it event by event, in the order sent.
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
  statusOutcome,
  wholeNumber,
} from '../answer.ts';
import { errorKind } from '../error-table.ts';
import type { HttpResult } from '../platform.ts';
import { PINTEREST_ERRORS } from './errors.ts';

type Fields = Readonly<Record<string, unknown>>;

const NOT_ALL_PROCESSED = 422;

export function pinterestOutcomes(
  result: HttpResult,
  events: readonly NormalizedEvent[],
): readonly Outcome[] {
  if (result.kind === 'failure') return everyone(events.length, failureOutcome(result));
  const body = jsonObject(result);
  const succeeded = result.status >= 200 && result.status < 300;
  if (body !== undefined && (succeeded || result.status === NOT_ALL_PROCESSED)) {
    const report = reportIn(body);
    if (report !== undefined) return eventOutcomes(report, events.length);
  }
  return everyone(events.length, sharedOutcome(body, result, events.length));
}

/** The counts with a verdict per event: the whole of a 200, the `details` of a 422. */
function reportIn(body: Fields): Fields | undefined {
  return [body, record(body.details)].find((fields) => Array.isArray(fields?.events));
}

function eventOutcomes(report: Fields, events: number): readonly Outcome[] {
  const entries = (report.events as readonly unknown[]).map((entry) => record(entry) ?? {});
  const processed = entries.filter(({ status }) => status === 'processed').length;
  const received = wholeNumber(report.num_events_received) ?? entries.length;
  const counted = wholeNumber(report.num_events_processed) ?? processed;
  if (entries.length !== events || received !== events || counted !== processed)
    return everyone(
      events,
      outcome({
        kind: 'retry',
        code: 'wrong_count',
        message: `${received} received, ${counted} processed, ${entries.length} reported for ${events} sent`,
        maybeDelivered: true,
      }),
    );
  return entries.map(({ status, error_message: error, warning_message: warning }) => {
    if (status === 'processed') return outcome({ kind: 'delivered', message: warning });
    if (status === 'failed') return outcome({ kind: 'permanent', code: 'pinterest.failed', message: error });
    return outcome({ kind: 'retry', code: 'unreadable_answer', maybeDelivered: true });
  });
}

/** `{code, message}`, or nothing readable. */
function sharedOutcome(body: Fields | undefined, answer: Answer, events: number): Outcome {
  const general = statusOutcome(answer, events);
  const number = wholeNumber(body?.code);
  if (number === undefined || (answer.status >= 200 && answer.status < 300)) return general;
  const code = `pinterest.${number}`;
  const message = typeof body?.message === 'string' ? body.message : undefined;
  const kind = errorKind(PINTEREST_ERRORS, { status: answer.status, codes: [number] });
  if (kind !== undefined) return kindOutcome(kind, { code, message }, events);
  if (general.kind === 'batch_refused' || general.kind === 'permanent') return refusal(events, code, message);
  return outcome({ ...general, code, message });
}
