// One event from any input: validated, in bounds, its time in seconds.
// Refuses with the path and the reason of every wrong value; never throws.
import * as z from 'zod';
import { detailsOf, issueText } from '#lib/core/http/issue-text.ts';
import { compiledLater } from '../compiled-later.ts';
import {
  EVENT_LIMITS,
  EVENT_TIME_FUTURE_MAX_SEC,
  EVENT_TIME_MIN_SEC,
  type EventBody,
  eventSchema,
  eventTimeSec,
} from './event.ts';
import { readInput } from './input.ts';

export interface EventProblem {
  /** Dotted, e.g. `items.0.price`. */
  readonly path: string;
  readonly message: string;
}

export type CheckedEvent =
  | {
      readonly ok: true;
      /** As the schema parsed it: times still in the unit they came in. */
      readonly event: z.output<typeof eventSchema>;
      readonly body: EventBody;
    }
  | { readonly ok: false; readonly details: readonly EventProblem[] };

/** Compiling the schema takes as long as reading a hundred events without it. */
const PLAIN_READS = 32;
const read = compiledLater(
  PLAIN_READS,
  (value) => eventSchema.safeParse(value, { jitless: true }),
  () => {
    const compiled = z.compile(eventSchema);
    return (value) => compiled.safeParse(value);
  },
);

/** `value` comes from the strict JSON reader: its depth is bounded. */
export function checkEvent(value: unknown, nowMs: number): CheckedEvent {
  const input = readInput(value);
  const parsed = read(input.value);
  if (!parsed.success) return { ok: false, details: problemsOf(input.value) };
  const event = parsed.data;
  const seconds = eventTimeSec(event.event_time);
  if (seconds < EVENT_TIME_MIN_SEC) return refuse('event_time', 'must not be before 2000-01-01');
  if (seconds > nowMs / 1000 + EVENT_TIME_FUTURE_MAX_SEC)
    return refuse('event_time', 'must not be more than 10 minutes in the future');
  if (event.custom_data !== undefined) {
    const problem = customDataProblem(event.custom_data);
    if (problem !== null) return refuse('custom_data', problem);
  }
  const body: EventBody = {
    ...event,
    event_time: seconds,
    ...(input.unknown.length === 0 ? {} : { unknown_properties: input.unknown }),
  };
  return { ok: true, event, body };
}

/** Read again for the messages: only refused events pay for them. */
function problemsOf(value: unknown): readonly EventProblem[] {
  const { error } = eventSchema.safeParse(value, { jitless: true, error: issueText });
  return detailsOf(error?.issues ?? []);
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
