// What Snap's answer means for each event. A refusal may come with status 200: `status` decides. It names at most one
// event of the request, by a number whose base is not documented, so the culprit is found by splitting.
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
  statusOutcome,
} from '../answer.ts';
import type { HttpResult } from '../platform.ts';

type Fields = Readonly<Record<string, unknown>>;

// VALID and INVALID are Snap's (api/openapi.yaml of its SDK); the others are seen in the answers of version 2.
const TAKEN: ReadonlySet<unknown> = new Set(['VALID', 'SUCCESS', 'OK']);
const REFUSED: ReadonlySet<unknown> = new Set(['INVALID', 'FAILURE', 'FAILED', 'ERROR']);
const NOT_FOUND = 404;

export function snapchatOutcomes(result: HttpResult, events: readonly NormalizedEvent[]): readonly Outcome[] {
  if (result.kind === 'failure') return everyone(events.length, failureOutcome(result));
  const body = jsonObject(result);
  const one =
    body === undefined
      ? statusOutcome(result, events.length)
      : result.status >= 200 && result.status < 300
        ? verdict(body, events.length)
        : failure(body, result, events.length);
  return everyone(events.length, one);
}

/** Status 2xx. */
function verdict(body: Fields, events: number): Outcome {
  const errors = errorsOf(body);
  if (REFUSED.has(body.status) || errors.length > 0) {
    const refused = refusal(events, codeOf(body), errors.join('; ') || textOf(body.reason));
    // Snap does not say whether it kept the others: their copies are dropped by event id.
    return events > 1 ? { ...refused, maybeDelivered: true } : refused;
  }
  if (TAKEN.has(body.status)) return { kind: 'delivered' };
  return outcome({ kind: 'retry', code: 'unreadable_answer', maybeDelivered: true });
}

function failure(body: Fields, answer: Answer, events: number): Outcome {
  const general = statusOutcome(answer, events);
  const message = errorsOf(body).join('; ') || textOf(body.reason);
  const code = codeOf(body, general.code);
  if (answer.status === NOT_FOUND && body.status !== undefined)
    return outcome({ kind: 'auth', code, message });
  if (general.kind === 'batch_refused' || general.kind === 'permanent') return refusal(events, code, message);
  return outcome({ ...general, code, message });
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
