// How many API keys of one product a merchant may have. Counted over places that are taken before a key is made: whoever takes the last of
// them counted all the others, so no more keys are made than there are places, whatever the order of those who ask.
import { type ApiKeyRecord, ENDED_KEY_LISTED_MS, keyEndedAtMs, LISTED_KEYS_MAX } from './api-key.ts';

export interface KeyPlace {
  readonly keyId: string;
  readonly claimedAtMs: number;
  /** Undefined while the key is being made, and where whoever made it died. */
  readonly record: ApiKeyRecord | undefined;
}

/** A place whose key was never made is free again after this. */
const MAKING_LASTS_MS = 300_000;
const DROPPED_AT_ONCE = 25;

export function judgeKeyPlaces(
  places: readonly KeyPlace[],
  activeMax: number,
  nowMs: number,
): { readonly isFull: boolean; readonly dropped: readonly string[] } {
  const dropped: string[] = [];
  let active = 0;
  for (const { keyId, claimedAtMs, record } of places) {
    const endedAtMs = record === undefined ? undefined : keyEndedAtMs(record, nowMs);
    if (record === undefined) {
      if (claimedAtMs > nowMs - MAKING_LASTS_MS) active += 1;
      else dropped.push(keyId);
    } else if (endedAtMs === undefined) active += 1;
    else if (endedAtMs <= nowMs - ENDED_KEY_LISTED_MS) dropped.push(keyId);
  }
  const isFull = active > activeMax || places.length - dropped.length > LISTED_KEYS_MAX;
  return { isFull, dropped: dropped.slice(0, DROPPED_AT_ONCE) };
}
