// Ids of replayed events: `<id of the original>~rp~<26 letters and digits>`. Guarantees: no caller can choose one (see
// event.ts), a replay of a replay keeps the id of the original, and the same seed gives the same id.
import { hash } from 'node:crypto';

/** The id that platforms deduplicate a replay on. `new`: they count it again. */
export const DEDUPES = ['original', 'new'] as const;
export type Dedupe = (typeof DEDUPES)[number];

const MARK = '~rp~';
/** Crockford's base32, as ULIDs have it. */
const LETTERS = '0123456789abcdefghjkmnpqrstvwxyz';
const BITS = 5n;
const ENDING = /~rp~[0-9a-hjkmnp-tv-z]{26}$/i;
const ENDING_CHARS = 26;

export const isReplayId = (eventId: string): boolean => ENDING.test(eventId);

/** The id of the original, for a replay or for the original itself. */
export function rootOf(eventId: string): string {
  return isReplayId(eventId) ? eventId.slice(0, -(MARK.length + ENDING_CHARS)) : eventId;
}

/** The part after the mark; undefined without one. */
export function endingOf(eventId: string): string | undefined {
  return isReplayId(eventId) ? eventId.slice(-ENDING_CHARS) : undefined;
}

/** `seed`: what identifies this replay. Repeating it with the same seed finds the earlier result. */
export function replayIdOf(eventId: string, seed: readonly string[]): string {
  const digest = hash('sha256', JSON.stringify(seed), 'hex').slice(0, 32);
  return `${rootOf(eventId)}${MARK}${base32(BigInt(`0x${digest}`))}`;
}

/** 128 bits. */
function base32(value: bigint): string {
  let text = '';
  for (let rest = value; text.length < ENDING_CHARS; rest >>= BITS)
    text = LETTERS.charAt(Number(rest & 31n)) + text;
  return text;
}
