// Where rows lie once they have left the table: objects of a bucket, and how far each merchant's days have got there.
import type { EventKey, EventRow } from '../domain/event/row.ts';

export interface PageObject {
  readonly bytes: Uint8Array;
  /** Of this content: what a write is conditional on. */
  readonly tag: string;
}

/** Objects of one bucket, by name. Reads see every write that was answered. */
export interface PageObjects {
  /** Null where there is none. `range`: these bytes alone, the end excluded. */
  read(name: string, range?: readonly [from: number, to: number]): Promise<PageObject | null>;
  /** `seen`: the tag of what it replaces; null: there is nothing yet. Null where something else is there; else the new tag. */
  write(name: string, bytes: Uint8Array, seen: string | null): Promise<string | null>;
  /** All that begin with `prefix`. */
  names(prefix: string): Promise<readonly string[]>;
  remove(name: string): Promise<void>;
}

/** What of a merchant's day, in one shard, lies in pages. */
export interface UnitIndex {
  readonly openedAtMs: number;
  readonly isComplete: boolean;
  /** Ingest id of the last row that was looked at. */
  readonly after?: string | undefined;
  /** In the order of the ingest ids of their first and last rows. */
  readonly pages: readonly { readonly name: string; readonly first: string; readonly last: string }[];
  /** Lists of digests of event keys. */
  readonly lists: readonly { readonly name: string; readonly entries: number }[];
  /** Erased in the table while the day was being archived: ingest id and erasure. */
  readonly erased: readonly (readonly [ingestId: string, erasedBy: string])[];
}

/** Rows as bytes, each as the table stores it, and indexes. Throws on bytes of another format. */
export interface PageCodec {
  pack(rows: readonly EventRow[]): Uint8Array;
  unpack(bytes: Uint8Array): readonly EventRow[];
  packIndex(index: UnitIndex): Uint8Array;
  unpackIndex(bytes: Uint8Array): UnitIndex;
}

/** Of rows and batches that stay in their tables although they are old. */
export interface KeptRows {
  /** The row stays as long as any, if it is still this acceptance; `again`: one that was kept before alone. False: it is not there. */
  keep(key: EventKey, ingestId: string, again?: boolean): Promise<boolean>;
  /** Puts a row of a page back, to stay, unless such a one is there: what is not kept has expired. */
  restore(row: EventRow): Promise<void>;
}

export interface KeptBatches {
  /** All items of the minute in this shard stay as long as any. */
  keepMinute(minute: {
    readonly merchantId: string;
    readonly minuteMs: number;
    readonly shard: number;
  }): Promise<void>;
}

export interface Horizon {
  readonly merchantId: string;
  /** The first UTC day whose rows are not all in pages, milliseconds. */
  readonly dayMs: number;
}

export interface HorizonStore {
  horizon(merchantId: string): Promise<Horizon | null>;
  /** Of all merchants. One that cannot be read has no day, and keeps none of the others back. */
  horizons(): AsyncIterable<Horizon | { readonly merchantId: string; readonly dayMs: null }>;
  /** False where it is not the one that was seen. */
  moveHorizon(seen: Horizon | null, next: Horizon): Promise<boolean>;
}

/** Whether the tables of rows and batches delete what has expired. */
export interface TableExpiry {
  isOn(): Promise<boolean>;
  /** A change may be refused for an hour after another one: then it is asked for again. */
  turn(on: boolean): Promise<void>;
}
