// Names of events at a vendor: of the catalogue, of its own list, and of what a shop calls by a name of its own.
import { EVENT_NAMES, type EventName, foldEventName } from '../domain/event/names.ts';
import type { NormalizedEvent } from '../domain/event/normalized-event.ts';

/** The vendor's name of each event; null = the vendor has no use for it. */
export type EventNames<Name extends string = string> = Readonly<Record<EventName, Name | null>>;

/** Stands for the name as sent in the row of custom events. */
export const NAME_AS_SENT = '{name}';

/** Every event named by a rule; a platform writes its exceptions over it. */
export function everyName<Name extends string>(nameOf: (name: EventName) => Name) {
  return Object.fromEntries(EVENT_NAMES.map((name) => [name, nameOf(name)])) as Record<EventName, Name>;
}

/** Events of one's own as sent, all others by our names. */
export const OUR_NAMES = everyName((name) => (name === 'Custom' ? NAME_AS_SENT : name));

/** Our names as `add_to_cart`. */
export const SNAKE_CASE_NAMES = everyName((name) =>
  name === 'Custom' ? NAME_AS_SENT : name.replace(/(?<=[a-z])(?=[A-Z])/g, '_').toLowerCase(),
);

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
export function nameAt(names: EventNames, event: NormalizedEvent, own: OwnNames = NONE): string | null {
  const name = ownNameOf(own, event) ?? names[event.name];
  return name === NAME_AS_SENT ? (event.customName ?? event.name) : name;
}
