// Fields that credentials of several platforms have.
import * as z from 'zod';
import { EVENT_NAMES, type EventName } from '../domain/event/names.ts';

/** A key or token, as vendors print them: one word of visible ASCII characters. */
export const token = (min: number, max: number) =>
  z
    .string()
    .min(min)
    .max(max)
    .regex(/^[!-~]+$/, 'must not contain spaces');

/** A code that marks events as a test in the vendor's interface. */
export const testCode = z
  .string()
  .regex(/^[A-Za-z0-9_-]{1,64}$/)
  .optional();

/** One id per canonical event, where a platform knows events by ids made in its own interface. Every name of one's own is `Custom`. */
export type EventIds = Partial<Record<EventName, string>>;

/** Canonical event → the platform's id for it. At least one; two events may share an id. */
export function eventIdsField(
  id: z.ZodType<string>,
  meta: { readonly label: string; readonly help: string; readonly destination?: boolean },
) {
  return z
    .partialRecord(z.enum(EVENT_NAMES), id)
    .refine((ids) => Object.keys(ids).length > 0, 'needs the id of at least one event')
    .meta(meta);
}
