// Ids of replayed events: `<id of the original>~rp~<26 letters and digits>`. Guarantees: no caller can choose one (see
// event.ts), a replay of a replay keeps the id of the original, and the same seed makes the same id.
import { hash } from 'node:crypto';

/** What platforms recognise a replay by. `new`: they count it once more. */
export const DEDUPES = ['original', 'new'] as const;
export type Dedupe = (typeof DEDUPES)[number];

const MARK = '~rp~';
/** Crockford's base32, as ULIDs have it. */
const LETTERS = '0123456789abcdefghjkmnpqrstvwxyz';
const BITS = 5n;
const ENDING = /~rp~[0-9a-hjkmnp-tv-z]{26}$/i;
const ENDING_CHARS = 26;

export const isReplayId = (eventId: string): boolean => ENDING.test(eventId);

/** The id that the original came with, of a replay as of the original itself. */
export function rootOf(eventId: string): string {
  return isReplayId(eventId) ? eventId.slice(0, -(MARK.length + ENDING_CHARS)) : eventId;
}

/** The part behind the mark; undefined where there is none. */
export function endingOf(eventId: string): string | undefined {
  return isReplayId(eventId) ? eventId.slice(-ENDING_CHARS) : undefined;
}

/** `seed`: whatever makes this replay the one it is. What is done again under the same seed finds what was done before. */
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
