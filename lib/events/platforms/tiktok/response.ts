// What TikTok's answer means for each event. The status is 200 for most outcomes: `code` decides.
// One bad event fails the whole request; 20001 means that a part was taken.
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
import { TIKTOK_ERRORS } from './errors.ts';

// https://github.com/tiktok/tiktok-business-api-sdk (tiktok_code.py)
const OK = 0;
const PARTIAL_OK = 20001;

type Fields = Readonly<Record<string, unknown>>;

export function tiktokOutcomes(result: HttpResult, events: readonly NormalizedEvent[]): readonly Outcome[] {
  if (result.kind === 'failure') return everyone(events.length, failureOutcome(result));
  const body = jsonObject(result);
  const code = wholeNumber(body?.code);
  if (body === undefined || code === undefined)
    return everyone(events.length, statusOutcome(result, events.length));
  if (code === PARTIAL_OK) return partial(body, events);
  return everyone(events.length, codeOutcome(code, body, result, events.length));
}

function codeOutcome(code: number, body: Fields, answer: Answer, events: number): Outcome {
  const { status } = answer;
  if (code === OK && (status < 200 || status >= 300)) return statusOutcome(answer, events);
  const kind = errorKind(TIKTOK_ERRORS, { status, codes: [code] }) ?? 'maybe_delivered';
  if (kind === 'delivered') return { kind };
  const said = { code: `tiktok.${code}`, message: body.message, retryAfterSec: retryAfter(answer) };
  return kindOutcome(kind, said, events);
}

/**
 * The refused ones where the answer names them, by event id or index. Where it names nobody a single event is tried
 * again, several are split: TikTok drops the copies of what it already has (event + event_id, 48 hours).
 */
function partial(body: Fields, events: readonly NormalizedEvent[]): readonly Outcome[] {
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
  return everyone(events.length, outcome({ kind, code, message: body.message, maybeDelivered: true }));
}

/** Every object in a list anywhere directly under `data`. */
function namedEntries(data: unknown): readonly Fields[] {
  const candidates: readonly unknown[] = Array.isArray(data) ? [data] : Object.values(record(data) ?? {});
  const entries: Fields[] = [];
  for (const list of candidates) {
    if (!Array.isArray(list)) continue;
    for (const item of list) {
      const entry = record(item);
      if (entry !== undefined) entries.push(entry);
    }
  }
  return entries;
}

function indexOf(entry: Fields, events: readonly NormalizedEvent[]): number | undefined {
  if (typeof entry.event_id === 'string') {
    const found = events.findIndex((event) => event.dedupId === entry.event_id);
    return found < 0 ? undefined : found;
  }
  const index = wholeNumber(entry.index);
  return index !== undefined && index >= 0 && index < events.length ? index : undefined;
}
