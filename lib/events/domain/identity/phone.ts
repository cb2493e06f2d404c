// Phone numbers: digits with the country code (Meta and others) and E.164 (Google and others).
// The rules, in order:
//  1. Digits of other scripts become ASCII; what precedes the first digit or `+` is dropped; a letter, `#`, `;`, `,`, `*`
//     or a second `+` ends the number: an extension is not part of it.
//  2. `+` or `00`: international. Zeros after it are dropped. A zero after the country code is a trunk zero in most
//     countries and part of the number in some: the lookup decides.
//  3. Otherwise the lookup reads it as dialled in the event's country, or as a number of another one that lost its plus.
//  4. Otherwise eleven digits or more without a leading zero are taken to begin with a country code; noted.
//  5. Otherwise, the country being unknown, the digits are hashed for the platforms that take digits, without leading
//     zeros, and there is no E.164; noted.
// Refuses (`not_a_phone`): fewer than 7 or more than 15 digits, numbers of +1 and +7 without eleven digits, a number
// spelled with letters, and with a known country what cannot be a number there.
import { sha256 } from './digest.ts';
import { type IdentityDraft, note, readHashable } from './draft.ts';
import { asciiDigits } from './letters.ts';
import type { IdentityLookups } from './lookups.ts';

const DIGITS_MIN = 7;
/** ITU-T E.164. */
const DIGITS_MAX = 15;
/** The shortest number that is assumed to begin with its country code: the length of a +1 number. */
const ASSUMED_INTERNATIONAL_MIN = 11;
/** A word after fewer digits than this is part of the number (1-800-FLOWERS), after more it is a remark. */
const REMARK_AFTER_DIGITS = 10;

/** ITU-T E.164 country codes of two digits; 1 and 7 have one, all others three. */
const TWO_DIGIT_COUNTRY_CODES: ReadonlySet<string> = new Set(
  (
    '20 27 30 31 32 33 34 36 39 40 41 43 44 45 46 47 48 49 51 52 53 54 55 56 57 58 60 61 62 63 64 65 66 ' +
    '81 82 84 86 90 91 92 93 94 95 98'
  ).split(' '),
);
const ONE_DIGIT_CODE_LENGTH = 11;
const LEADING_ZEROS = /^0+/;
const EXTENSION = /^(?:x|ext|poste|anexo|ramal|int|dw)/i;

interface Dialled {
  readonly international: boolean;
  readonly digits: string;
}

function isDigit(code: number): boolean {
  return code >= 48 && code <= 57;
}

/** The number as dialled, or null when letters are part of it. */
function dialled(text: string): Dialled | null {
  let digits = '';
  let plus = false;
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    if (isDigit(code)) {
      digits += text[index];
    } else if (code === 43 && digits === '') {
      plus = true;
    } else if (digits !== '' && endsNumber(code)) {
      if (isLetter(code) && digits.length < REMARK_AFTER_DIGITS && !EXTENSION.test(text.slice(index)))
        return null;
      break;
    }
  }
  if (plus) return { international: true, digits };
  return digits.startsWith('00')
    ? { international: true, digits: digits.slice(2) }
    : { international: false, digits };
}

function isLetter(code: number): boolean {
  const lower = code | 32;
  return (lower >= 97 && lower <= 122) || (code >= 0xc0 && code < 0x2000 && code !== 0xd7);
}

function endsNumber(code: number): boolean {
  return isLetter(code) || code === 43 || code === 35 || code === 59 || code === 44 || code === 42;
}

/** E.164 of digits that begin with a country code, or null. */
function international(written: string, country: string, lookups: IdentityLookups): string | null {
  const digits = written.replace(LEADING_ZEROS, '');
  if (digits.length < DIGITS_MIN || digits.length > DIGITS_MAX) return null;
  const first = digits[0];
  if (first === '1' || first === '7') return digits.length === ONE_DIGIT_CODE_LENGTH ? `+${digits}` : null;
  const codeLength = TWO_DIGIT_COUNTRY_CODES.has(digits.slice(0, 2)) ? 2 : 3;
  if (digits[codeLength] !== '0') return `+${digits}`;
  return lookups.nationalPhone(`+${digits}`, country) ?? `+${digits}`;
}

interface PhoneForms {
  readonly digits: string;
  readonly e164: string | null;
  readonly assumed: boolean;
}

function phoneForms(text: string, country: string, lookups: IdentityLookups): PhoneForms | null {
  const number = dialled(asciiDigits(text));
  if (number === null) return null;
  const certain = number.international
    ? international(number.digits, country, lookups)
    : country === '' || number.digits.length < DIGITS_MIN - 2 || number.digits.length > DIGITS_MAX + 2
      ? null
      : lookups.nationalPhone(number.digits, country);
  if (certain !== null) return { digits: certain.slice(1), e164: certain, assumed: false };
  if (number.international) return null;
  if (number.digits.length >= ASSUMED_INTERNATIONAL_MIN && !number.digits.startsWith('0')) {
    const e164 = international(number.digits, country, lookups);
    if (e164 !== null) return { digits: e164.slice(1), e164, assumed: true };
  }
  const digits = number.digits.replace(LEADING_ZEROS, '');
  if (country !== '' || digits.length < DIGITS_MIN || digits.length > DIGITS_MAX) return null;
  return { digits, e164: null, assumed: true };
}

/** @param country ISO 3166-1 alpha-2, uppercase; empty when unknown */
export function addPhone(draft: IdentityDraft, country: string): void {
  const value = readHashable(draft, 'phone', draft.userData.phone);
  if (value === null) return;
  if (value.digest !== null) {
    // The digest does not show whether the number had a plus. One of the two is right, the other matches no person.
    draft.hashed.phoneDigits = value.digest;
    draft.hashed.phoneE164 = value.digest;
    return;
  }
  const forms = phoneForms(value.text, country, draft.lookups);
  if (forms === null) {
    note(draft, 'phone', 'not_a_phone');
    return;
  }
  if (forms.assumed) note(draft, 'phone', 'phone_without_country_code');
  draft.hashed.phoneDigits = sha256(forms.digits);
  if (forms.e164 === null) return;
  draft.hashed.phoneE164 = sha256(forms.e164);
  draft.plain.phone = forms.e164;
}
