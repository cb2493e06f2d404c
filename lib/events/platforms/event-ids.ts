// Platforms that know an event by an id made in their own interface, not by a name: one id per canonical event.
import * as z from 'zod';
import { EVENT_NAMES, type EventName } from '../domain/event/names.ts';
import type { NormalizedEvent } from '../domain/event/normalized-event.ts';

export type EventIds = Partial<Record<EventName, string>>;

/** Credential field: canonical event → the platform's id for it. At least one; two events may share an id. */
export function eventIdsField(
  id: z.ZodType<string>,
  meta: { readonly label: string; readonly help: string; readonly destination?: boolean },
) {
  return z
    .partialRecord(z.enum(EVENT_NAMES), id)
    .refine((ids) => Object.keys(ids).length > 0, 'needs the id of at least one event')
    .meta(meta);
}

/** The platform's id for this event; undefined where the connection has none. Every name of one's own is `Custom`. */
export function eventIdOf(ids: EventIds, event: NormalizedEvent): string | undefined {
  return ids[event.name];
}
