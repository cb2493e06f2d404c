// What the Measurement Protocol's answer means. Production answers 204 to anything that arrived, right or wrong:
// delivered means received. The validation server answers a list of complaints; it stores nothing.
import type { Outcome } from '../../domain/deliveries/delivery.ts';
import { type Fields, isSuccess, outcome, record, statusOutcome } from '../answer.ts';
import type { ErrorTable, OwnError } from '../error-table.ts';
import type { ReadAnswer } from '../platform.ts';

/** The Measurement Protocol has no error codes: the status says it all. */
export const GA4_ERRORS: ErrorTable = [];

/** The Measurement Protocol refuses nothing: only the validation server says what it dislikes. */
export const isGa4Error: OwnError = ({ validationMessages }) => Array.isArray(validationMessages);

const DELIVERED: Outcome = { kind: 'delivered' };

export const readGa4Answer: ReadAnswer = (answer, body, events) => {
  if (isSuccess(answer) && answer.body === '' && answer.truncated !== true) return DELIVERED;
  const complaints = body?.validationMessages;
  if (!isSuccess(answer) || !Array.isArray(complaints)) return statusOutcome(answer, events.length);
  const named = new Map<number, Outcome>();
  let general: Outcome | undefined;
  for (const complaint of complaints) {
    const { fieldPath, ...said } = record(complaint) ?? {};
    const index = eventIndex(fieldPath, events.length);
    if (index === undefined) general ??= refusalFrom(said);
    else if (!named.has(index)) named.set(index, refusalFrom(said));
  }
  return events.map((_, i) => named.get(i) ?? general ?? DELIVERED);
};

function refusalFrom({ validationCode, description }: Fields): Outcome {
  const isCode = typeof validationCode === 'string' && /^[A-Z_]{1,60}$/.test(validationCode);
  const code = `ga4.${isCode ? validationCode : 'INVALID'}`;
  return outcome({ kind: 'permanent', code, message: description });
}

/** `events[3].params.x` and `events.3` name the fourth event. */
function eventIndex(fieldPath: unknown, events: number): number | undefined {
  const digits = typeof fieldPath === 'string' ? /^events(?:\[|\.)(\d{1,4})/.exec(fieldPath)?.[1] : undefined;
  const index = Number(digits ?? Number.NaN);
  return index < events ? index : undefined;
}
