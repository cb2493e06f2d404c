// A merchant's places at a platform, one for each connection: the first has the platform's name, the others are
// `meta#2`, `meta#3`. Verdicts, deliveries, outcomes and pointers are keyed by place; counters by
// platform, and by place where that says more. Callers name a connection by its id: a place may be another one's next.
import type { Delivery, DeliveryState } from '../deliveries/delivery.ts';

declare const TARGET: unique symbol;
declare const PLATFORM: unique symbol;

/** The place of one connection at a platform. Never the platform's slug, although the first place has the same text. */
export type Target = string & { readonly [TARGET]: true };

/**
 * Of a registered platform. Comparing it with a `Target` does not compile: `platformOf` gives the target's platform.
 */
export type PlatformSlug = string & { readonly [PLATFORM]: true };

/** The only conversion from stored or received text to a target. */
export const targetOf = (place: string): Target => place as Target;

/** Each place means one more delivery of every event. */
export const TARGETS_MAX = 5;
const MARK = '#';

/** True of a place that is not its platform's first. */
export const isFurther = (target: string): boolean => target.includes(MARK);

/** Slug of the place's platform. */
export function platformOf(target: string): PlatformSlug {
  const at = target.indexOf(MARK);
  return (at < 0 ? target : target.slice(0, at)) as PlatformSlug;
}

/** The place of a connection; most are the only one of their platform. */
export const connectionTarget = ({ platform, slot: place = platform }: TargetHolder): Target =>
  targetOf(place);

export interface TargetHolder {
  readonly platform: string;
  /** The target, under the name it is stored and sent with; absent: the platform's first. */
  readonly slot?: string;
}

/** The first free place at the platform; null if all are taken. `taken`: keyed by place. */
export function freeTarget(platform: string, taken: Readonly<Record<string, unknown>>): Target | null {
  for (let n = 1; n <= TARGETS_MAX; n++) {
    const target = n === 1 ? platform : `${platform}${MARK}${n}`;
    if (!Object.hasOwn(taken, target)) return targetOf(target);
  }
  return null;
}

/** The place of the merchant's connection to the platform: the first one if there are several, or if there is none. */
export function targetAt<Held extends TargetHolder>(
  platform: string,
  connections: Readonly<Record<string, Held | undefined>>,
): { readonly slot: Target; readonly old?: Held | undefined } {
  const [target = targetOf(platform)] = targetsAt(platform, connections);
  return { slot: target, old: Object.hasOwn(connections, target) ? connections[target] : undefined };
}

/** Names places in a list of platforms: by the platform alone if the record has no other place of it. */
export function listed(
  targets: readonly string[],
  record: Readonly<Record<string, unknown>>,
): readonly string[] {
  return targets.map((target) =>
    targetsAt(platformOf(target), record).length === 1 ? platformOf(target) : exactly(target),
  );
}

/** Exactly this place: the platform's own name means all of its places. */
export const exactly = (target: string): string => (target.includes(MARK) ? target : `${target}${MARK}1`);
export const targetNamed = (exact: string): Target => targetOf(exact.replace(/#1$/, ''));

/** True if a list of platforms, exact places or ids of connections includes this place. `id`: of the connection in it. */
export function selects(list: readonly string[], target: string, id?: string): boolean {
  return [platformOf(target), exactly(target), id].some((name) => name !== undefined && list.includes(name));
}

/** The platform's places among the keys of a record, in their order. */
export function targetsAt(platform: string, record: Readonly<Record<string, unknown>>): readonly Target[] {
  return Object.keys(record)
    .map(targetOf)
    .filter((target) => platformOf(target) === platform)
    .sort();
}

/** Unfinished states come first, then ended ones, the worst first. */
const WORST_FIRST: readonly DeliveryState[] = [
  'RETRY',
  'SENDING',
  'QUEUED',
  'ERROR',
  'FAILED',
  'SKIPPED',
  'DELIVERED',
];

const rankOf = (delivery: Delivery | undefined): number =>
  WORST_FIRST.indexOf(delivery?.state ?? ('QUEUED' satisfies DeliveryState));

/**
 * The delivery that represents several places comes first; undefined is QUEUED. Of equal states the last written, of these by reason:
 * counters and lists choose the same one, in whatever order the places are.
 */
export const worstFirst = (a: Delivery | undefined, b: Delivery | undefined): number =>
  rankOf(a) - rankOf(b) ||
  (b?.updatedAtMs ?? 0) - (a?.updatedAtMs ?? 0) ||
  byText(a?.reason ?? '', b?.reason ?? '');

const byText = (a: string, b: string): number => Number(a > b) - Number(a < b);

/** One delivery for all places of a platform. */
export function worstOf(deliveries: readonly (Delivery | undefined)[]): Delivery | undefined {
  // Wrapped in objects: `sort` moves undefined elements to the end without comparing them.
  const held = deliveries.map((delivery) => ({ delivery }));
  return held.sort((a, b) => worstFirst(a.delivery, b.delivery))[0]?.delivery;
}
