// The only place that asks the machine what time it is and for random bytes.
// Guarantees: ids made by one instance for the same millisecond sort in the order they were made, and the time
// part of an id is exactly the millisecond it was asked for. Refuses: milliseconds that do not fit a UUIDv7.
import { randomFillSync, randomInt } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { v7 } from 'uuid';
import type { Clock, Random } from '../../core/ports/clock.ts';

/** 2^48 - 1: the time part of a UUIDv7 has 48 bits. */
const TIME_MAX_MS = 281_474_976_710_655;
/** randomInt takes ranges below 2^48, so this is the most resolution one call can give. */
const RANDOM_RANGE = 2 ** 47;
/** A millisecond starts its sequence below 2^31 of 2^32, so that at least 2^31 ids fit before it would wrap. */
const SEQUENCE_START_MAX = 2 ** 31;
const ID_BYTES = 16;
/** Random bytes are asked for in one piece for so many ids, as `crypto.randomUUID` does: a call costs more than its bytes. */
const IDS_PER_FILL = 256;

/** Wall time; may step backwards when the machine's clock is corrected. */
export const systemClock: Clock = { now: () => Date.now() };

export const systemPause = (ms: number): Promise<void> => wait(ms);

/**
 * Random numbers from the machine's secure source. `uuidv7` throws a RangeError for a time that is not an integer in
 * 0..2^48-1.
 */
export function createRandom(): Random {
  let lastMs = -1;
  let sequence = 0;
  const pool = new Uint8Array(ID_BYTES * IDS_PER_FILL);
  let taken = pool.byteLength;
  /** Never the same bytes twice; to be read before the next call. */
  const freshBytes = (): Uint8Array => {
    if (taken === pool.byteLength) {
      randomFillSync(pool);
      taken = 0;
    }
    taken += ID_BYTES;
    return pool.subarray(taken - ID_BYTES, taken);
  };
  return {
    next: () => randomInt(RANDOM_RANGE) / RANDOM_RANGE,
    uuidv7(nowMs) {
      if (!Number.isSafeInteger(nowMs) || nowMs < 0 || nowMs > TIME_MAX_MS) {
        throw new RangeError(`a UUIDv7 cannot carry ${nowMs} ms`);
      }
      // uuid counts by itself only when it also reads the clock; with the time handed in, counting is up to the caller.
      sequence = nowMs === lastMs ? (sequence + 1) >>> 0 : randomInt(SEQUENCE_START_MAX);
      lastMs = nowMs;
      return v7({ msecs: nowMs, seq: sequence, random: freshBytes() });
    },
  };
}

/** Shared by the whole process, so that the order of ids holds across its users. */
export const systemRandom: Random = createRandom();
