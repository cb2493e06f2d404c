// Many events of one request: each is answered for itself, all accepted ones are announced with one message.
import { inParallel } from '#lib/adapters/concurrency/in-parallel.ts';
import type { ErrorDetail } from '#lib/core/http/errors.ts';
import type { EventBody } from '#lib/events/domain/event/event.ts';
import type { EventKey } from '#lib/events/domain/event/row.ts';
import { POINTERS_MAX } from '#lib/events/domain/pointer.ts';
import { EVENTS_ERRORS, type EventsErrorCode } from '#lib/events/routes/errors.ts';
import { type AcceptInput, type AcceptResult, claimEvent, sendPointers } from './accept.ts';
import type { AcceptPorts } from './ports.ts';
import { eventIdOf } from './read-body.ts';
import { readEvent } from './read-event.ts';

const CLAIMS_AT_ONCE = 16;

/** The answer for one event of a batch. */
export interface EventAnswer {
  readonly event_id: string | null;
  readonly status: number;
  readonly code?: EventsErrorCode;
  readonly error?: string;
  readonly details?: readonly ErrorDetail[];
  readonly accepted_at?: string;
  readonly same_payload?: boolean;
}

/** Adds what this path knows about the event, which stands at `index` in its request, or refuses it. */
export type Prepare = (body: EventBody, index: number) => Omit<AcceptInput, 'payloadHash'> | EventsErrorCode;

export async function acceptBatch(
  values: readonly unknown[],
  prepare: Prepare,
  ports: AcceptPorts,
): Promise<EventAnswer[]> {
  const accepted: EventKey[] = [];
  // An id that occurs twice in one request is claimed in order: the first one wins, the others are duplicates.
  const seen = new Map<string, Promise<unknown>>();
  const answers = await inParallel(values, CLAIMS_AT_ONCE, async (value, index): Promise<EventAnswer> => {
    const read = readEvent(value, ports.clock.now());
    if (!read.ok) return refused(eventIdOf(value), read.code, { details: read.details });
    const prepared = prepare(read.body, index);
    if (typeof prepared === 'string') return refused(read.body.event_id, prepared);
    const before = seen.get(read.body.event_id) ?? Promise.resolve();
    const claim = before.then(() => claimEvent({ ...prepared, payloadHash: read.payloadHash }, ports));
    seen.set(read.body.event_id, claim);
    const result = await claim;
    if (result.kind === 'accepted') accepted.push(prepared.key);
    return toAnswer(read.body.event_id, result);
  });
  for (let at = 0; at < accepted.length; at += POINTERS_MAX)
    await sendPointers(accepted.slice(at, at + POINTERS_MAX), ports);
  return answers;
}

export function toAnswer(eventId: string, result: AcceptResult): EventAnswer {
  switch (result.kind) {
    case 'accepted':
    case 'server_copy':
      return { event_id: eventId, status: 202 };
    case 'duplicate':
      return refused(eventId, 'duplicate_event', {
        accepted_at: new Date(result.acceptedAtMs).toISOString(),
        same_payload: result.samePayload,
      });
    case 'unavailable':
      return refused(eventId, 'unavailable');
  }
}

/** Without when the event was accepted before, and what it said then. */
export function withoutTimes({ accepted_at: _at, same_payload: _same, ...answer }: EventAnswer): EventAnswer {
  return answer;
}

/** Every event was accepted, or is a duplicate of itself: accepted before with the same payload. */
export function isSuccess(answers: readonly EventAnswer[]): boolean {
  return answers.every(({ status, same_payload }) => status === 202 || same_payload === true);
}

export function refused(
  eventId: string | null,
  code: EventsErrorCode,
  extra: Partial<EventAnswer> = {},
): EventAnswer {
  return {
    event_id: eventId,
    status: EVENTS_ERRORS[code].status,
    code,
    error: EVENTS_ERRORS[code].text,
    ...extra,
  };
}
