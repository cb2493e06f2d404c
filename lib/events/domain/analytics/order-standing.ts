// An uploaded order's standing at each platform: a fold over the events of the order, in the order they were received.
// Doubled means that the platform counts it twice: two events that it cannot recognize as one. Guarantees: seeing an
// event twice changes nothing; bounded for any number of events.
import { toMinorUnits } from '../event/decimal.ts';
import type { Channel, Decimal } from '../event/normalized-event.ts';
import type { ComparedPlace, UploadedOrder } from '../reconciliation/reconciliation.ts';

export const STANDINGS = [
  /** The platform counted it once, with the value and currency that were uploaded. */
  'matched',
  /** The platform has none of the order's events, and none is in progress. */
  'missing',
  /** It counts the order more than once. */
  'doubled',
  'wrong_value',
  'wrong_currency',
  /** In progress, or waiting for a retry. */
  'waiting',
  /** Not sent on purpose: by a rule, by consent, because the platform has no use for it, or as a crawler's. */
  'withheld',
  /** No event was found, and the order's time is outside the compared range. */
  'out_of_range',
] as const;
export type Standing = (typeof STANDINGS)[number];

/** Worst first: of several places at a platform the first in this order represents all. */
const WORST_FIRST: readonly Standing[] = [
  'doubled',
  'wrong_currency',
  'wrong_value',
  'missing',
  'waiting',
  'withheld',
  'out_of_range',
  'matched',
];

/** Distinct conversions of one order that are kept per place; beyond that it is doubled anyway. */
export const CONVERSIONS_MAX = 10;
/** Events of one order that are listed. */
export const NAMED_EVENTS_MAX = 5;

/** An event of the order, or one of its copies and replays. */
export interface Sighting {
  /** For a replay: the original's id. */
  readonly eventId: string;
  readonly channel: Channel;
  /** What platforms deduplicate on, shortened. */
  readonly dedupKey: string;
  /** Platforms must not deduplicate it on its order id. */
  readonly noOrderDedup?: true;
  readonly value?: Decimal;
  readonly currency?: string;
  /** By slot, for every compared place. */
  readonly places: Readonly<Record<string, PlaceSighting>>;
}

export type PlaceSighting =
  | { readonly kind: 'taken'; readonly atMs: number }
  | { readonly kind: 'waits' }
  /** Not sent, or not taken: the verdict, or why the delivery ended. */
  | { readonly kind: 'kept'; readonly reason: string };

/** What was seen of an order so far. Short names, because one job has ten thousand of them. */
export interface OrderSeen {
  /** Event id, channel and what platforms deduplicate on. */
  readonly events: readonly (readonly [eventId: string, channel: Channel, dedupKey: string])[];
  readonly places: Readonly<Record<string, PlaceSeen>>;
}

type Amount = readonly [value: Decimal | null, currency: string | null];
/**
 * A counted conversion: its deduplication key, when the platform took it, and the amount sent if it differs from the
 * upload.
 */
type Conversion = readonly [key: string, atMs: number, wrong?: Amount];

interface PlaceSeen {
  readonly counted?: readonly Conversion[];
  readonly waits?: true;
  readonly reason?: string;
}

export const NOTHING_SEEN: OrderSeen = { events: [], places: {} };

/** The key if a platform deduplicates by order: no event has it. */
const ORDER_KEY = '';

export function seeEvent(
  seen: OrderSeen,
  sighting: Sighting,
  order: UploadedOrder,
  places: readonly ComparedPlace[],
): OrderSeen {
  const after: Record<string, PlaceSeen> = { ...seen.places };
  for (const place of places) {
    const at = sighting.places[place.slot];
    if (at !== undefined)
      after[place.slot] = seePlace(after[place.slot] ?? {}, at, { sighting, order, place });
  }
  return { events: named(seen.events, sighting), places: after };
}

function named(events: OrderSeen['events'], { eventId, channel, dedupKey }: Sighting): OrderSeen['events'] {
  const isKnown = events.some(([id, way, key]) => id === eventId && way === channel && key === dedupKey);
  return isKnown || events.length >= NAMED_EVENTS_MAX ? events : [...events, [eventId, channel, dedupKey]];
}

interface Looking {
  readonly sighting: Sighting;
  readonly order: UploadedOrder;
  readonly place: ComparedPlace;
}

function seePlace(seen: PlaceSeen, at: PlaceSighting, looking: Looking): PlaceSeen {
  if (at.kind === 'waits') return { ...seen, waits: true };
  if (at.kind === 'kept') {
    const isStronger = seen.reason === undefined || rankOf(at.reason) >= rankOf(seen.reason);
    return isStronger ? { ...seen, reason: at.reason } : seen;
  }
  return { ...seen, counted: withConversion(seen.counted ?? [], at.atMs, looking) };
}

/** Of copies that the platform merges it keeps the first one it took. */
function withConversion(
  counted: readonly Conversion[],
  atMs: number,
  { sighting, order, place }: Looking,
): readonly Conversion[] {
  const isByOrder = place.byOrder === true && sighting.noOrderDedup !== true;
  const key = isByOrder ? ORDER_KEY : sighting.dedupKey;
  const windowMs = (place.windowSec ?? Number.POSITIVE_INFINITY) * 1_000;
  const conversion: Conversion = isWrong(sighting, order)
    ? [key, atMs, [sighting.value ?? null, sighting.currency ?? null]]
    : [key, atMs];
  const merged = counted.findIndex(([known, at]) => known === key && Math.abs(atMs - at) <= windowMs);
  if (merged >= 0) return atMs < (counted[merged]?.[1] ?? 0) ? counted.with(merged, conversion) : counted;
  return counted.length < CONVERSIONS_MAX ? [...counted, conversion] : counted;
}

/** Fields that were not uploaded are not compared. */
function isWrong({ value, currency }: Sighting, order: UploadedOrder): boolean {
  if (order.currency !== undefined && order.currency !== currency) return true;
  if (order.value === undefined) return false;
  // In whole minor units, as amounts are rounded on receipt.
  const unit = currency ?? order.currency ?? '';
  return value === undefined || toMinorUnits(value, unit) !== toMinorUnits(order.value, unit);
}

/** The code of a delivery's reason or a verdict: `code` or `code:detail`. */
const codeOf = (reason: string): string => reason.split(':', 1)[0] ?? reason;

const WITHHELD: ReadonlySet<string> = new Set([
  ...[
    'rule_excluded',
    'consent_denied',
    'consent_missing',
    'event_not_listed',
    'unmapped',
    'bot',
    'suppressed',
    'personal_found',
  ],
]);
/** With these reasons another event of the order decides. */
const ELSEWHERE: ReadonlySet<string> = new Set(['server_copy', 'same_order', 'not_selected', 'retried']);

/** The rank of a reason why a platform has nothing: the most specific one is shown. */
function rankOf(reason: string): number {
  const code = codeOf(reason);
  if (ELSEWHERE.has(code)) return 0;
  if (code === 'bot') return 1;
  if (WITHHELD.has(code)) return 2;
  return code === 'not_connected' ? 3 : 4;
}

export interface OrderStanding {
  readonly standing: Standing;
  /** Conversions that the platform counted; `CONVERSIONS_MAX` may be more. */
  readonly times: number;
  /** Why it has nothing, if an event was found. */
  readonly reason?: string;
  /** The amount it was sent, if it differs from the upload. */
  readonly wrong?: Amount;
}

/** The order's standing at a platform: the worst of its places there. */
export function standingAt(
  order: UploadedOrder,
  seen: OrderSeen | undefined,
  places: readonly ComparedPlace[],
  range: { readonly fromMs: number; readonly toMs: number },
): OrderStanding {
  const all = places.map(({ slot }): OrderStanding => {
    const at = seen?.places[slot];
    if (at !== undefined) return placeStanding(at, order);
    const { atMs } = order;
    const isOutside = atMs !== undefined && (atMs < range.fromMs || atMs >= range.toMs);
    return { standing: isOutside ? 'out_of_range' : 'missing', times: 0 };
  });
  const worst = all.sort((a, b) => WORST_FIRST.indexOf(a.standing) - WORST_FIRST.indexOf(b.standing))[0];
  return worst ?? { standing: 'missing', times: 0 };
}

function placeStanding({ counted = [], waits, reason }: PlaceSeen, order: UploadedOrder): OrderStanding {
  const times = counted.length;
  const wrong = counted.find(([, , amount]) => amount !== undefined)?.[2];
  const amount = wrong === undefined ? {} : { wrong };
  if (times > 1) return { standing: 'doubled', times, ...amount };
  if (times === 1 && wrong !== undefined) {
    const isCurrency = order.currency !== undefined && wrong[1] !== order.currency;
    return { standing: isCurrency ? 'wrong_currency' : 'wrong_value', times, wrong };
  }
  if (times === 1) return { standing: 'matched', times };
  if (waits === true) return { standing: 'waiting', times };
  const why = reason === undefined ? {} : { reason };
  const isWithheld = reason !== undefined && WITHHELD.has(codeOf(reason));
  return { standing: isWithheld ? 'withheld' : 'missing', times, ...why };
}

/**
 * The event to send again if the order is missing: the one that another place of the platform has, so that no place
 * gets two; else the first from a server. Undefined if no event was found.
 */
export function eventToSend(
  { events, places }: OrderSeen,
  compared: readonly ComparedPlace[],
): string | undefined {
  const counted = new Set(compared.flatMap(({ slot }) => places[slot]?.counted?.map(([key]) => key) ?? []));
  const chosen =
    events.find(([, , key]) => counted.has(key)) ??
    events.find(([, channel]) => channel === 'server') ??
    events[0];
  return chosen?.[0];
}
