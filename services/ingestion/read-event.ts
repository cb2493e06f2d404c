// One event out of a request body: validated, in bounds, ready to be claimed.
// Refuses with the path and the reason of every value that is wrong; never with an exception.
import { hash } from 'node:crypto';
import * as z from 'zod';
import type { ErrorCode, ErrorDetail } from '../../lib/contract/errors.ts';
import {
  EVENT_LIMITS,
  EVENT_TIME_FUTURE_MAX_SEC,
  EVENT_TIME_MIN_SEC,
  type EventBody,
  eventSchema,
  eventTimeSec,
  userDataSchema,
} from '../../lib/domain/event.ts';

export type ReadResult =
  | { readonly ok: true; readonly body: EventBody; readonly payloadHash: string }
  | { readonly ok: false; readonly code: ErrorCode; readonly details: readonly ErrorDetail[] };

/** Events that are read with the schema as it is before it is compiled: that takes as long as reading a hundred. */
const PLAIN_READS = 32;
const readPlainly = (value: unknown) => eventSchema.safeParse(value, { jitless: true });
let plainReads = 0;
let read = (value: unknown): ReturnType<typeof readPlainly> => {
  plainReads += 1;
  if (plainReads >= PLAIN_READS) {
    const compiled = z.compile(eventSchema);
    read = (next) => compiled.safeParse(next);
  }
  return readPlainly(value);
};
const EVENT_KEYS: ReadonlySet<string> = new Set(Object.keys(eventSchema.shape));
const USER_DATA_KEYS: ReadonlySet<string> = new Set(Object.keys(userDataSchema.shape));
const DETAILS_MAX = 20;

export function readEvent(value: unknown, nowMs: number): ReadResult {
  const parsed = read(value);
  if (!parsed.success) return invalid(parsed.error.issues.slice(0, DETAILS_MAX).map(toDetail));
  const event = parsed.data;
  const seconds = eventTimeSec(event.event_time);
  if (seconds < EVENT_TIME_MIN_SEC) return refuse('event_time', 'must not be before 2000-01-01');
  if (seconds > nowMs / 1000 + EVENT_TIME_FUTURE_MAX_SEC)
    return refuse('event_time', 'must not be more than 10 minutes in the future');
  if (event.custom_data !== undefined) {
    const problem = customDataProblem(event.custom_data);
    if (problem !== null) return refuse('custom_data', problem);
  }
  const unknown = unknownProperties(value);
  const body: EventBody = {
    ...event,
    event_time: seconds,
    ...(unknown === 0 ? {} : { unknown_properties: unknown }),
  };
  return { ok: true, body, payloadHash: payloadHash(event) };
}

/** 128 bits tell payloads apart; the other 128 would be paid for with every write. */
function payloadHash(event: unknown): string {
  return hash('sha256', JSON.stringify(sorted(event)), 'hex').slice(0, 32);
}

function toDetail(issue: z.core.$ZodIssue): ErrorDetail {
  return { path: issue.path.map(String).join('.'), message: issue.message };
}

const invalid = (details: readonly ErrorDetail[]): ReadResult => ({
  ok: false,
  code: 'invalid_request',
  details,
});
const refuse = (path: string, message: string): ReadResult => invalid([{ path, message }]);

function customDataProblem(data: Readonly<Record<string, unknown>>): string | null {
  if (depthOf(data) > EVENT_LIMITS.customDataMaxDepth)
    return `must not nest deeper than ${EVENT_LIMITS.customDataMaxDepth}`;
  return Buffer.byteLength(JSON.stringify(data)) > EVENT_LIMITS.customDataMaxBytes
    ? `must not be larger than ${EVENT_LIMITS.customDataMaxBytes} bytes`
    : null;
}

/** The strict reader has bounded the depth already, so recursion is safe. */
function depthOf(value: unknown): number {
  if (value === null || typeof value !== 'object') return 0;
  let deepest = 0;
  for (const child of Object.values(value)) deepest = Math.max(deepest, depthOf(child));
  return deepest + 1;
}

function unknownProperties(value: unknown): number {
  const event = value as Record<string, unknown>;
  let unknown = 0;
  for (const key in event) if (!EVENT_KEYS.has(key)) unknown += 1;
  const userData = event.user_data as Record<string, unknown>;
  for (const key in userData) if (!USER_DATA_KEYS.has(key)) unknown += 1;
  return unknown;
}

/** Key order is not part of what was said. No key is `__proto__`: the strict reader refuses it. */
function sorted(value: unknown): unknown {
  if (value === null || typeof value !== 'object') return value;
  if (Array.isArray(value)) return value.map(sorted);
  const record = value as Record<string, unknown>;
  const out: Record<string, unknown> = {};
  for (const key of sortedKeys(record)) {
    const member = record[key];
    out[key] = typeof member === 'object' ? sorted(member) : member;
  }
  return out;
}

const INSERTION_MAX = 32;

/** By code units. A few keys are in order sooner by insertion than by a call of `sort`. */
function sortedKeys(record: Readonly<Record<string, unknown>>): readonly string[] {
  const keys = Object.keys(record);
  if (keys.length > INSERTION_MAX) return keys.sort();
  for (let i = 1; i < keys.length; i++) {
    const key = keys[i] ?? '';
    let at = i;
    for (; at > 0 && (keys[at - 1] ?? '') > key; at--) keys[at] = keys[at - 1] ?? '';
    keys[at] = key;
  }
  return keys;
}
