// IBANs within a text: country, length and structure of the register, remainder 97. Pure, linear.
import { remainder } from './check-digits.ts';

/** What follows country and check digits: digits (n), letters (a), either (c). https://www.swift.com/standards/data-standards/iban-international-bank-account-number */
const STRUCTURES: ReadonlyMap<string, RegExp> = new Map(
  (
    'AD8n12c AE19n AL8n16c AT16n AZ4a20c BA16n BE12n BG4a6n8c BH4a14c BR23n1a1c BY4c4n16c CH5n12c CR18n CY8n16c CZ20n DE18n ' +
    'DK14n DO4c20n EE16n EG25n ES20n FI14n FO14n FR10n11c2n GB4a14n GE2a16n GI4a15c GL14n GR7n16c GT4c20c HR17n HU24n IE4a14n ' +
    'IL19n IQ4a15n IS22n IT1a10n12c JO4a4n18c KW4a22c KZ3n13c LB4n20c LC4a24c LI5n12c LT16n LU3n13c LV4a13c LY21n MC10n11c2n ' +
    'MD2c18c ME18n MK3n10c2n MR23n MT4a5n18c MU4a19n3a NL4a10n NO11n PK4a16c PL24n PS4a21c PT21n QA4a21c RO4a16c RS18n SA2n18c ' +
    'SC4a20n3a SE20n SI15n SK20n SM1a10n12c ST21n SV4a20n TL19n TN20n TR6n16c UA6n19c VA18n VG4a16n XK16n'
  )
    .split(' ')
    .map((entry) => [entry.slice(0, 2), patternOf(entry.slice(2))]),
);

function patternOf(structure: string): RegExp {
  const classes: Readonly<Record<string, string>> = { n: '\\d', a: '[A-Z]', c: '[A-Z\\d]' };
  return new RegExp(`^${structure.replace(/(\d+)([nac])/g, (_, n, kind) => `${classes[kind]}{${n}}`)}`);
}

const START = /(?<![\p{L}\d])([a-z]{2})\d{2}(?=[ -]?[a-z\d])/giu;
/** 34 characters and the blanks between groups of four. */
const LENGTH_MAX = 44;

export function hasIban(text: string): boolean {
  for (const match of text.matchAll(START)) {
    const country = match[1]?.toUpperCase() ?? '';
    const structure = STRUCTURES.get(country);
    if (structure === undefined) continue;
    const [window = ''] =
      text.slice(match.index, match.index + LENGTH_MAX).match(/^[a-z\d]+(?:[ -][a-z\d]+)*/i) ?? [];
    const compact = window.replace(/[ -]/g, '').toUpperCase();
    const [account] = compact.slice(4).match(structure) ?? [];
    if (account === undefined) continue;
    if (endsAWord(window, account.length + 4) && passes(compact.slice(0, 4), account)) return true;
  }
  return false;
}

/** Whether a word of the text ends with this many letters and digits: a longer code is another thing. */
function endsAWord(window: string, length: number): boolean {
  let seen = 0;
  for (let i = 0; i < window.length; i++) {
    if (/[ -]/.test(window.charAt(i))) continue;
    seen += 1;
    if (seen === length) return i + 1 === window.length || /[ -]/.test(window.charAt(i + 1));
  }
  return false;
}

const passes = (head: string, account: string): boolean =>
  remainder(
    `${account}${head}`.replace(/[A-Z]/g, (letter) => String(letter.charCodeAt(0) - 55)),
    97,
  ) === 1;
