// The events table as its users see it. Every method that writes is one conditional write to one item.
// Guarantees: a row that cannot be read (garbage, a format of another release) is told apart from the rows beside it.
import { Outage } from '../../core/ports/outage.ts';
import type { BatchPlace } from '../domain/batch.ts';
import type { Delivery } from '../domain/delivery.ts';
import type { EventBody } from '../domain/event.ts';
import type { KnownField } from '../domain/known-fields.ts';
import type { Channel, ClearPart } from '../domain/normalized-event.ts';

/** Identity of a row, and all that a queue message may say about an event. */
export interface EventKey {
  readonly merchantId: string;
  readonly channel: Channel;
  readonly eventId: string;
  /** Set on rows whose window ended and whose id was taken again: the ingest id they are kept under, for reading only. */
  readonly archivedAs?: string;
}

interface RowBase {
  readonly key: EventKey;
  /** UUIDv7 of this acceptance; a row replaced after its window has another one. */
  readonly ingestId: string;
  readonly receivedAtMs: number;
  /** receivedAtMs + 24 h; never slides. */
  readonly expiresAtMs: number;
  /** Digest of the canonical body, hex, for `same_payload` in a 409. */
  readonly payloadHash: string;
  /** When the same id was accepted before, newest first; its earlier rows are archived. */
  readonly earlierMs?: readonly number[];
}

/** Claimed and stored; not yet normalized. The only place where personal data lies in the clear. */
export interface AcceptedRow extends RowBase {
  readonly state: 'accepted';
  readonly body: EventBody;
}

/** Identity hashed and sealed; deliveries accumulate here. */
export interface NormalizedRow extends RowBase {
  readonly state: 'normalized';
  readonly event: StoredEvent;
  /** Version of the routing snapshot its verdicts are computed under. */
  readonly routingVersion: number;
  /**
   * Set when the row was normalized as one of a batch: what became of it lies in the batch's items, and nothing of it here.
   * The join (`pipeline/outcomes-of-batches.ts`) fills in `deliveries` and `dueAtMs`.
   */
  readonly place?: BatchPlace;
  /** Keyed by platform slug; a targeted platform without an entry is QUEUED. */
  readonly deliveries: Readonly<Record<string, Delivery>>;
  /** Moves when deliveries are reopened or cancelled by hand, so that a slow worker cannot close over it. */
  readonly revision: number;
  /** Platform slug → verdict word, as decided under that snapshot; platforms that were not connected are left out. */
  readonly verdicts: Readonly<Record<string, string>>;
  /** Earliest time at which a delivery that was begun must be looked at again; absent when none is under way. */
  readonly dueAtMs?: number;
  /** How often the sweeper had to look; backs the next look off. */
  readonly sweeps: number;
  /** A browser event that waits for its server copy: nothing of it is sent before it was released. Then it is `dueAtMs` too. */
  readonly heldUntilMs?: number;
}

/** A normalized event at rest: what is personal about it, if anything is, encrypted. */
export interface StoredEvent extends ClearPart {
  /** What was known about the person, by name: counted, and shown when the part itself is erased. */
  readonly known: readonly KnownField[];
  /** Base64 ciphertext of PersonalPart, see event-vault.ts. */
  readonly sealed?: string;
}

export type EventRow = AcceptedRow | NormalizedRow;

/** What is known of a row that cannot be read. It stays as it is: a release that knows its format will read it. */
export interface UnreadableRow {
  readonly key: EventKey;
  readonly ingestId: string;
  /** Why, in a few words; holds no value of the row. */
  readonly problem: string;
  readonly dueAtMs?: number;
  /** How often the sweeper had to look. */
  readonly sweeps: number;
}

/** Thrown where one row was asked for and cannot be read: nobody can say what it holds, so it is answered 503. */
export class UnreadableRowError extends Outage {
  readonly row: UnreadableRow;

  constructor(row: UnreadableRow) {
    super(`a stored row cannot be read: ${row.problem}`);
    this.row = row;
  }
}

export interface RowsRead {
  readonly rows: readonly EventRow[];
  readonly unreadable: readonly UnreadableRow[];
}

export interface RowPatch {
  readonly platform: string;
  readonly delivery: Delivery;
  /** `null` takes the row out of the due index. */
  readonly dueAtMs: number | null;
}

/** `eventual` costs half and may show a row as it was a moment ago, or not yet at all. */
export type Consistency = 'strong' | 'eventual';

export interface EventStore {
  /** Puts the row unless one with this key exists. */
  claim(row: AcceptedRow): Promise<'claimed' | 'exists'>;
  /** Consistent read. Throws `UnreadableRowError`. */
  read(key: EventKey): Promise<EventRow | null>;
  /** Reads up to 100 rows; missing ones are left out, order is not kept. `strong` unless told. */
  readMany(keys: readonly EventKey[], consistency?: Consistency): Promise<RowsRead>;
  /** Copies an expired, finished row aside under its ingest id, where `received` and reads by key still find it; idempotent. */
  archive(row: EventRow): Promise<void>;
  /** Replaces the row if its ingest id is still `expected`. */
  replace(row: AcceptedRow, expectedIngestId: string): Promise<boolean>;
  /** accepted → normalized, if the row is still `accepted` under this ingest id. */
  normalize(row: NormalizedRow): Promise<boolean>;
  /**
   * Writes one delivery if ingest id, revision and that delivery are the ones seen, and it is not DELIVERED. A patch that
   * has a due time, or takes one away, also wants the due time to be the one seen; one that leaves the row without any
   * writes no index entry and meets no other platform's write. Returns the row after the write, or null on conflict. Throws
   * RangeError for a row of a batch.
   */
  putDelivery(seen: NormalizedRow, patch: RowPatch): Promise<NormalizedRow | null>;
  /** Moves `dueAtMs` (null = out of the index) if it, and the revision, are still the ones seen. */
  reschedule(seen: NormalizedRow, dueAtMs: number | null, sweeps: number): Promise<boolean>;
  /** Moves the due time of a row that cannot be read, if it is still the one seen, and counts the look. */
  deferUnreadable(seen: UnreadableRow, dueAtMs: number): Promise<boolean>;
  /** Ends the wait of a held row, and its due time with it, if it is still held. */
  release(seen: NormalizedRow): Promise<boolean>;
  /**
   * Writes verdicts without a target for a row that is still held, and ends its wait and its due time.
   */
  withdraw(seen: NormalizedRow, verdicts: NormalizedRow['verdicts']): Promise<boolean>;
  /** Keys of rows due before `beforeMs` in one shard of the due index, oldest first. */
  due(shard: number, beforeMs: number, limit: number): Promise<readonly { key: EventKey; dueAtMs: number }[]>;
  /** Keys of a merchant's rows (archived ones too) received in [fromMs, toMs), newest or oldest first, in pages. */
  received(query: ReceivedQuery): Promise<ReceivedPage>;
}

export interface ReceivedQuery {
  readonly merchantId: string;
  readonly fromMs: number;
  readonly toMs: number;
  readonly order: 'asc' | 'desc';
  readonly limit: number;
  /** Opaque, from a previous page. */
  readonly cursor?: string;
}

export interface ReceivedPage {
  readonly keys: readonly {
    readonly key: EventKey;
    readonly ingestId: string;
    readonly receivedAtMs: number;
  }[];
  readonly cursor?: string;
}

/** Number of shards of the due index: one sweep per shard and minute. */
export const DUE_SHARDS = 16;
