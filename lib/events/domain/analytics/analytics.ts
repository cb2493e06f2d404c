// What analytics counts about one time slot. Every number is a sum, so slots add up to hours, days and ranges,
// and a slot is recomputed from its event rows as often as anyone likes.

import type { ByConnection } from './connection-counts.ts';
import type { LaterWords } from './later-words.ts';

export interface BucketCounters {
  /** Logical events: a browser copy of a server event is counted once, as the server's. */
  readonly events: number;
  readonly bots: number;
  /** Browser copies whose server event exists. */
  readonly merged: number;
  /** Replays, which stand in no other figure; absent = 0. What became of them is seen at themselves and in their plans. */
  readonly replays?: number;
  /** Events of test keys, which stand in no other figure; absent = 0. */
  readonly tests?: number;
  readonly bySource: Readonly<Record<string, number>>;
  readonly byName: Readonly<Record<string, number>>;
  /** platform slug → event name → state or verdict word → events. */
  readonly deliveries: Readonly<Record<string, Readonly<Record<string, Readonly<Record<string, number>>>>>>;
  /** platform slug → what it said later of events that it had accepted; absent: nothing but that it confirms them. */
  readonly later?: Readonly<Record<string, LaterWords>>;
  /** platform slug → code of deliveries that ended otherwise than delivered → events. Of what is not in it no code is known. */
  readonly codes?: Readonly<Record<string, Readonly<Record<string, number>>>>;
  /** Routing version → events it decided. Absent: none, or counted before this was. */
  readonly versions?: Readonly<Record<string, number>>;
  /** `place@version` → what its deliveries came to. Absent where `deliveries` say it (connection-counts.ts). */
  readonly connections?: ByConnection;
  /** received → delivered, over delivered deliveries. */
  readonly latency: { readonly count: number; readonly sumMs: number };
  /** currency → whole minor units as decimal string, over Purchase events, each logical event once. */
  readonly revenue: Readonly<Record<string, { readonly orders: number; readonly minor: string }>>;
  /** currency → what refunds took back, in the slot in which they came. Absent: nothing. */
  readonly refunds?: BucketCounters['revenue'];
  /** `field:code` → events. */
  readonly issues: Readonly<Record<string, number>>;
  /** identity field → events that carried it. */
  readonly completeness: Readonly<Record<string, number>>;
  /** Platform of the first touch, or `direct` → orders, each once. */
  readonly credits?: Readonly<Record<string, CreditedOrders>>;
  /** How many more, or fewer, are credited to it by the last click. */
  readonly moves?: Readonly<Record<string, CreditedOrders>>;
  /** Purchases that came from servers; absent = none, or counted before this was. */
  readonly serverOrders?: ServerOrders;
  /** Absent: none waited. */
  readonly pageWaits?: PageWaits;
  /** Purchases of orders that are counted with another event. */
  readonly repeatedOrders?: number;
  /** `field:code`, or `missing:field` → the newest events it is true of. */
  readonly examples?: Readonly<Record<string, readonly Example[]>>;
}

export interface ServerOrders {
  readonly orders: number;
  /** Of them: with a click id, wherever it came from. */
  readonly clicked: number;
  /** Of these: gained one from the page's event of the same id. */
  readonly gained: number;
  /** Of these: have none but from earlier events of the same person; absent: none. */
  readonly joined?: number;
}

/** Of servers' orders that waited for their page. */
export interface PageWaits {
  readonly orders: number;
  /** From their receipt to the end of the wait. */
  readonly sumMs: number;
  /** Whole seconds, rounded up, `PAGE_SEC_MAX` for more → orders whose page's event came so long after them, and completed them. */
  readonly completed: Readonly<Record<string, number>>;
}

/** Longer than any wait that can be set. */
export const PAGE_SEC_MAX = 60;

export interface CreditedOrders {
  readonly orders: number;
  /** Of them: neither earlier clicks nor earlier purchases were looked up. */
  readonly unlinked: number;
  /** currency → orders that say what they are worth, in whole minor units as decimal string. */
  readonly revenue: BucketCounters['revenue'];
  /** Of orders so credited, in the slot in which the refunds came. Absent: nothing. */
  readonly refunds?: BucketCounters['revenue'];
}

/** When it was received, milliseconds, and the event's id. */
export type Example = readonly [atMs: number, eventId: string];

export const EXAMPLES_MAX = 3;
/** Of a longer id no example is kept: they would outweigh the counters. */
export const EXAMPLE_ID_MAX_CHARS = 100;

/** In `examples`, before the name of a field. */
export const MISSING = 'missing:';

export const EMPTY_COUNTERS: BucketCounters = {
  events: 0,
  bots: 0,
  merged: 0,
  bySource: {},
  byName: {},
  deliveries: {},
  latency: { count: 0, sumMs: 0 },
  revenue: {},
  issues: {},
  completeness: {},
};
