// A row of the events table: one per event of a merchant and channel, first as accepted, then as normalized.
// Guarantees: an unreadable row (garbage, or a format of another release) has its own type, so that it cannot be used
// as a readable one.
import { Outage } from '#lib/core/work/outage.ts';
import type { BatchPlace } from '../deliveries/batch.ts';
import type { Delivery } from '../deliveries/delivery.ts';
import type { EventBody } from './event.ts';
import type { KnownField } from './known-fields.ts';
import type { Channel, ClearPart } from './normalized-event.ts';
import type { RequestNames } from './request-names.ts';

/** Identity of a row, and all that a queue message may contain about an event. */
export interface EventKey {
  readonly merchantId: string;
  readonly channel: Channel;
  readonly eventId: string;
  /**
   * Set on archived rows, whose window ended and whose id was taken again: the ingest id they are stored under,
   * read-only.
   */
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
  /** The erasure that removed the person's data: anything the row may still have is not decrypted any more. */
  readonly erasedBy?: string;
  /**
   * Shard of its merchant's time index and minute slots, chosen by the process that stored it; absent = 0. Never
   * changes.
   */
  readonly shard?: number;
  /** As the sender called its request. */
  readonly request?: RequestNames;
  /** It stays in the table however old it is: before any page of it, this one holds. */
  readonly kept?: true;
}

/** Claimed and stored; not yet normalized. The only place where personal data is stored in the clear. */
export interface AcceptedRow extends RowBase {
  readonly state: 'accepted';
  readonly body: EventBody;
  /** Set on replays: their content. Their body has no personal data. */
  readonly replayOf?: ReplayOrigin;
}

/** Without a source in the body it is the channel. */
export const sourceOf = ({ body, key }: Pick<AcceptedRow, 'body' | 'key'>): string =>
  body.source ?? key.channel;

/** The original of a replay, as stored when the replay was requested. */
export interface ReplayOrigin {
  readonly eventId: string;
  readonly ingestId: string;
  /** With its encrypted part, which can be decrypted only with the original's key and acceptance. */
  readonly event: StoredEvent;
  /** The original's deliveries to these platforms end when the replay is normalized: the replay continues them. */
  readonly takesOver?: true;
}

/** Identity hashed and encrypted; deliveries accumulate here. */
export interface NormalizedRow extends RowBase {
  readonly state: 'normalized';
  readonly event: StoredEvent;
  /** Version of the routing snapshot that decided its verdicts. */
  readonly routingVersion: number;
  /**
   * Set when the row was normalized as part of a batch: its outcomes are in the batch's items, and not here. The join
   * (`pipeline/outcomes-of-batches.ts`) fills in `deliveries` and `dueAtMs`.
   */
  readonly place?: BatchPlace;
  /** Keyed by place at a platform (target.ts); a targeted platform without an entry is QUEUED. */
  readonly deliveries: Readonly<Record<string, Delivery>>;
  /** Changes when deliveries are reopened or cancelled by hand, so that a slow worker cannot overwrite that. */
  readonly revision: number;
  /** Place → verdict, decided under that snapshot; platforms that were not connected are left out. */
  readonly verdicts: Readonly<Record<string, string>>;
  /** Earliest time at which a delivery in progress must be read again; absent if none is. */
  readonly dueAtMs?: number;
  /**
   * Places whose connections deliveries are parked for, sorted, joined by a plus: the due index lists the row under
   * them.
   */
  readonly parkedFor?: string;
  /** How often the sweeper found it due; spaces out the next times. */
  readonly sweeps: number;
  /**
   * A browser event that waits for its server copy: nothing of it is sent before its release. `dueAtMs` is then this
   * time too.
   */
  readonly heldUntilMs?: number;
}

/** A stored normalized event: its personal data, if any, is encrypted. */
export interface StoredEvent extends ClearPart {
  /** Names of the known personal fields: counted, and shown when the part itself is erased. */
  readonly known: readonly KnownField[];
  /** Base64 ciphertext of PersonalPart, see event-vault.ts. */
  readonly sealed?: string;
}

export type EventRow = AcceptedRow | NormalizedRow;

/** The readable facts of an unreadable row. The row is not changed: a release that knows its format will read it. */
export interface UnreadableRow {
  readonly key: EventKey;
  readonly ingestId: string;
  /** The reason, in a few words, without any value of the row. */
  readonly problem: string;
  readonly dueAtMs?: number;
  readonly parkedFor?: string;
  /** How often the sweeper found it due. */
  readonly sweeps: number;
}

/** Thrown if a single requested row cannot be read: its content is unknown, so the answer is 503. */
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
