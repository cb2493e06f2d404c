// What is personal in one text, however it is encoded. Pure, total. Linear: what would cost more than a bound is taken for
// a finding, because no sender needs it and only an attacker makes it.
import { hasIban } from './bank-account.ts';
import { hasCard } from './card-number.ts';
import { hasEmail } from './email-address.ts';
import { type Exemption, kindByName, SPEAKING, wordsOf } from './field-name.ts';
import { mayBeAllowed, type PersonalKind } from './kinds.ts';
import { hasNationalId } from './national-id.ts';
import { hasPhone } from './phone-number.ts';
import { base64Within, readingsOf } from './readings.ts';
import { hasJwt, hasLongToken } from './secret.ts';

export interface TextContext {
  /** What the value's name frees it of: entropy and card numbers. */
  readonly exemption?: Exemption;
  /** It stands in an address that resets, verifies or invites. */
  readonly actsForPerson?: boolean;
  /** Finds only what no merchant may allow: cards, bank accounts, secrets, national ids. */
  readonly neverAllowedOnly?: boolean;
}

/** The first kind that is found; null: none. */
export function kindInText(text: string, context: TextContext = {}): PersonalKind | null {
  const readings = readingsOf(text);
  for (const reading of readings) {
    const kind = kindInReading(reading, context);
    if (kind !== null) return kind;
  }
  for (const decoded of base64Within(readings.at(-1) ?? ''))
    for (const reading of readingsOf(decoded)) {
      const kind = kindInReading(reading, context);
      if (kind !== null) return kind;
    }
  return null;
}

/** Six digits with at most two characters between them: no number that is personal has fewer. */
const DIGITS = /\d(?:[ .()/-]{0,2}\d){5}/;

function kindInReading(text: string, context: TextContext): PersonalKind | null {
  const { exemption = null, actsForPerson = false, neverAllowedOnly = false } = context;
  if (!neverAllowedOnly && hasEmail(text)) return 'email';
  if (hasJwt(text)) return 'secret';
  if (exemption === null && hasLongToken(text, actsForPerson)) return 'secret';
  const named = kindOfPairs(text, neverAllowedOnly);
  if (named !== null) return named;
  if (DIGITS.test(text)) {
    if (!neverAllowedOnly && hasPhone(text)) return 'phone';
    if (exemption === null && hasCard(text)) return 'card';
    if (hasIban(text)) return 'iban';
    if (exemption === null && hasNationalId(text)) return 'national_id';
  } else if (text.length >= 16 && exemption === null && hasNationalId(text)) return 'national_id';
  return null;
}

const NAME_MAX_CHARS = 60;
const VALUE_MAX_CHARS = 120;
/** No text that a person or a shop writes names as many values. */
const PAIRS_MAX = 1_000;
const QUOTES = ' "\'';

/** `name=value` and `name: value` within the text: nested addresses, JSON, cookies, notes. */
function kindOfPairs(text: string, neverAllowedOnly: boolean): PersonalKind | null {
  let pairs = 0;
  const separator = /[=:]/g;
  for (let match = separator.exec(text); match !== null; match = separator.exec(text)) {
    const name = nameBefore(text, match.index);
    if (name.length < 3 || !SPEAKING.test(name)) continue;
    pairs += 1;
    if (pairs > PAIRS_MAX) return 'secret';
    const kind = kindByName(wordsOf(name), valueAfter(text, match.index + 1));
    if (kind !== null && !(neverAllowedOnly && mayBeAllowed(kind))) return kind;
  }
  return null;
}

function nameBefore(text: string, at: number): string {
  let end = at;
  while (end > at - 3 && end > 0 && QUOTES.includes(text.charAt(end - 1))) end -= 1;
  let start = end;
  while (start > 0 && end - start < NAME_MAX_CHARS && isOfName(text.charCodeAt(start - 1))) start -= 1;
  return text.slice(start, end);
}

/** Letters, digits and `_ . - [ ]`; beyond ASCII everything. */
const isOfName = (code: number): boolean =>
  code > 127 ||
  (code >= 97 && code <= 122) ||
  (code >= 65 && code <= 90) ||
  (code >= 45 && code <= 57 && code !== 47) ||
  code === 95 ||
  code === 91 ||
  code === 93;

function valueAfter(text: string, at: number): string {
  let start = at;
  while (start < at + 3 && start < text.length && QUOTES.includes(text.charAt(start))) start += 1;
  const after = text.slice(start, start + VALUE_MAX_CHARS);
  const end = after.search(/[&;,"'<>{}\n]/);
  return end < 0 ? after : after.slice(0, end);
}
