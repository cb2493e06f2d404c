// Compares a merchant's own orders with what platforms were sent: a job that reads the events received in a range. The
// upload, and what was seen of each order so far, are stored in parts of their own, encrypted. Guarantees: parts are
// never overwritten: a step writes the changed ones under its own version, and the write that stores the progress names
// them, so that a step that crashes has changed nothing.

import type { Standing } from '../analytics/order-standing.ts';
import type { Decimal } from '../event/normalized-event.ts';

/** One order as its merchant has it. It has an order id, an event id, or both. */
export interface UploadedOrder {
  readonly orderId?: string;
  readonly eventId?: string;
  readonly value?: Decimal;
  /** ISO 4217, uppercase. */
  readonly currency?: string;
  readonly atMs?: number;
}

/** A place at a platform (target.ts) that is compared, as it was when the job was created. */
export interface ComparedPlace {
  readonly slot: string;
  readonly platform: string;
  /** Of its connection: verdicts under an older routing were for an earlier connection. */
  readonly sinceVersion: number;
  /** The platform counts the purchases of one order once. */
  readonly byOrder?: true;
  /** Seconds for which the platform remembers event ids; absent: for ever. */
  readonly windowSec?: number;
}

export interface ReconciliationCursor {
  readonly receivedAtMs: number;
  readonly ingestId: string;
}

/** Where a part of the orders is stored. */
export interface PartRef {
  /** Of the job, when the part was written. */
  readonly version: number;
  /** Number of items it is split into. */
  readonly pieces: number;
}

export interface ReconciliationCounts {
  /** Events read, and those that could not be read. */
  readonly seen: number;
  readonly unreadable: number;
  /** Purchases of orders that were not uploaded, made between the first and the last uploaded one. */
  readonly unlisted: number;
}

export interface UploadFigures {
  readonly orders: number;
  /** Rows that repeated an earlier one. */
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
  /** When it is deleted, with its parts. */
  readonly expiresAtMs: number;
  /** `receiving`: its parts are not stored yet, and it is not visible. */
  readonly state: 'receiving' | 'running' | 'done';
  /** Changes with every write; a message that names another version is out of date. */
  readonly version: number;
  /** No step begins before this time. */
  readonly notBeforeMs: number;
  /** Digest of the Idempotency-Key it was created under, and of the caller. */
  readonly requestKey?: string;
  /** Events received in [fromMs, toMs). */
  readonly fromMs: number;
  readonly toMs: number;
  readonly places: readonly ComparedPlace[];
  readonly upload: UploadFigures;
  /** Each of `partOrders` orders, the last of the remainder, in the order of the upload. */
  readonly parts: readonly PartRef[];
  /** The last event that was read. */
  readonly cursor?: ReconciliationCursor;
  readonly counts: ReconciliationCounts;
  /** Orders by platform and standing; set once it is done. */
  readonly standings?: Readonly<Record<string, Readonly<Partial<Record<Standing, number>>>>>;
}

export const RECONCILIATION_LIMITS = {
  ordersMax: 10_000,
  uploadSizeMaxBytes: 4_194_304,
  idMaxChars: 256,
  rangeMaxDays: 100,
  /** Per merchant at once; each reads all events of its range. */
  runningMax: 5,
  /** Per merchant in `keptDays`. */
  keptMax: 200,
  keptDays: 7,
  partOrders: 250,
  /** The most orders in one replay made from it: as many ids as a plan can name. */
  replayOrdersMax: 500,
} as const;

export const NO_RECONCILIATION_COUNTS: ReconciliationCounts = { seen: 0, unreadable: 0, unlisted: 0 };

/** By then every row is in the time index. */
export const INDEXED_MS = 15_000;

/** Platforms that are compared, in the order of their places. */
export const comparedPlatforms = ({ places }: Pick<Reconciliation, 'places'>): readonly string[] => [
  ...new Set(places.map(({ platform }) => platform)),
];
