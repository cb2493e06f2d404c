// What the Measurement Protocol's answer means. Production answers 204 to anything that arrived, right or wrong:
// delivered means received. The validation server answers a list of complaints; it stores nothing.
import type { Outcome } from '../../domain/deliveries/delivery.ts';
import type { NormalizedEvent } from '../../domain/event/normalized-event.ts';
import {
  type Answer,
  everyone,
  failureOutcome,
  jsonObject,
  outcome,
  record,
  statusOutcome,
} from '../answer.ts';
import type { HttpResult } from '../platform.ts';

const DELIVERED: Outcome = { kind: 'delivered' };

export function ga4Outcomes(result: HttpResult, events: readonly NormalizedEvent[]): readonly Outcome[] {
  if (result.kind === 'failure') return everyone(events.length, failureOutcome(result));
  if (result.status < 200 || result.status >= 300)
    return everyone(events.length, statusOutcome(result, events.length));
  if (result.body === '' && result.truncated !== true) return everyone(events.length, DELIVERED);
  return validated(result, events.length);
}

function validated(answer: Answer, events: number): readonly Outcome[] {
  const complaints = jsonObject(answer)?.validationMessages;
  if (!Array.isArray(complaints)) return everyone(events, statusOutcome(answer, events));
  if (complaints.length === 0) return everyone(events, DELIVERED);
  const named = new Map<number, Outcome>();
  let general: Outcome | undefined;
  for (const complaint of complaints) {
    const index = eventIndex(record(complaint)?.fieldPath, events);
    if (index === undefined) general ??= refusalFrom(complaint);
    else if (!named.has(index)) named.set(index, refusalFrom(complaint));
  }
  return Array.from({ length: events }, (_, i) => named.get(i) ?? general ?? DELIVERED);
}

function refusalFrom(complaint: unknown): Outcome {
  const said = record(complaint) ?? {};
  const code =
    typeof said.validationCode === 'string' && /^[A-Z_]{1,60}$/.test(said.validationCode)
      ? said.validationCode
      : 'INVALID';
  return outcome({ kind: 'permanent', code: `ga4.${code}`, message: said.description });
}

/** `events[3].params.x` and `events.3` name the fourth event. */
function eventIndex(fieldPath: unknown, events: number): number | undefined {
  const digits = typeof fieldPath === 'string' ? /^events(?:\[|\.)(\d{1,4})/.exec(fieldPath)?.[1] : undefined;
  const index = Number(digits ?? Number.NaN);
  return index < events ? index : undefined;
}
