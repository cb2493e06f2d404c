// What the Events API's answer means for each event. 207 lists each event by index, as taken or with its errors; one
// that is in neither list is not known to have arrived.
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
import { AMAZON_ERRORS } from './errors.ts';

type Fields = Readonly<Record<string, unknown>>;

export function amazonOutcomes(result: HttpResult, events: readonly NormalizedEvent[]): readonly Outcome[] {
  if (result.kind === 'failure') return everyone(events.length, failureOutcome(result));
  const body = jsonObject(result);
  if (result.status < 200 || result.status >= 300 || body === undefined) {
    const general = statusOutcome(result, events.length);
    const code = codeOf(body?.code) ?? general.code;
    const kind = errorKind(AMAZON_ERRORS, { status: result.status });
    const said = { code, message: body?.message };
    return everyone(
      events.length,
      kind === undefined ? outcome({ ...general, ...said }) : kindOutcome(kind, said, events.length),
    );
  }
  return perEvent(body, events.length, result);
}

function perEvent(body: Fields, events: number, answer: Answer): readonly Outcome[] {
  const taken = new Set(entriesOf(body.success).map(({ index }) => wholeNumber(index)));
  const refused = new Map<number | undefined, Outcome>();
  for (const entry of entriesOf(body.error))
    refused.set(wholeNumber(entry.index), errorOutcome(entry, answer));
  const counted = Array.isArray(body.success) || Array.isArray(body.error);
  const missing = outcome({
    kind: 'retry',
    code: counted ? 'unaccounted' : 'unreadable_answer',
    maybeDelivered: true,
  });
  return Array.from(
    { length: events },
    (_, i) => refused.get(i) ?? (taken.has(i) ? { kind: 'delivered' } : missing),
  );
}

function errorOutcome(entry: Fields, answer: Answer): Outcome {
  const errors = entriesOf(entry.errors);
  const first = errors[0] ?? {};
  const message = [first.fieldLocation, first.message].filter((part) => typeof part === 'string').join(': ');
  const codes = errors.map(({ code }) => (typeof code === 'string' ? code : ''));
  const kind = errorKind(AMAZON_ERRORS, { status: answer.status, codes }) ?? 'event_refused';
  const code = codeOf(first.code) ?? 'amazon.error';
  // The error is of this event alone: there is nothing to split.
  return kindOutcome(
    kind,
    { code, message, ...(kind === 'rate_limited' ? { retryAfterSec: retryAfter(answer) } : {}) },
    1,
  );
}

function entriesOf(list: unknown): readonly Fields[] {
  if (!Array.isArray(list)) return [];
  return list.map((item) => record(item)).filter((item) => item !== undefined);
}

const codeOf = (code: unknown): string | undefined =>
  typeof code === 'string' && /^[A-Za-z0-9_.-]{1,60}$/.test(code) ? `amazon.${code}` : undefined;
