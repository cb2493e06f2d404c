// What the Events API's answer means for each event. 207 lists each event by index, as taken or with its errors; one
// that is in neither list is not known to have arrived.
import type { Outcome } from '../../domain/delivery.ts';
import type { NormalizedEvent } from '../../domain/normalized-event.ts';
import {
  everyone,
  failureOutcome,
  jsonObject,
  outcome,
  record,
  retryAfter,
  statusOutcome,
  wholeNumber,
} from '../answer.ts';
import type { HttpResult } from '../platform.ts';

type Fields = Readonly<Record<string, unknown>>;

// ErrorCode of the Amazon Ads API v1; every other code blames the event.
const THROTTLED: ReadonlySet<unknown> = new Set(['TOO_MANY_REQUESTS']);
const TRANSIENT: ReadonlySet<unknown> = new Set(['INTERNAL_ERROR']);
const AUTH: ReadonlySet<unknown> = new Set([
  'UNAUTHORIZED',
  'FORBIDDEN',
  'ACCESS_DENIED_FOR_MANAGER_ACCOUNT',
  'ACCOUNT_NOT_ELIGIBLE',
]);

export function amazonOutcomes(result: HttpResult, events: readonly NormalizedEvent[]): readonly Outcome[] {
  if (result.kind === 'failure') return everyone(events.length, failureOutcome(result));
  const body = jsonObject(result);
  if (result.status < 200 || result.status >= 300 || body === undefined) {
    const general = statusOutcome(result, events.length);
    // The path names no event: what is not found is the account.
    const kind = result.status === 404 ? 'auth' : general.kind;
    const code = codeOf(body?.code) ?? general.code;
    return everyone(events.length, outcome({ ...general, kind, code, message: body?.message }));
  }
  return perEvent(body, events.length, retryAfter(result));
}

function perEvent(body: Fields, events: number, retryAfterSec: number | undefined): readonly Outcome[] {
  const taken = new Set(entriesOf(body.success).map(({ index }) => wholeNumber(index)));
  const refused = new Map<number | undefined, Outcome>();
  for (const entry of entriesOf(body.error))
    refused.set(wholeNumber(entry.index), errorOutcome(entry, retryAfterSec));
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

function errorOutcome(entry: Fields, retryAfterSec: number | undefined): Outcome {
  const errors = entriesOf(entry.errors);
  const first = errors[0] ?? {};
  const code = codeOf(first.code) ?? 'amazon.error';
  const message = [first.fieldLocation, first.message].filter((part) => typeof part === 'string').join(': ');
  if (errors.some((error) => AUTH.has(error.code))) return outcome({ kind: 'auth', code, message });
  if (errors.some((error) => THROTTLED.has(error.code)))
    return outcome({ kind: 'rate_limited', code, message, retryAfterSec });
  if (errors.some((error) => TRANSIENT.has(error.code)))
    return outcome({ kind: 'retry', code, message, maybeDelivered: true });
  return outcome({ kind: 'permanent', code, message });
}

function entriesOf(list: unknown): readonly Fields[] {
  if (!Array.isArray(list)) return [];
  return list.map((item) => record(item)).filter((item) => item !== undefined);
}

const codeOf = (code: unknown): string | undefined =>
  typeof code === 'string' && /^[A-Za-z0-9_.-]{1,60}$/.test(code) ? `amazon.${code}` : undefined;
