// One event out of a request body: validated, in bounds, ready to be claimed.
// Refuses with the path and the reason of every value that is wrong; never with an exception.
import { hash } from 'node:crypto';
import type { ErrorDetail } from '#lib/core/http/errors.ts';
import { type CheckedEvent, checkEvent } from '#lib/events/domain/event/check.ts';
import type { EventBody } from '#lib/events/domain/event/event.ts';
import type { EventsErrorCode } from '#lib/events/routes/errors.ts';
import { RefusedEvent } from './read-body.ts';

export type ReadResult =
  | { readonly ok: true; readonly body: EventBody; readonly payloadHash: string }
  | { readonly ok: false; readonly code: EventsErrorCode; readonly details: readonly ErrorDetail[] };

type CheckedBody = Extract<CheckedEvent, { readonly ok: true }>['event'];

export function readEvent(value: unknown, nowMs: number): ReadResult {
  if (value instanceof RefusedEvent) return { ok: false, code: value.code, details: value.details };
  const checked = checkEvent(value, nowMs);
  if (!checked.ok) return { ok: false, code: 'invalid_request', details: checked.details };
  return { ok: true, body: checked.body, payloadHash: payloadHash(checked.event) };
}

/**
 * 128 bits are enough to distinguish payloads; more would be paid for with every write. Key order does not matter: the
 * schema puts known keys into its own order, and `custom_data`, whose keys it does not know, is sorted here.
 */
function payloadHash(event: CheckedBody): string {
  const { custom_data: custom } = event;
  const said = custom === undefined ? event : { ...event, custom_data: sorted(custom) };
  return hash('sha256', JSON.stringify(said), 'hex').slice(0, 32);
}

/** No key is `__proto__`: the strict reader refuses it. */
function sorted(value: unknown): unknown {
  if (value === null || typeof value !== 'object') return value;
  if (Array.isArray(value)) return value.map(sorted);
  const record = value as Record<string, unknown>;
  const out: Record<string, unknown> = {};
  for (const key of Object.keys(record).sort()) {
    const member = record[key];
    out[key] = typeof member === 'object' ? sorted(member) : member;
  }
  return out;
}
