// A table with a due index, as recovery works through it: what is there to look at, and how others are told of it. Events and
// batches are worked through alike. Guarantees: what an index says is never taken for what is stored.
import { doubledWait } from '#lib/core/work/retry-policy.ts';
import type { BatchPointer, Pointers } from '../../domain/pointer.ts';
import type { DueIndex } from '../../ports/due-index.ts';

export type Pointer = Pointers | BatchPointer;

export interface DueSource<Key = unknown> {
  /** In messages. */
  readonly table: 'events' | 'batches';
  readonly index: DueIndex<Key>;
  merchantOf(key: Key): string;
  /** What fan-out or a platform is told; a key that is due at one platform says which. */
  pointers(keys: readonly Key[]): readonly Pointer[];
  /** What is due at `nowMs` as it is stored; the index may lag behind it. 100 keys at most. */
  look(keys: readonly Key[], nowMs: number): Promise<readonly DueLook<Key>[]>;
  /** Events that keys stand for, as far as they are parked. 100 keys at most. */
  countEvents(keys: readonly Key[]): Promise<number>;
  /** Events one key can stand for. */
  readonly eventsMax: number;
}

export interface DueLook<Key> {
  readonly key: Key;
  /** Something is to be done for it now. */
  readonly isLate: boolean;
  /** Moves its due time, after others were told. */
  readonly putOff: () => Promise<unknown>;
}

/** What was told again is left alone for a minute, then two, four … an hour: a backlog must not multiply itself. */
const BACKOFF = { minMs: 60_000, maxMs: 3_600_000 };
/** What cannot be read waits for a release that can: four looks a day find that out soon enough. */
const UNREADABLE = { minMs: 60_000, maxMs: 6 * 3_600_000 };

export const backoffMs = (sweeps: number): number => doubledWait(BACKOFF, sweeps);
export const unreadableBackoffMs = (sweeps: number): number => doubledWait(UNREADABLE, sweeps);
