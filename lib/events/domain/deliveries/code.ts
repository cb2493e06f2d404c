// Why an event is not at a platform, as one machine word: the counters count by it, and lists find by it.
import { type Delivery, TERMINAL_STATES } from './delivery.ts';

/** A longer one is not counted: it would outweigh the counters. */
const COUNTED_CHARS_MAX = 60;

/** Of a delivery that ended otherwise than delivered; a verdict that came before any delivery says it itself. */
export function codeOf(delivery: Delivery | undefined): string | undefined {
  if (delivery === undefined || delivery.state === 'DELIVERED') return undefined;
  return TERMINAL_STATES.has(delivery.state) ? delivery.reason : undefined;
}

/** Undefined where none is counted. */
export function countedCode(delivery: Delivery | undefined): string | undefined {
  const code = codeOf(delivery);
  return code !== undefined && code.length <= COUNTED_CHARS_MAX ? code : undefined;
}

/**
 * A code may go on behind the word asked for: `invalid` finds `invalid:user_data`, `meta.100` finds `meta.100.2804003`. The platform's
 * own codes are found without its name too: at Meta `100` is `meta.100`.
 */
export function isCode(wanted: string, code: string, platform: string): boolean {
  return [wanted, `${platform}.${wanted}`].some(
    (word) => code === word || code.startsWith(`${word}:`) || code.startsWith(`${word}.`),
  );
}
