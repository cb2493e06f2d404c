// Numbers of payment cards: an issuer's range and Luhn's check digit, and grouped as on a card or beside a word that says
// card. Of random numbers of 16 digits 2.3 % pass the first two alone. Pure, linear.
import { passesLuhn } from './check-digits.ts';

const GROUPED =
  /(?<![\p{L}\d]|\d[ .-])(?:\d{4}([ .-])\d{4}\1\d{4}\1\d{1,7}|\d{4}([ .-])\d{6}\2\d{4,5})(?!\d|[ .-]\d)/gu;
const PLAIN = /(?<!\d)\d{14,19}(?!\d)/g;
const WORD =
  /(?<!\p{L})(?:card|cards|visa|mastercard|maestro|amex|kreditkarte|carte|tarjeta|cc|pan)(?!\p{L})/iu;

/** Visa, Mastercard, American Express, Diners, Discover, JCB, UnionPay, Maestro, Mir: ISO/IEC 7812 ranges as published. Of 13 digits are EANs, and no card that is still issued. */
const ISSUER =
  /^(?:4(?:\d{15}|\d{18})|(?:5[1-5]\d\d|222[1-9]|22[3-9]\d|2[3-6]\d\d|27[01]\d|2720)\d{12}|3[47]\d{13}|3(?:0[0-5]|[68]\d)\d{11}|(?:6011|64[4-9]\d|65\d\d)\d{12}|(?:35(?:2[89]|[3-8]\d))\d{12}|62\d{14,17}|(?:50|5[6-8]|6[37])\d{14,17}|220[0-4]\d{12})$/;

/** `beside`: what the number stands beside says card. */
export function hasCard(text: string, beside = false): boolean {
  for (const [found] of text.matchAll(GROUPED)) if (isCardNumber(found)) return true;
  if (!beside && !WORD.test(text)) return false;
  for (const [found] of text.matchAll(PLAIN)) if (isCardNumber(found)) return true;
  return false;
}

export function isCardNumber(text: string): boolean {
  const digits = text.replace(/[ .-]/g, '');
  return ISSUER.test(digits) && passesLuhn(digits);
}
