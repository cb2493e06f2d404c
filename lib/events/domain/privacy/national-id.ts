// National identity numbers within a text, by form and checksum. A form that one random number in a hundred or more fits
// needs a word beside it that names it. Pure, linear.
import { passesVerhoeff, remainder } from './check-digits.ts';

const SSN = /(?<![\w-])(?!000|666|9)\d{3}-(?!00)\d{2}-(?!0000)\d{4}(?![\w-])/;
const NINO =
  /(?<![\w-])(?!BG|GB|KN|NK|NT|TN|ZZ)[A-CEGHJ-PR-TW-Z][A-CEGHJ-NPR-TW-Z] \d\d \d\d \d\d [A-D](?![\w-])/i;
const CPF = /(?<![\w.-])\d{3}\.\d{3}\.\d{3}-\d{2}(?![\w-])/g;
const NIR =
  /(?<![\w-]|\d )([12]) ?(\d\d) ?(0[1-9]|1[0-2]|[2-4]\d) ?(\d\d|2[AB]) ?(\d{3}) ?(\d{3}) ?(\d\d)(?![\w-]| \d)/gi;
const CODICE = /(?<![\w-])[A-Z]{6}[\dLMNP-V]{2}[A-EHLMPRST][\dLMNP-V]{2}[A-Z][\dLMNP-V]{3}[A-Z](?![\w-])/gi;
const DNI = /(?<![\w-])([XYZ]-?\d{7}|\d{8})-?([A-Z])(?![\w-])/g;
const AADHAAR = /(?<![\w-]|\d )[2-9]\d{3}([ -])\d{4}\1\d{4}(?![\w-]| \d)/g;
/** A word that names such a number, and what follows it. */
const NAMED =
  /(?<![\p{L}\d])(?:(?:ssn|nino|cpf|dni|bsn|pesel|personnummer|aadhaar|aadhar)(?: (?:no|number|nr))?|passport (?:no|number|nr))[ .:#=]{1,3}([A-Z]{0,3}\d[\dA-Z .-]{4,20})/iu;

export function hasNationalId(text: string): boolean {
  if (SSN.test(text) || NINO.test(text)) return true;
  const [, named] = NAMED.exec(text) ?? [];
  if (named !== undefined && isNationalIdValue(named)) return true;
  return (
    some(text, CPF, ([found]) => isCpf(found.replace(/\D/g, ''))) ||
    some(text, NIR, ([, ...parts]) => isNir(parts.join(''))) ||
    some(text, CODICE, ([found]) => isCodiceFiscale(found.toUpperCase())) ||
    some(text, DNI, ([, number = '', letter = '']) => isDni(number, letter)) ||
    some(text, AADHAAR, ([found]) => passesVerhoeff(found.replace(/\D/g, '')))
  );
}

/** What stands under a name of such a number: the checksum is not asked, as a mistyped one names its person, too. */
export function isNationalIdValue(value: string): boolean {
  const compact = value.replace(/[ ./-]/g, '');
  return /^[A-Z\d]{6,20}$/i.test(compact) && compact.replace(/\D/g, '').length >= 5;
}

const some = (text: string, form: RegExp, passes: (match: RegExpExecArray) => boolean): boolean => {
  for (const match of text.matchAll(form)) if (passes(match)) return true;
  return false;
};

function isCpf(digits: string): boolean {
  if (/^(\d)\1*$/.test(digits)) return false;
  return [9, 10].every((length) => {
    let sum = 0;
    for (let i = 0; i < length; i++) sum += Number(digits.charAt(i)) * (length + 1 - i);
    return ((sum * 10) % 11) % 10 === Number(digits.charAt(length));
  });
}

/** Corsica's departments count as 19 and 18. */
function isNir(number: string): boolean {
  const digits = number.replace(/2A/i, '19').replace(/2B/i, '18');
  return 97 - remainder(digits.slice(0, 13), 97) === Number(digits.slice(13));
}

const ODD_VALUES = [
  1, 0, 5, 7, 9, 13, 15, 17, 19, 21, 2, 4, 18, 20, 11, 3, 6, 8, 12, 14, 16, 10, 22, 25, 24, 23,
];

function isCodiceFiscale(code: string): boolean {
  let sum = 0;
  for (let i = 0; i < 15; i++) {
    const char = code.charCodeAt(i);
    const value = char < 65 ? char - 48 : char - 65;
    sum += i % 2 === 0 ? (ODD_VALUES[value] ?? 0) : value;
  }
  return sum % 26 === code.charCodeAt(15) - 65;
}

function isDni(number: string, letter: string): boolean {
  const prefix = 'XYZ'.indexOf(number.charAt(0));
  const digits = prefix < 0 ? number : `${prefix}${number.slice(-7)}`;
  return 'TRWAGMYFPDXBNJZSQVHLCKE'.charAt(Number(digits) % 23) === letter;
}
