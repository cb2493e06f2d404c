// One event, as whatever came in: validated, in bounds, its time in seconds.
// Refuses with the path and the reason of every value that is wrong; never with an exception.
import * as z from 'zod';
import {
  EVENT_LIMITS,
  EVENT_TIME_FUTURE_MAX_SEC,
  EVENT_TIME_MIN_SEC,
  type EventBody,
  eventSchema,
  eventTimeSec,
  userDataSchema,
} from './event.ts';

export interface EventProblem {
  /** Dotted, e.g. `items.0.price`. */
  readonly path: string;
  readonly message: string;
}

export type CheckedEvent =
  | {
      readonly ok: true;
      /** What the schema made of it: times still in the unit they came in. */
      readonly event: z.output<typeof eventSchema>;
      readonly body: EventBody;
    }
  | { readonly ok: false; readonly details: readonly EventProblem[] };

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

/** `value` comes from the strict JSON reader: its depth is bounded. */
export function checkEvent(value: unknown, nowMs: number): CheckedEvent {
  const parsed = read(value);
  if (!parsed.success)
    return { ok: false, details: parsed.error.issues.slice(0, DETAILS_MAX).map(toProblem) };
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
  return { ok: true, event, body };
}

function toProblem(issue: z.core.$ZodIssue): EventProblem {
  return { path: issue.path.map(String).join('.'), message: issue.message };
}

const refuse = (path: string, message: string): CheckedEvent => ({
  ok: false,
  details: [{ path, message }],
});

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
