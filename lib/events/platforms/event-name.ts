import type { EventName } from '../domain/event-names.ts';
import type { NormalizedEvent } from '../domain/normalized-event.ts';

/** Stands for the name as sent in the row of custom events. */
export const NAME_AS_SENT = '{name}';

/** The platform's name for this event; null when the platform has no use for it. */
export function nameAt(
  names: Readonly<Record<EventName, string | null>>,
  event: NormalizedEvent,
): string | null {
  const name = names[event.name];
  return name === NAME_AS_SENT ? (event.customName ?? event.name) : name;
}
