// Comparing a merchant's own orders with what platforms were sent: a job that walks the events received in a range. What was
// uploaded, and what was seen of each order so far, lies in parts beside it, sealed. Guarantees: parts are never written over: a
// step writes those it changed under its own version, and the write that notes how far it is names them, so that a step that
// dies has changed nothing.

import type { Standing } from '../analytics/order-standing.ts';
import type { Decimal } from '../event/normalized-event.ts';

/** One order as its merchant knows it. It has an order id, an id of an event, or both. */
export interface UploadedOrder {
  readonly orderId?: string;
  readonly eventId?: string;
  readonly value?: Decimal;
  /** ISO 4217, uppercase. */
  readonly currency?: string;
  readonly atMs?: number;
}

/** A place at a platform (slot.ts) that is compared, as it was when the job was made. */
export interface ComparedPlace {
  readonly slot: string;
  readonly platform: string;
  /** Of its connection: what was decided under an older routing was another connection's to deliver. */
  readonly sinceVersion: number;
  /** Purchases of one order count once there. */
  readonly byOrder?: true;
  /** Seconds for which the platform remembers what it has; absent: without end. */
  readonly windowSec?: number;
}

export interface ReconciliationCursor {
  readonly receivedAtMs: number;
  readonly ingestId: string;
}

/** Where a part of the orders lies. */
export interface PartRef {
  /** Of the job, when the part was written. */
  readonly version: number;
  /** Items it is cut into. */
  readonly pieces: number;
}

export interface ReconciliationCounts {
  /** Events looked at, and those that could not be read. */
  readonly seen: number;
  readonly unreadable: number;
  /** Purchases of orders that were not uploaded, made between the first and the last that were. */
  readonly unlisted: number;
}

export interface UploadFigures {
  readonly orders: number;
  /** Rows that said again what an earlier one had said. */
  readonly repeated: number;
  readonly withValue: number;
  readonly withCurrency: number;
  readonly withTime: number;
  /** Earliest and latest time among them. */
  readonly firstMs?: number;
  readonly lastMs?: number;
}

export interface Reconciliation {
  readonly merchantId: string;
  /** UUIDv7. */
  readonly id: string;
  readonly createdAtMs: number;
  readonly updatedAtMs: number;
  /** When it is deleted, and its parts with it. */
  readonly expiresAtMs: number;
  /** `receiving`: its parts are not stored yet, and nobody sees it. */
  readonly state: 'receiving' | 'running' | 'done';
  /** Moves with every write; a message that names another one is out of date. */
  readonly version: number;
  /** Nobody begins before. */
  readonly notBeforeMs: number;
  /** Digest of the Idempotency-Key it was made under, and of whose that was. */
  readonly requestKey?: string;
  /** Events received in [fromMs, toMs). */
  readonly fromMs: number;
  readonly toMs: number;
  readonly places: readonly ComparedPlace[];
  readonly upload: UploadFigures;
  /** Each of `partOrders` orders, the last of what is left, in the order of the upload. */
  readonly parts: readonly PartRef[];
  /** The last event that was looked at. */
  readonly cursor?: ReconciliationCursor;
  readonly counts: ReconciliationCounts;
  /** Orders by platform and standing; once it is done. */
  readonly standings?: Readonly<Record<string, Readonly<Partial<Record<Standing, number>>>>>;
}

export const RECONCILIATION_LIMITS = {
  ordersMax: 10_000,
  uploadSizeMaxBytes: 4_194_304,
  idMaxChars: 256,
  rangeMaxDays: 100,
  /** Of one merchant at once; each reads all events of its range. */
  runningMax: 5,
  /** Of one merchant in `keptDays`. */
  keptMax: 200,
  keptDays: 7,
  partOrders: 250,
  /** Orders that one replay made of it takes: as many ids as a plan names. */
  replayOrdersMax: 500,
} as const;

export const NO_RECONCILIATION_COUNTS: ReconciliationCounts = { seen: 0, unreadable: 0, unlisted: 0 };

/** By then every row is in the time index. */
export const INDEXED_MS = 15_000;

/** Platforms that are compared, in the order of their places. */
export const comparedPlatforms = ({ places }: Pick<Reconciliation, 'places'>): readonly string[] => [
  ...new Set(places.map(({ platform }) => platform)),
];
