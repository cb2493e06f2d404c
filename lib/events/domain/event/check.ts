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
  const beyond = beyondBounds(input.value, nowMs);
  if (!parsed.success || beyond.length > 0) return { ok: false, details: problemsOf(input.value, beyond) };
  const event = parsed.data;
  const body: EventBody = {
    ...event,
    event_time: eventTimeSec(event.event_time),
    ...(input.unknown.length === 0 ? {} : { unknown_properties: input.unknown }),
  };
  return { ok: true, event, body };
}

/** Read again for the messages: only refused events pay for them. */
function problemsOf(value: unknown, beyond: readonly EventProblem[]): readonly EventProblem[] {
  const { error } = eventSchema.safeParse(value, { jitless: true, error: issueText });
  const details = detailsOf(error?.issues ?? []);
  return [...details, ...beyond.filter(({ path }) => details.every((detail) => detail.path !== path))];
}

/** What no schema can say; asked of the input, so that it is named beside what the schema refuses. */
function beyondBounds(value: unknown, nowMs: number): readonly EventProblem[] {
  const { event_time: time, custom_data: custom } = Object(value) as Readonly<Record<string, unknown>>;
  const problems = { event_time: timeProblem(time, nowMs), custom_data: customDataProblem(custom) };
  return Object.entries(problems).flatMap(([path, message]) => (message === null ? [] : { path, message }));
}

function timeProblem(time: unknown, nowMs: number): string | null {
  if (typeof time !== 'number') return null;
  const seconds = eventTimeSec(time);
  if (seconds < EVENT_TIME_MIN_SEC) return 'must not be before 2000-01-01';
  return seconds > nowMs / 1000 + EVENT_TIME_FUTURE_MAX_SEC
    ? 'must not be more than 10 minutes in the future'
    : null;
}

function customDataProblem(data: unknown): string | null {
  if (data === undefined) return null;
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
