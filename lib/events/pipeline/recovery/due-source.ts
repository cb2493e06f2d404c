// A table with a due index, as recovery uses it: how to read due entries, and which pointers to send. Events and
// batches share this interface. Guarantees: an index entry is never taken for the stored row.
import { doubledWait } from '#lib/core/work/retry-policy.ts';
import type { Delivery } from '../../domain/deliveries/delivery.ts';
import { isAnySendDue } from '../../domain/deliveries/progress.ts';
import type { BatchPointer, Pointers } from '../../domain/pointer.ts';
import type { DueIndex } from '../../ports/due-index.ts';

export type Pointer = Pointers | BatchPointer;

export interface DueSource<Key = unknown> {
  /** As named in messages. */
  readonly table: 'events' | 'batches';
  readonly index: DueIndex<Key>;
  merchantOf(key: Key): string;
  /** Pointers for fan-out or a platform; a key that is due at one platform names it. */
  pointers(keys: readonly Key[]): readonly Pointer[];
  /** The stored state of what is due at `nowMs`; the index may lag behind it. At most 100 keys. */
  look(keys: readonly Key[], nowMs: number): Promise<readonly DueLook<Key>[]>;
  /** Number of parked events behind these keys. At most 100 keys. */
  countEvents(keys: readonly Key[]): Promise<number>;
  /** Until when what is parked behind the key waits for this place, as it is stored; undefined: nothing does. */
  parkedUntilMs(key: Key, place: string): Promise<number | undefined>;
  /** The most events behind one key. */
  readonly eventsMax: number;
}

export interface DueLook<Key> {
  readonly key: Key;
  /** It must be handled now. */
  readonly isLate: boolean;
  /** Pointers were sent for it, again and again, and no worker has taken it. */
  readonly isWaiting: boolean;
  /** Moves its due time, after the pointers were sent. */
  readonly putOff: () => Promise<unknown>;
}

/**
 * After a pointer was sent again, the entry rests for a minute, then two, four … an hour, so that a backlog does not
 * multiply.
 */
const BACKOFF = { minMs: 60_000, maxMs: 3_600_000 };
/** An unreadable row waits for a release that can read it: four reads a day are enough. */
const UNREADABLE = { minMs: 60_000, maxMs: 6 * 3_600_000 };

/**
 * For this long pointers go out without a write where the worker's own write ends the due time: one sweep, sometimes two.
 */
export const RELEASE_MS = 70_000;

/** Nothing but a question to a platform is due: its answer is written a moment later, and moves the due time. */
export const isQuestion = (
  deliveries: readonly (Delivery | undefined)[],
  dueAtMs: number,
  nowMs: number,
): boolean => dueAtMs <= nowMs && nowMs - dueAtMs < RELEASE_MS && !isAnySendDue(deliveries, nowMs);

/** What is this late has waited for too long: by then four pointers or more were sent for it. */
export const WAITING_MS = 20 * 60_000;

/** After so many pointers, twenty minutes and more behind its time. */
export const isUnworked = (sweeps: number): boolean => sweeps >= 5;

export const backoffMs = (sweeps: number): number => doubledWait(BACKOFF, sweeps);
export const unreadableBackoffMs = (sweeps: number): number => doubledWait(UNREADABLE, sweeps);
