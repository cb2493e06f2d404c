// Unwrapped keys in memory. Guarantees: a key is kept for five minutes at most, unless a longer time is said; calls that need it at
// the same time share one request. Refuses: keeping a failure, so the next call tries again.
import type { Clock } from '../../core/ports/clock.ts';

type Key = Uint8Array | null;

const KEPT_MS = 300_000;

export interface KeptKeys {
  /** Undefined where the key has to be asked for. */
  known(id: string): Promise<Key> | undefined;
  /** In place of the one before, until it fails. */
  keep<Asked extends Key>(id: string, key: Promise<Asked>): Promise<Asked>;
  forget(id: string, key: Promise<Key>): void;
}

/** `max`: of more keys the ones asked for first go first. */
export function createKeptKeys(clock: Clock, max: number, keptMs = KEPT_MS): KeptKeys {
  const kept = new Map<string, { readonly key: Promise<Key>; readonly untilMs: number }>();
  const forget: KeptKeys['forget'] = (id, key) => {
    if (kept.get(id)?.key === key) kept.delete(id);
  };
  return {
    forget,
    known(id) {
      const found = kept.get(id);
      return found !== undefined && clock.now() < found.untilMs ? found.key : undefined;
    },
    keep(id, key) {
      kept.delete(id);
      kept.set(id, { key, untilMs: clock.now() + keptMs });
      if (kept.size > max) kept.delete(kept.keys().next().value ?? id);
      key.catch(() => forget(id, key));
      return key;
    },
  };
}

/**
 * The same bytes, in memory of their own. A small Buffer is cut from a piece of 8 KiB, which stays as long as the Buffer does:
 * ten thousand keys that are kept would hold 80 MB.
 */
export const ownBytes = (bytes: Uint8Array): Uint8Array => new Uint8Array(bytes);
