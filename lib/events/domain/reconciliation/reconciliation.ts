// Compares a merchant's own orders with what platforms were sent: a job that reads the events received in a range. The
// upload, and what was seen of each order so far, are stored in parts of their own, encrypted. Guarantees: parts are
// never overwritten: a step writes the changed ones under its own version, and the write that stores the progress names
// them, so that a step that crashes has changed nothing.
import * as z from 'zod';
import type { StoredAs } from '#lib/core/record/stored-type.ts';
import { STANDINGS } from '../analytics/order-standing.ts';
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
const place = z.looseObject({
  slot: z.string(),
  platform: z.string(),
  /** Of its connection: verdicts under an older routing were for an earlier connection. */
  sinceVersion: z.number(),
  /** The platform counts the purchases of one order once. */
  byOrder: z.literal(true).exactOptional(),
  /** Seconds for which the platform remembers event ids; absent: for ever. */
  windowSec: z.number().exactOptional(),
});
export type ComparedPlace = StoredAs<typeof place>;

/** Where a part of the orders is stored. */
const part = z.looseObject({
  /** Of the job, when the part was written. */
  version: z.number(),
  /** Number of items it is split into. */
  pieces: z.number(),
});
export type PartRef = StoredAs<typeof part>;

const counts = z.looseObject({
  /** Events read, and those that could not be read. */
  seen: z.number(),
  unreadable: z.number(),
  /** Purchases of orders that were not uploaded, made between the first and the last uploaded one. */
  unlisted: z.number(),
});
export type ReconciliationCounts = StoredAs<typeof counts>;

const upload = z.looseObject({
  orders: z.number(),
  /** Rows that repeated an earlier one. */
  repeated: z.number(),
  withValue: z.number(),
  withCurrency: z.number(),
  withTime: z.number(),
  /** Earliest and latest time among them. */
  firstMs: z.number().exactOptional(),
  lastMs: z.number().exactOptional(),
});
export type UploadFigures = StoredAs<typeof upload>;

/** The last event that was read. */
const cursor = z.looseObject({ receivedAtMs: z.number(), ingestId: z.string() });
export type ReconciliationCursor = StoredAs<typeof cursor>;

export const STORED_RECONCILIATION = z.looseObject({
  merchantId: z.string(),
  /** UUIDv7. */
  id: z.string(),
  createdAtMs: z.number(),
  updatedAtMs: z.number(),
  /** When it is deleted, with its parts. */
  expiresAtMs: z.number(),
  /** `receiving`: its parts are not stored yet, and it is not visible. */
  state: z.enum(['receiving', 'running', 'done']),
  /** Changes with every write; a message that names another version is out of date. */
  version: z.number(),
  /** No step begins before this time. */
  notBeforeMs: z.number(),
  /** Digest of the Idempotency-Key it was created under, and of the caller. */
  requestKey: z.string().exactOptional(),
  /** Events received in [fromMs, toMs). */
  fromMs: z.number(),
  toMs: z.number(),
  places: z.array(place),
  upload,
  /** Each of `partOrders` orders, the last of the remainder, in the order of the upload. */
  parts: z.array(part),
  cursor: cursor.exactOptional(),
  counts,
  /** Orders by platform and standing; set once it is done. */
  standings: z.record(z.string(), z.partialRecord(z.enum(STANDINGS), z.number())).exactOptional(),
});
export type Reconciliation = StoredAs<typeof STORED_RECONCILIATION>;

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
