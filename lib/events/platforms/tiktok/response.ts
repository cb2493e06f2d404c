// What TikTok's answer means for each event. The status is 200 for most outcomes: `code` decides.
// One bad event fails the whole request; 20001 means that a part was taken.
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
  retryAfter,
  statusOutcome,
  wholeNumber,
} from '../answer.ts';
import type { HttpResult } from '../platform.ts';

// https://github.com/tiktok/tiktok-business-api-sdk (tiktok_code.py)
const OK = 0;
const PARTIAL_OK = 20001;
const DUPLICATED = 40050;
const THROTTLED: ReadonlySet<number> = new Set([40100, 40132, 61000]);
const AUTH: ReadonlySet<number> = new Set([40001, 40101, 40102, 40103, 40104, 40105, 40113, 40118]);
const TRANSIENT: ReadonlySet<number> = new Set([40700, 60001]);

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
  const word = `tiktok.${code}`;
  const { message } = body;
  const retryAfterSec = retryAfter(answer);
  if (code === OK)
    return answer.status >= 200 && answer.status < 300
      ? { kind: 'delivered' }
      : statusOutcome(answer, events);
  if (code === DUPLICATED) return outcome({ kind: 'duplicate', code: word, message });
  if (THROTTLED.has(code) || answer.status === 429)
    return outcome({ kind: 'rate_limited', code: word, message, retryAfterSec });
  if (AUTH.has(code)) return outcome({ kind: 'auth', code: word, message });
  if (code >= 40_000 && code < 50_000 && !TRANSIENT.has(code))
    return refusal(events, word, typeof message === 'string' ? message : undefined);
  return outcome({ kind: 'retry', code: word, message, retryAfterSec, maybeDelivered: true });
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
