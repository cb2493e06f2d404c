// From when to when, as the API takes it.
import { DAY_MS } from '#lib/core/work/time-slot.ts';
import { type Given, textOf } from './command.ts';

export const RANGE = {
  from: { type: 'string', value: 'time', help: '2026-11-20, or 2026-11-20T08:00Z; default: 30 days ago' },
  to: { type: 'string', value: 'time', help: 'likewise; default: now' },
} as const;

const DAYS_DEFAULT = 30;

/** The API refuses what is no time. */
export function rangeIn(given: Given, nowMs = Date.now()): { readonly start: string; readonly end: string } {
  const start = textOf(given, 'from') ?? new Date(nowMs - DAYS_DEFAULT * DAY_MS).toISOString();
  return { start, end: textOf(given, 'to') ?? new Date(nowMs).toISOString() };
}
