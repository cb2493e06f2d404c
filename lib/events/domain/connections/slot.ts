// A merchant's places at a platform, one for each connection: the first is called like the platform, the others `meta#2`,
// `meta#3`. Verdicts, deliveries, outcomes and pointers go by places; counters, rules and views by platforms.
import type { Delivery, DeliveryState } from '../deliveries/delivery.ts';

declare const TARGET: unique symbol;
declare const PLATFORM: unique symbol;

/** Where one connection stands: a place at a platform, and never the platform's slug, though the first place reads like it. */
export type Target = string & { readonly [TARGET]: true };

/** Of a platform that is registered. Comparing it with a `Target` does not compile: `platformOf` says whose the target is. */
export type PlatformSlug = string & { readonly [PLATFORM]: true };

/** The one way from a text, as it is stored or sent, to a target. */
export const targetOf = (place: string): Target => place as Target;

/** Each is a delivery of every event. */
export const SLOTS_MAX = 5;
const MARK = '#';

/** Slug of the platform whose place it is. */
export function platformOf(slot: string): PlatformSlug {
  const at = slot.indexOf(MARK);
  return (at < 0 ? slot : slot.slice(0, at)) as PlatformSlug;
}

/** Where a connection stands; most are the only one of their platform. */
export const slotOf = ({ platform, slot = platform }: SlotHolder): Target => targetOf(slot);

export interface SlotHolder {
  readonly platform: string;
  /** Absent: the platform's first. */
  readonly slot?: string;
}

/** The first place at the platform that nobody has; null where all are taken. `taken`: by place. */
export function freeSlot(platform: string, taken: Readonly<Record<string, unknown>>): Target | null {
  for (let n = 1; n <= SLOTS_MAX; n++) {
    const slot = n === 1 ? platform : `${platform}${MARK}${n}`;
    if (!Object.hasOwn(taken, slot)) return targetOf(slot);
  }
  return null;
}

/** The place of the merchant's connection to the platform, of the first where there are several, or where it would be. */
export function placeOf<Held extends SlotHolder>(
  platform: string,
  connections: Readonly<Record<string, Held | undefined>>,
): { readonly slot: Target; readonly old?: Held | undefined } {
  const [slot = targetOf(platform)] = slotsAt(platform, connections);
  return { slot, old: Object.hasOwn(connections, slot) ? connections[slot] : undefined };
}

/** As a list of platforms names these places of those in a record: by the platform where it has no others. */
export function listed(
  slots: readonly string[],
  record: Readonly<Record<string, unknown>>,
): readonly string[] {
  return slots.map((slot) =>
    slotsAt(platformOf(slot), record).length === 1 ? platformOf(slot) : exactly(slot),
  );
}

/** One place and no other: the platform's own name means all of its places. */
const exactly = (slot: string): string => (slot.includes(MARK) ? slot : `${slot}${MARK}1`);
export const slotNamed = (exact: string): Target => targetOf(exact.replace(/#1$/, ''));

/** True where a list of platforms, or of exact places, has this place. */
export function selects(list: readonly string[], slot: string): boolean {
  return list.includes(platformOf(slot)) || list.includes(exactly(slot));
}

/** Places of the platform among those of a record, in their order. */
export function slotsAt(platform: string, record: Readonly<Record<string, unknown>>): readonly Target[] {
  return Object.keys(record)
    .map(targetOf)
    .filter((slot) => platformOf(slot) === platform)
    .sort();
}

/** What is not over stands for all, then what ended worst. */
const WORST_FIRST: readonly DeliveryState[] = [
  'RETRY',
  'SENDING',
  'QUEUED',
  'ERROR',
  'FAILED',
  'SKIPPED',
  'DELIVERED',
];

/** Of the states at several places the one that stands for all comes first. */
export const worstFirst = (a: DeliveryState, b: DeliveryState): number =>
  WORST_FIRST.indexOf(a) - WORST_FIRST.indexOf(b);

/** One delivery for all places of a platform; undefined is QUEUED. Of equal ones the one that was written last. */
export function worstOf(deliveries: readonly (Delivery | undefined)[]): Delivery | undefined {
  // Held in objects: a sort moves what is undefined to the end, whatever it is told.
  const held = deliveries.map((delivery) => ({
    delivery,
    state: delivery?.state ?? ('QUEUED' as const),
    stamp: delivery?.updatedAtMs ?? 0,
  }));
  return held.sort((a, b) => worstFirst(a.state, b.state) || b.stamp - a.stamp)[0]?.delivery;
}
