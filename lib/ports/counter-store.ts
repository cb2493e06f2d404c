// Analytics counters: one row per merchant and time slot, always a fold of event rows, never incremented.
import type { SlotCounters } from '../domain/analytics.ts';

export interface SlotKey {
  readonly merchantId: string;
  readonly grain: 'minute' | 'hour' | 'day';
  /** Start of the slot, UTC, milliseconds, a multiple of the grain. */
  readonly startMs: number;
}

export interface SlotRow {
  readonly key: SlotKey;
  /** 0 = never written. */
  readonly version: number;
  readonly counters: SlotCounters;
  /** When the slot must be folded again; absent once it is sealed and every delivery in it is over. */
  readonly dueAtMs?: number;
}

export interface CounterStore {
  /** Consistent read. */
  read(key: SlotKey): Promise<SlotRow | null>;
  /** Consistent, ascending, of one grain with fromMs <= start < toMs. */
  range(merchantId: string, grain: SlotKey['grain'], fromMs: number, toMs: number): Promise<readonly SlotRow[]>;
  /** Overwrites if the stored version is still `row.version - 1` (0: no row). */
  write(row: SlotRow): Promise<boolean>;
  /** Makes sure the slot is folded at or before `dueAtMs`: creates an empty row or lowers its due time. */
  touch(key: SlotKey, dueAtMs: number): Promise<void>;
  /** Keys of slots due before `beforeMs` in one shard, oldest first. */
  due(shard: number, beforeMs: number, limit: number): Promise<readonly { key: SlotKey; dueAtMs: number }[]>;
}
