// The JSON of a request body: one event, or a batch whose events are read independently. An event of a batch that is
// not strict JSON, or is too large, is refused alone as long as the text still shows where it begins and ends.
import type { ErrorDetail } from '#lib/core/http/errors.ts';
import { splitList } from '#lib/core/http/json-list.ts';
import { sizeDetails } from '#lib/core/http/request-rules.ts';
import { parseStrictJson, STRICT_JSON_TEXTS, withoutMark } from '#lib/core/http/strict-json.ts';
import { EVENT_LIMITS } from '#lib/events/domain/event/event.ts';
import type { EventsErrorCode } from '#lib/events/routes/errors.ts';

/** Stands in a batch for an event that was refused before it was validated. */
export class RefusedEvent {
  readonly code: EventsErrorCode;
  readonly details: readonly ErrorDetail[];
  /** Null if its text could not be read. */
  readonly eventId: string | null;

  constructor(code: EventsErrorCode, details: readonly ErrorDetail[], eventId: string | null) {
    this.code = code;
    this.details = details;
    this.eventId = eventId;
  }
}

export type BodyValue =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly code: EventsErrorCode; readonly details: readonly ErrorDetail[] };

/** The events of a batch are in a list in an object. */
const BATCH_DEPTH = 2;

/** `list`: the member of the body that holds the events of a batch. */
export function readBodyValue(
  sent: Uint8Array,
  eventSizeMaxBytes: number,
  list: 'events' | 'batch' = 'events',
): BodyValue {
  const bytes = withoutMark(sent);
  // An empty body counts as absent with any content type; the schema then asks for what is required.
  if (bytes.byteLength === 0) return { ok: true, value: undefined };
  const parsed = parseStrictJson(bytes);
  if (parsed.ok && bytes.byteLength <= eventSizeMaxBytes) return parsed;
  const events = parsed.ok ? batchOf(parsed.value, list) : null;
  // More than a batch may have: the route refuses it.
  if (events !== null && events.length > EVENT_LIMITS.batchEventsMax) return parsed as BodyValue;
  const apart = parsed.ok && events === null ? null : readApart(bytes, eventSizeMaxBytes, list);
  if (apart !== null) return { ok: true, value: apart };
  if (parsed.ok) return { ok: false, code: 'payload_too_large', details: sizeDetails(eventSizeMaxBytes) };
  return { ok: false, code: parsed.code, details: [{ path: '', message: STRICT_JSON_TEXTS[parsed.reason] }] };
}

/** The events of a batch body, or null if the body is one event. */
export function batchOf(value: unknown, list: 'events' | 'batch' = 'events'): readonly unknown[] | null {
  if (value === null || typeof value !== 'object') return null;
  const events = (value as { readonly [name: string]: unknown })[list];
  return Array.isArray(events) && !('event_id' in value) ? events : null;
}

/** A batch whose events are read one by one; null if its text does not separate them. */
function readApart(bytes: Uint8Array, eventSizeMaxBytes: number, list: 'events' | 'batch'): object | null {
  const split = splitList(bytes, list, EVENT_LIMITS.batchEventsMax);
  if (split === null) return null;
  const around = parseStrictJson(split.around);
  if (!around.ok || batchOf(around.value, list) === null) return null;
  return {
    ...(around.value as object),
    [list]: split.entries.map((entry) => readEntry(entry, eventSizeMaxBytes)),
  };
}

function readEntry(bytes: Uint8Array, sizeMaxBytes: number): unknown {
  const parsed = parseStrictJson(bytes, BATCH_DEPTH);
  if (!parsed.ok) {
    const details = [{ path: '', message: STRICT_JSON_TEXTS[parsed.reason] }];
    return new RefusedEvent('invalid_json', details, null);
  }
  if (bytes.byteLength <= sizeMaxBytes) return parsed.value;
  return new RefusedEvent('payload_too_large', sizeDetails(sizeMaxBytes), eventIdOf(parsed.value));
}

/** The sender's id of the event, if it can be read; `name`: the member that has it. */
export function eventIdOf(value: unknown, name = 'event_id'): string | null {
  if (value instanceof RefusedEvent) return value.eventId;
  const id =
    value !== null && typeof value === 'object' ? (value as Record<string, unknown>)[name] : undefined;
  return typeof id === 'string' && id.length <= EVENT_LIMITS.eventIdMaxChars ? id : null;
}
