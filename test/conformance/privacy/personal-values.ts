// Personal values of every kind, made with checksums of their own, so that a defect of a finder is no defect of its test.
import type { SeededRandom } from '#test/support/memory/random.ts';
import { charsOf } from './shop-addresses.ts';

const DIGITS = '0123456789';
const HEX = '0123456789abcdef';
const LOWER = 'abcdefghijklmnopqrstuvwxyz';
const UPPER = LOWER.toUpperCase();
const BASE62 = `${LOWER}${UPPER}${DIGITS}`;
const BASE64URL = `${BASE62}-_`;

export interface PersonalValue {
  readonly kind: string;
  /** What must not leave. */
  readonly value: string;
  /** Names of parameters under which it is found. Absent: it is found wherever it stands. */
  readonly names?: readonly string[];
}

const FIRST = ['jane', 'john', 'maria', 'j.r', 'anne-marie', 'zoë', 'mehmet', 'o’neil', 'li', 'user2024'];
const LAST = ['doe', 'smith', 'kowalska', 'müller', 'garcia_lopez', 'nguyen+shop', 'x'];
const DOMAINS =
  'gmail.com mail.example web.de yahoo.co.uk firma.com.br mail.photography post.museum x.io büro.de shop.xn--p1ai sub.dept.uni.edu'.split(
    ' ',
  );

/** Country codes with the digits that follow. */
const PHONES =
  '1:2125550123 44:2079460958 49:3012345678 33:612345678 34:612345678 39:3123456789 31:612345678 48:512345678 55:11912345678 91:9876543210 81:9012345678 61:412345678 972:501234567 971:501234567 353:851234567 380:501234567 234:8012345678 86:13812345678 852:51234567 47:41234567'.split(
    ' ',
  );

function phone(random: SeededRandom): string {
  const [code = '', number = ''] = random.pick(PHONES).split(':');
  const separator = random.pick(['', ' ', '-', '.']);
  const cut = 2 + random.below(2);
  const tail = charsOf(DIGITS, 4, random);
  const own = `${number.slice(0, -4)}${tail}`;
  return separator === '' ? `+${code}${own}` : `+${code} ${own.slice(0, cut)}${separator}${own.slice(cut)}`;
}

function withLuhn(body: string): string {
  const sum = [...body].reverse().reduce((total, digit, i) => {
    const doubled = Number(digit) * (i % 2 === 0 ? 2 : 1);
    return total + (doubled > 9 ? doubled - 9 : doubled);
  }, 0);
  return `${body}${(10 - (sum % 10)) % 10}`;
}

const cardNumber = (random: SeededRandom): string =>
  random.pick([
    () => withLuhn(`4${charsOf(DIGITS, 14, random)}`),
    () => withLuhn(`5${1 + random.below(5)}${charsOf(DIGITS, 13, random)}`),
    () => withLuhn(`3${random.pick(['4', '7'])}${charsOf(DIGITS, 12, random)}`),
  ])();

function grouped(digits: string, separator: string): string {
  const cuts = digits.length === 15 ? [4, 6, 5] : [4, 4, 4, 4];
  let at = 0;
  return cuts
    .map((length) => {
      at += length;
      return digits.slice(at - length, at);
    })
    .join(separator);
}

function iban(random: SeededRandom): string {
  const [country, account] = random.pick([
    ['DE', charsOf(DIGITS, 18, random)],
    ['GB', `${charsOf(UPPER, 4, random)}${charsOf(DIGITS, 14, random)}`],
    ['NL', `${charsOf(UPPER, 4, random)}${charsOf(DIGITS, 10, random)}`],
    ['FR', charsOf(DIGITS, 23, random)],
    ['ES', charsOf(DIGITS, 20, random)],
    ['PL', charsOf(DIGITS, 24, random)],
  ] as const);
  const numeric = [...`${account}${country}00`].map((char) => Number.parseInt(char, 36)).join('');
  const check = 98n - (BigInt(numeric) % 97n);
  const whole = `${country}${String(check).padStart(2, '0')}${account}`;
  return random.chance(0.5) ? whole : (whole.match(/.{1,4}/g) ?? []).join(' ');
}

function cpf(random: SeededRandom): string {
  let digits = charsOf(DIGITS, 9, random);
  for (const length of [9, 10]) {
    const sum = [...digits].reduce((total, digit, i) => total + Number(digit) * (length + 1 - i), 0);
    digits += String(((sum * 10) % 11) % 10);
  }
  return digits.replace(/(...)(...)(...)(..)/, '$1.$2.$3-$4');
}

function nir(random: SeededRandom): string {
  const month = String(1 + random.below(12)).padStart(2, '0');
  const body = `${1 + random.below(2)}${charsOf(DIGITS, 2, random)}${month}75${charsOf(DIGITS, 6, random)}`;
  const key = String(97n - (BigInt(body) % 97n)).padStart(2, '0');
  const all = `${body}${key}`;
  return random.chance(0.5) ? all : all.replace(/(.)(..)(..)(..)(...)(...)(..)/, '$1 $2 $3 $4 $5 $6 $7');
}

const ODD: Readonly<Record<string, number>> = Object.fromEntries(
  [...'0123456789']
    .map((char, i) => [char, [1, 0, 5, 7, 9, 13, 15, 17, 19, 21][i] ?? 0])
    .concat(
      [...UPPER].map((char, i) => [
        char,
        [1, 0, 5, 7, 9, 13, 15, 17, 19, 21, 2, 4, 18, 20, 11, 3, 6, 8, 12, 14, 16, 10, 22, 25, 24, 23][i] ??
          0,
      ]),
    ),
);

function codiceFiscale(random: SeededRandom): string {
  const body = `${charsOf(UPPER, 6, random)}${charsOf(DIGITS, 2, random)}${random.pick([...'ABCDEHLMPRST'])}${charsOf(DIGITS, 2, random)}${charsOf(UPPER, 1, random)}${charsOf(DIGITS, 3, random)}`;
  const sum = [...body].reduce(
    (total, char, i) =>
      total +
      (i % 2 === 0 ? (ODD[char] ?? 0) : (Number.parseInt(char, 36) % 10 ** 9) - (/\d/.test(char) ? 0 : 10)),
    0,
  );
  return `${body}${UPPER.charAt(sum % 26)}`;
}

function dni(random: SeededRandom): string {
  const digits = charsOf(DIGITS, 8, random);
  return `${digits}${'TRWAGMYFPDXBNJZSQVHLCKE'.charAt(Number(digits) % 23)}`;
}

/** Dihedral group of order ten, computed and not copied: rotations 0 to 4, reflections 5 to 9. */
function product(a: number, b: number): number {
  if (a < 5) return b < 5 ? (a + b) % 5 : 5 + ((a + b - 5) % 5);
  return b < 5 ? 5 + ((a - b + 5) % 5) : (a - b + 5) % 5;
}

function aadhaar(random: SeededRandom): string {
  const body = `${2 + random.below(8)}${charsOf(DIGITS, 10, random)}`;
  const step = [1, 5, 7, 6, 2, 8, 3, 0, 9, 4];
  const permuted = (digit: number, times: number): number =>
    times === 0 ? digit : permuted(step[digit] ?? 0, times - 1);
  const check = [...`${body}0`]
    .reverse()
    .reduce((total, digit, i) => product(total, permuted(Number(digit), i % 8)), 0);
  const inverse = check < 5 ? (5 - check) % 5 : check;
  return `${body}${inverse}`.replace(/(....)(....)(....)/, '$1 $2 $3');
}

const MAKERS: readonly ((random: SeededRandom) => PersonalValue)[] = [
  (random) => ({
    kind: 'email',
    value: `${random.pick(FIRST)}.${random.pick(LAST)}${random.below(100)}@${random.pick(DOMAINS)}`,
  }),
  (random) => ({ kind: 'phone', value: phone(random) }),
  (random) => ({
    kind: 'phone',
    value: `0${charsOf(DIGITS, 2, random)} ${charsOf(DIGITS, 7, random)}`,
    names: ['phone', 'tel', 'mobileNumber', 'billing[phone]', 'customer.telephone'],
  }),
  (random) => ({
    kind: 'person',
    value: `Xq${charsOf(LOWER, 6, random)}`,
    names: ['first_name', 'lastName', 'customer[full_name]', 'surname', 'billing_lastname'],
  }),
  (random) => ({
    kind: 'person',
    value: `19${charsOf(DIGITS, 2, random)}-01-31`,
    names: ['dob', 'date_of_birth', 'birthday'],
  }),
  (random) => ({
    kind: 'person',
    value: `${10 + random.below(89)} Xq${charsOf(LOWER, 6, random)} Street`,
    names: ['street', 'shipping_address', 'address1'],
  }),
  (random) => ({ kind: 'card', value: grouped(cardNumber(random), random.pick([' ', '-'])) }),
  (random) => ({
    kind: 'card',
    value: cardNumber(random),
    names: ['card', 'cc_number', 'cardNumber', 'payment[card]'],
  }),
  (random) => ({ kind: 'iban', value: iban(random) }),
  (random) => ({
    kind: 'secret',
    value: `eyJ${charsOf(BASE64URL, 17, random)}.eyJ${charsOf(BASE64URL, 40, random)}.${charsOf(BASE64URL, 43, random)}`,
  }),
  (random) => ({
    kind: 'secret',
    value: random.pick([
      charsOf(HEX, 32, random),
      charsOf(BASE64URL, 22, random),
      charsOf(BASE62, 12, random),
    ]),
    names: [
      'token',
      'resetToken',
      'sid',
      'session_id',
      'api-key',
      'auth.key',
      'sig',
      'access_token',
      'PHPSESSID',
    ],
  }),
  (random) => ({
    kind: 'secret',
    value: `${charsOf(LOWER, 8, random)}${random.below(9)}!`,
    names: ['password', 'pwd', 'new_password', 'user[password]'],
  }),
  (random) => ({ kind: 'secret', value: charsOf(DIGITS, 6, random), names: ['otp', 'otp_code'] }),
  (random) => ({
    kind: 'secret',
    value: `${random.pick(['reset-password', 'verify', 'invite', 'magic-link'])}/${random.pick([charsOf(HEX, 32, random), charsOf(BASE64URL, 43, random)])}`,
  }),
  (random) => ({
    kind: 'national_id',
    value: `${100 + random.below(550)}-${10 + random.below(89)}-${1000 + random.below(8_999)}`,
  }),
  (random) => ({
    kind: 'national_id',
    value: `AB ${charsOf(DIGITS, 2, random)} ${charsOf(DIGITS, 2, random)} ${charsOf(DIGITS, 2, random)} C`,
  }),
  (random) => ({
    kind: 'national_id',
    value: `CE${charsOf(DIGITS, 6, random)}D`,
    names: ['nino', 'national_insurance'],
  }),
  (random) => ({ kind: 'national_id', value: cpf(random) }),
  (random) => ({ kind: 'national_id', value: nir(random) }),
  (random) => ({ kind: 'national_id', value: codiceFiscale(random) }),
  (random) => ({ kind: 'national_id', value: dni(random) }),
  (random) => ({ kind: 'national_id', value: aadhaar(random) }),
];

export const personalValue = (random: SeededRandom): PersonalValue => random.pick(MAKERS)(random);
