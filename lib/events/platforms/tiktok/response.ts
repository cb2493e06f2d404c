// What TikTok's answer means for each event. The status is 200 for most outcomes: `code` decides.
// One bad event fails the whole request; 20001 means that a part was taken.
import type { Outcome } from '../../domain/deliveries/delivery.ts';
import type { NormalizedEvent } from '../../domain/event/normalized-event.ts';
import {
  type Fields,
  isSuccess,
  kindOutcome,
  outcome,
  record,
  recordsOf,
  retryAfter,
  statusOutcome,
  wholeNumber,
} from '../answer.ts';
import { errorKind, errorTable, type OwnError } from '../error-table.ts';
import type { ReadAnswer } from '../platform.ts';

/** `code` of the answer, whatever its status. https://github.com/tiktok/tiktok-business-api-sdk (tiktok_code.py) */
export const TIKTOK_ERRORS = errorTable([
  ['2xx', 0, 'delivered'],
  ['*', 40050, 'duplicate'],
  ['*', [40100, 40132, 61000], 'rate_limited'],
  [429, '+', 'rate_limited'],
  ['*', [40001, 40101, 40102, 40103, 40104, 40105, 40113, 40118], 'auth'],
  ['*', [40700, 60001], 'maybe_delivered'],
  ['*', '40000-49999', 'event_refused'],
  ['*', '+', 'maybe_delivered'],
]);
const OK = 0;
const PARTIAL_OK = 20001;

/** `{"code": 40105, "message": …, "request_id": …}`. */
export const isTiktokError: OwnError = ({ code, message, request_id }) =>
  wholeNumber(code) !== undefined && typeof message === 'string' && typeof request_id === 'string';

export const readTiktokAnswer: ReadAnswer = (answer, body, events) => {
  const code = wholeNumber(body?.code);
  const isOwn = isSuccess(answer) || (code !== OK && isTiktokError(body ?? {}, answer.status));
  if (body === undefined || code === undefined || !isOwn) return statusOutcome(answer, events.length);
  if (code === PARTIAL_OK) return partial(body, events);
  const kind = errorKind(TIKTOK_ERRORS, { status: answer.status, codes: [code] }) ?? 'maybe_delivered';
  if (kind === 'delivered') return { kind };
  const said = { code: `tiktok.${code}`, message: body.message, retryAfterSec: retryAfter(answer) };
  return kindOutcome(kind, said, events.length);
};

/**
 * The refused ones where the answer names them, by event id or index. Where it names nobody a single event is tried
 * again, several are split: TikTok drops the copies of what it already has (event + event_id, 48 hours).
 */
function partial(body: Fields, events: readonly NormalizedEvent[]): Outcome | readonly Outcome[] {
  const code = `tiktok.${PARTIAL_OK}`;
  const refused = new Map<number, Outcome>();
  for (const entry of namedEntries(body.data)) {
    const index = indexOf(entry, events);
    if (index === undefined) continue;
    const reason = wholeNumber(entry.error_code ?? entry.code);
    const message = entry.error_message ?? entry.error_msg ?? entry.message;
    refused.set(
      index,
      outcome({ kind: 'permanent', code: reason === undefined ? code : `tiktok.${reason}`, message }),
    );
  }
  if (refused.size > 0) return events.map((_, i) => refused.get(i) ?? { kind: 'delivered' });
  const kind = events.length > 1 ? 'batch_refused' : 'retry';
  return outcome({ kind, code, message: body.message, maybeDelivered: true });
}

/** Every object in a list anywhere directly under `data`. */
const namedEntries = (data: unknown): readonly Fields[] =>
  (Array.isArray(data) ? [data] : Object.values(record(data) ?? {})).flatMap(recordsOf);

function indexOf(entry: Fields, events: readonly NormalizedEvent[]): number | undefined {
  const index =
    typeof entry.event_id === 'string'
      ? events.findIndex((event) => event.dedupId === entry.event_id)
      : wholeNumber(entry.index);
  return index !== undefined && index >= 0 && index < events.length ? index : undefined;
}
