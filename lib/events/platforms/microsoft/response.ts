// What the Conversions API's answer means for each event. `error.details` names events by index; a warning is no
// refusal. With continueOnValidationError the others were taken, and the answer says how many.
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
import { MICROSOFT_ERRORS } from './errors.ts';

type Fields = Readonly<Record<string, unknown>>;

/** What the answer says of single events. */
interface Named {
  readonly refused: ReadonlyMap<number, Outcome>;
  readonly warned: ReadonlyMap<number, string>;
}

export function microsoftOutcomes(
  result: HttpResult,
  events: readonly NormalizedEvent[],
): readonly Outcome[] {
  if (result.kind === 'failure') return everyone(events.length, failureOutcome(result));
  const body = jsonObject(result);
  const error = record(body?.error);
  const general = statusOutcome(result, events.length);
  const codes = typeof error?.code === 'string' ? [error.code] : [];
  const kind = errorKind(MICROSOFT_ERRORS, { status: result.status, codes });
  if (kind !== undefined)
    return everyone(
      events.length,
      worded(kindOutcome(kind, { code: undefined }, events.length), error, result),
    );
  if (body === undefined) return everyone(events.length, general);
  if (result.status >= 200 && result.status < 300) return acceptance(body, error, events.length);
  if (general.kind !== 'batch_refused' && general.kind !== 'permanent')
    return everyone(events.length, worded(general, error, result));
  const { refused } = namedEvents(error, events.length);
  const others = worded(general, error, result);
  return Array.from({ length: events.length }, (_, i) => refused.get(i) ?? others);
}

function acceptance(body: Fields, error: Fields | undefined, events: number): readonly Outcome[] {
  const { refused, warned } = namedEvents(error, events);
  const received = wholeNumber(body.eventsReceived);
  // An error that blames nobody and counts nothing: nothing was taken.
  if (error !== undefined && received === undefined && refused.size === 0 && warned.size === 0)
    return everyone(events, refusal(events, codeOf(error.code) ?? 'microsoft.error', wording(error.message)));
  const others = acceptedOutcome(body, received, events, refused.size);
  return Array.from({ length: events }, (_, i) => {
    const refusedFor = refused.get(i);
    if (refusedFor !== undefined) return refusedFor;
    return others.kind === 'delivered' ? outcome({ kind: 'delivered', message: warned.get(i) }) : others;
  });
}

/** `eventsReceived` counts the events taken, or all that came: which of the two is not documented. */
function acceptedOutcome(
  body: Fields,
  received: number | undefined,
  events: number,
  refused: number,
): Outcome {
  if (received === undefined)
    return typeof body.traceId === 'string' && body.eventsReceived === undefined
      ? { kind: 'delivered' }
      : outcome({ kind: 'retry', code: 'unreadable_answer', maybeDelivered: true });
  if (received === events || received === events - refused) return { kind: 'delivered' };
  return outcome({
    kind: 'retry',
    code: 'wrong_count',
    message: `eventsReceived is ${received} for ${events} sent`,
    maybeDelivered: true,
  });
}

function namedEvents(error: Fields | undefined, events: number): Named {
  const refused = new Map<number, Outcome>();
  const warned = new Map<number, string>();
  const details: readonly unknown[] = Array.isArray(error?.details) ? error.details : [];
  for (const entry of details) {
    const detail = record(entry);
    const index = wholeNumber(detail?.index);
    if (detail === undefined || index === undefined || index < 0 || index >= events) continue;
    const message = [wording(detail.propertyName), wording(detail.errorMessage)].filter(Boolean).join(': ');
    if (detail.isWarning === true) warned.set(index, message);
    else if (!refused.has(index)) {
      const code = codeOf(detail.errorCode) ?? codeOf(error?.code) ?? 'microsoft.ValidationError';
      refused.set(index, outcome({ kind: 'permanent', code, message }));
    }
  }
  return { refused, warned };
}

/** The general outcome in Microsoft's words, where it has any. */
function worded(general: Outcome, error: Fields | undefined, answer: Answer): Outcome {
  return outcome({
    ...general,
    code: codeOf(error?.code) ?? general.code ?? `http_${answer.status}`,
    message: wording(error?.message),
  });
}

function codeOf(code: unknown): string | undefined {
  const word = typeof code === 'number' ? String(code) : code;
  return typeof word === 'string' && /^[A-Za-z0-9_.-]{1,60}$/.test(word) ? `microsoft.${word}` : undefined;
}

const wording = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined;
