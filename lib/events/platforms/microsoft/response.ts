// What the Conversions API's answer means for each event. `error.details` names events by index; a warning is no
// refusal. With continueOnValidationError the others were taken, and the answer says how many.
import type { Outcome } from '../../domain/deliveries/delivery.ts';
import type { NormalizedEvent } from '../../domain/event/normalized-event.ts';
import {
  errorOutcome,
  type Fields,
  isSuccess,
  joined,
  outcome,
  codeOf as plainCodeOf,
  record,
  recordsOf,
  refusal,
  statusOutcome,
  UNREADABLE,
  wholeNumber,
  wrongCount,
} from '../answer.ts';
import { errorKind, errorTable, type OwnError } from '../error-table.ts';
import type { ReadAnswer } from '../platform.ts';
import { adjustmentOutcomes, faultsIn, isRefund } from './adjustments.ts';

/** `error.code`. The address holds nothing but the tag: 404 is the tag, whatever the events are. */
export const MICROSOFT_ERRORS = errorTable([
  [404, '*', 'auth'],
  ['*', 'Unauthorized', 'auth'],
  // Of the Ads API: https://learn.microsoft.com/en-us/advertising/guides/operation-error-codes
  [
    '*',
    [
      'InvalidCredentials',
      'UserIsNotAuthorized',
      'AuthenticationTokenExpired',
      'OfflineConversionNameInvalid',
      'OfflineConversionNotAcceptedForGoal',
    ],
    'setting_refused',
    'refunds',
  ],
  ['*', ['CallRateExceeded', 'ConcurrentRequestOverLimit'], 'rate_limited', 'refunds'],
]);

/** `{"error": {"code": "Unauthorized", "message": …, "details": […]}, "traceId": …}`, or a fault of the Ads API. */
export const isMicrosoftError: OwnError = (body) => {
  const { code, details } = record(body.error) ?? {};
  const isMarked = typeof body.traceId === 'string' || Array.isArray(details);
  return (code !== undefined && isMarked) || faultsIn(body).length > 0;
};

/** What the answer says of single events, by index. */
interface Named {
  readonly refused: ReadonlyMap<number, Outcome>;
  readonly warned: ReadonlyMap<number, string>;
}

export const readMicrosoftAnswer: ReadAnswer = (answer, body, events) => {
  if (events.some(isRefund)) return adjustmentOutcomes(MICROSOFT_ERRORS, answer, body, events.length);
  const error = record(body?.error);
  const codes = typeof error?.code === 'string' ? [error.code] : [];
  const kind = errorKind(MICROSOFT_ERRORS, { status: answer.status, codes });
  if (kind === undefined && body !== undefined && isSuccess(answer)) return acceptance(body, error, events);
  if (kind === undefined && body === undefined) return statusOutcome(answer, events.length);
  const said = { codes, code: codeOf(error?.code), message: error?.message };
  const one = errorOutcome(MICROSOFT_ERRORS, answer, events.length, said);
  if (one.kind !== 'batch_refused' && one.kind !== 'permanent') return one;
  const { refused } = namedEvents(error, events.length);
  return events.map((_, i) => refused.get(i) ?? one);
};

function acceptance(
  body: Fields,
  error: Fields | undefined,
  events: readonly NormalizedEvent[],
): Outcome | readonly Outcome[] {
  const { refused, warned } = namedEvents(error, events.length);
  const received = wholeNumber(body.eventsReceived);
  // An error that blames nobody and counts nothing: nothing was taken.
  if (error !== undefined && received === undefined && refused.size === 0 && warned.size === 0)
    return refusal(events.length, codeOf(error.code) ?? 'microsoft.error', error.message);
  const others = acceptedOutcome(body, received, events.length, refused.size);
  return events.map(
    (_, i) =>
      refused.get(i) ??
      (others.kind === 'delivered' ? outcome({ kind: 'delivered', message: warned.get(i) }) : others),
  );
}

/** `eventsReceived` counts the events taken, or all that came: which of the two is not documented. */
function acceptedOutcome(
  { traceId, eventsReceived }: Fields,
  received: number | undefined,
  sent: number,
  refused: number,
): Outcome {
  if (received === undefined)
    return typeof traceId === 'string' && eventsReceived === undefined ? { kind: 'delivered' } : UNREADABLE;
  if (received === sent || received === sent - refused) return { kind: 'delivered' };
  return wrongCount(`eventsReceived is ${received} for ${sent} sent`);
}

function namedEvents(error: Fields | undefined, sent: number): Named {
  const refused = new Map<number, Outcome>();
  const warned = new Map<number, string>();
  for (const detail of recordsOf(error?.details)) {
    const index = wholeNumber(detail.index);
    if (index === undefined || index < 0 || index >= sent) continue;
    const message = joined([detail.propertyName, detail.errorMessage], ': ');
    if (detail.isWarning === true) warned.set(index, message);
    else if (!refused.has(index)) {
      const code = codeOf(detail.errorCode) ?? codeOf(error?.code) ?? 'microsoft.ValidationError';
      refused.set(index, outcome({ kind: 'permanent', code, message }));
    }
  }
  return { refused, warned };
}

const codeOf = (code: unknown): string | undefined =>
  plainCodeOf('microsoft', typeof code === 'number' ? String(code) : code);
