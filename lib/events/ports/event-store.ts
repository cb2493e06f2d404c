// The events table as its users see it. Every method that writes is one conditional write to one item.
// Guarantees: a row that cannot be read (garbage, a format of another release) is told apart from the rows beside it.
import { Outage } from '../../core/work/outage.ts';
import type { Delivery } from '../domain/deliveries/delivery.ts';
import type {
  AcceptedRow,
  EventKey,
  EventRow,
  NormalizedRow,
  RowsRead,
  UnreadableRow,
} from '../domain/event/row.ts';
import type { DueIndex } from './due-index.ts';

export interface RowPatch {
  readonly platform: string;
  readonly delivery: Delivery;
  /** At other platforms, written with it: all of them or none. */
  readonly also?: Readonly<Record<string, Delivery>>;
  /** `null` takes the row out of the due index. */
  readonly dueAtMs: number | null;
}

/** `eventual` costs half and may show a row as it was a moment ago, or not yet at all. */
export type Consistency = 'strong' | 'eventual';

/** When an event that has left the table may have been received: live keys are looked for among the pages of these days. */
export interface Near {
  readonly fromMs: number;
  readonly toMs: number;
}

/** A partition takes no more writes this second; one of another shard may. What was to be written may be there all the same. */
export class ThrottledWrite extends Outage {}

export interface EventStore extends DueIndex<EventKey> {
  /** Puts the row unless one with this key exists. Throws `ThrottledWrite`. */
  claim(row: AcceptedRow): Promise<'claimed' | 'exists'>;
  /** Consistent read. Throws `UnreadableRowError`. */
  read(key: EventKey, near?: Near): Promise<EventRow | null>;
  /** Reads up to 100 rows; missing ones are left out, order is not kept. `strong` unless told. */
  readMany(keys: readonly EventKey[], consistency?: Consistency, near?: Near): Promise<RowsRead>;
  /** Before a row is written to that may have left the table: the row as it is there, to stay. Absent: none leaves. */
  hold?(seen: NormalizedRow): Promise<NormalizedRow>;
  /** Copies an expired, finished row aside under its ingest id, where `received` and reads by key still find it; idempotent. */
  archive(row: EventRow): Promise<void>;
  /** Replaces the row if its ingest id is still `expected`. Throws `ThrottledWrite`. */
  replace(row: AcceptedRow, expectedIngestId: string): Promise<boolean>;
  /** accepted → normalized, if the row is still `accepted` under this ingest id. */
  normalize(row: NormalizedRow): Promise<boolean>;
  /**
   * Writes one delivery if ingest id, revision and that delivery are the ones seen, and it is not DELIVERED: such a
   * one takes only what `mayFollow` says. A patch that
   * has a due time, or takes one away, also wants the due time to be the one seen; one that leaves the row without any
   * writes no index entry and meets no other platform's write; one that ends it, or moves it away, wants every other open
   * delivery to be the one seen. Returns the row after the write, or null on conflict.
   */
  putDelivery(seen: NormalizedRow, patch: RowPatch): Promise<NormalizedRow | null>;
  /**
   * Moves `dueAtMs` (null = out of the index) if it, the revision, and open deliveries where it moves away, are still the ones seen. Where the row is entered,
   * with its merchant or parked with a connection, follows from its deliveries, here and in `putDelivery`.
   */
  reschedule(seen: NormalizedRow, dueAtMs: number | null, sweeps: number): Promise<boolean>;
  /** Moves the due time of a row that cannot be read, if it is still the one seen, and counts the look. */
  deferUnreadable(seen: UnreadableRow, dueAtMs: number): Promise<boolean>;
  /** Ends the wait of a held row, and its due time with it, if it is still held. `event`: in place of its own. */
  release(seen: NormalizedRow, event?: NormalizedRow['event']): Promise<boolean>;
  /**
   * Writes verdicts without a target for a row that is still held, and ends its wait and its due time.
   */
  withdraw(seen: NormalizedRow, verdicts: NormalizedRow['verdicts']): Promise<boolean>;
  /** Keys of the rows (archived ones too) of one shard of a merchant received in [fromMs, toMs), newest or oldest first, in pages. */
  received(query: ReceivedQuery): Promise<ReceivedPage>;
}

/** Apart from the store: one stage needs it, and what every function would carry, none carries. */
export interface RowErasure {
  /**
   * Takes the person out of a row as it was read, live or archived (`erased-row.ts`), if it is still this acceptance and in this
   * state; deliveries stay as they are. The mark stays when it is normalized later.
   */
  erase(seen: EventRow, erasedBy: string): Promise<boolean>;
}

export interface ReceivedQuery {
  readonly merchantId: string;
  /** Absent = 0. */
  readonly shard?: number;
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

/** Shards of the due index: each is one query of every sweep, and takes 1,000 writes a second. */
export const DUE_SHARDS = 32;
