// What Snap's answer means for each event. A refusal may come with status 200: `status` decides. It names at most one
// event of the request, by a number whose base is not documented, so the culprit is found by splitting.
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
} from '../answer.ts';
import { errorKind } from '../error-table.ts';
import type { HttpResult } from '../platform.ts';
import { SNAPCHAT_ERRORS } from './errors.ts';

type Fields = Readonly<Record<string, unknown>>;

export function snapchatOutcomes(result: HttpResult, events: readonly NormalizedEvent[]): readonly Outcome[] {
  if (result.kind === 'failure') return everyone(events.length, failureOutcome(result));
  const body = jsonObject(result);
  const one =
    body === undefined
      ? statusOutcome(result, events.length)
      : result.status >= 200 && result.status < 300
        ? verdict(body, result.status, events.length)
        : failure(body, result, events.length);
  return everyone(events.length, one);
}

/** Status 2xx. */
function verdict(body: Fields, status: number, events: number): Outcome {
  const errors = errorsOf(body);
  const kind = errors.length > 0 ? 'event_refused' : errorKind(SNAPCHAT_ERRORS, saidIn(body, status));
  if (kind === 'delivered') return { kind };
  if (kind === undefined) return kindOutcome('maybe_delivered', { code: 'unreadable_answer' }, events);
  const refused = kindOutcome(
    kind,
    { code: codeOf(body), message: errors.join('; ') || textOf(body.reason) },
    events,
  );
  // Snap does not say whether it kept the others: their copies are dropped by event id.
  return events > 1 ? { ...refused, maybeDelivered: true } : refused;
}

function failure(body: Fields, answer: Answer, events: number): Outcome {
  const general = statusOutcome(answer, events);
  const said = {
    code: codeOf(body, general.code),
    message: errorsOf(body).join('; ') || textOf(body.reason),
  };
  const kind = errorKind(SNAPCHAT_ERRORS, saidIn(body, answer.status));
  return kind === undefined ? outcome({ ...general, ...said }) : kindOutcome(kind, said, events);
}

function saidIn({ status: word }: Fields, status: number) {
  return { status, codes: [word === undefined ? undefined : String(word)] };
}

/** The wording of each error: of the whole answer, and of the log of a validation. */
function errorsOf(body: Fields): readonly string[] {
  const logs = Array.isArray(body.event_logs) ? body.event_logs.map((log) => record(log)?.errors) : [];
  return [body.errors, ...logs].flatMap((errors) => {
    const messages = record(errors)?.error_msgs;
    return Array.isArray(messages) ? messages.filter((text) => typeof text === 'string') : [];
  });
}

function codeOf(body: Fields, otherwise = 'snapchat.invalid'): string {
  const codes = record(body.errors)?.codes;
  const first: unknown = Array.isArray(codes) ? codes[0] : undefined;
  return typeof first === 'string' && /^[A-Za-z0-9_.-]{1,60}$/.test(first) ? `snapchat.${first}` : otherwise;
}

const textOf = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);
