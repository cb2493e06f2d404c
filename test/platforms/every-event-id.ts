// A connection that has an id for every event its platform has a use for.
import { EVENT_NAMES, type EventName } from '#lib/events/domain/event/names.ts';
import type { EventIds } from '#lib/events/platforms/credential-fields.ts';

/** `idOf` is told the platform's type of the event and its position in the catalogue, from 0. */
export function everyEventId(
  names: Readonly<Record<EventName, string | null>>,
  idOf: (type: string, position: number) => string,
): EventIds {
  return Object.fromEntries(
    EVENT_NAMES.flatMap((name, position) => {
      const type = names[name];
      return type === null ? [] : [[name, idOf(type, position)]];
    }),
  );
}
