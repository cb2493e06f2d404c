// A row of the events table: one per event of a merchant and channel, first as it was accepted, then as it was normalized.
// Guarantees: a row that cannot be read (garbage, a format of another release) has a type of its own, so that nobody can
// take it for one that can.
import { Outage } from '#lib/core/work/outage.ts';
import type { BatchPlace } from '../deliveries/batch.ts';
import type { Delivery } from '../deliveries/delivery.ts';
import type { EventBody } from './event.ts';
import type { KnownField } from './known-fields.ts';
import type { Channel, ClearPart } from './normalized-event.ts';

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
  /** The erasure that took the person out of it: whatever it may hold all the same is opened for nobody. */
  readonly erasedBy?: string;
  /** Of its merchant's time index and minute slots, as chosen by whoever stored it; absent = 0. Never moves. */
  readonly shard?: number;
}

/** Claimed and stored; not yet normalized. The only place where personal data lies in the clear. */
export interface AcceptedRow extends RowBase {
  readonly state: 'accepted';
  readonly body: EventBody;
  /** Set on replays: what they are made of. Their body holds nothing personal. */
  readonly replayOf?: ReplayOrigin;
}

/** A sender that names no source is known by its channel. */
export const sourceOf = ({ body, key }: Pick<AcceptedRow, 'body' | 'key'>): string =>
  body.source ?? key.channel;

/** The original of a replay, as it was stored when the replay was asked for. */
export interface ReplayOrigin {
  readonly eventId: string;
  readonly ingestId: string;
  /** With its sealed part, which opens for the original's key and acceptance only. */
  readonly event: StoredEvent;
  /** Its deliveries to these platforms end when the replay is normalized: it goes on with them. */
  readonly takesOver?: true;
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
  /** Keyed by place at a platform (slot.ts); a targeted platform without an entry is QUEUED. */
  readonly deliveries: Readonly<Record<string, Delivery>>;
  /** Moves when deliveries are reopened or cancelled by hand, so that a slow worker cannot close over it. */
  readonly revision: number;
  /** Place → verdict word, as decided under that snapshot; platforms that were not connected are left out. */
  readonly verdicts: Readonly<Record<string, string>>;
  /** Earliest time at which a delivery that was begun must be looked at again; absent when none is under way. */
  readonly dueAtMs?: number;
  /** Places whose connections deliveries are parked for, sorted, with a plus between: it is due with those. */
  readonly parkedFor?: string;
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
  readonly parkedFor?: string;
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
