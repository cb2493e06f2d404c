import { type EventName, foldEventName } from '../domain/event/names.ts';
import type { NormalizedEvent } from '../domain/event/normalized-event.ts';

/** Stands for the name as sent in the row of custom events. */
export const NAME_AS_SENT = '{name}';

/** A vendor's own list of names, found in any spelling. */
export type OwnNames<Name extends string = string> = ReadonlyMap<string, Name>;

export function ownNames<Name extends string>(list: readonly Name[]): OwnNames<Name> {
  return new Map(list.map((name) => [foldEventName(name), name]));
}

/** The vendor's own name that was sent, as the vendor spells it; undefined where another name was sent. */
export function ownNameOf<Name extends string>(
  own: OwnNames<Name>,
  { customName, sentName }: NormalizedEvent,
): Name | undefined {
  const sent = sentName ?? customName;
  return sent === undefined ? undefined : own.get(foldEventName(sent));
}

const NONE = ownNames([]);

/** The platform's name for this event, a name of its own list unchanged; null when the platform has no use for it. */
export function nameAt(
  names: Readonly<Record<EventName, string | null>>,
  event: NormalizedEvent,
  own: OwnNames = NONE,
): string | null {
  const name = ownNameOf(own, event) ?? names[event.name];
  return name === NAME_AS_SENT ? (event.customName ?? event.name) : name;
}
