// City, state, postal code and country. Guarantees: state and country are always codes. Refuses names that no table has
// (`unknown_state`, `unknown_country`): their hashes would match no person.
import { sha256 } from './digest.ts';
import { type IdentityDraft, note, readHashable } from './draft.ts';
import { asciiAlnum, asciiDigits, lowercase, wordCharacters } from './letters.ts';

/** @returns ISO 3166-1 alpha-2, uppercase; empty when unknown */
export function addCountry(draft: IdentityDraft): string {
  const value = readHashable(draft, 'country', draft.userData.country);
  if (value === null) return '';
  if (value.digest !== null) {
    draft.hashed.country = value.digest;
    return '';
  }
  const code = draft.lookups.countryCode(value.text) ?? draft.lookups.countryCode(inOrder(value.text));
  if (code === null) {
    note(draft, 'country', 'unknown_country');
    return '';
  }
  draft.hashed.country = sha256(code.toLowerCase());
  draft.plain.country = code;
  return code;
}

/** `Korea, South`, as lists that are sorted by the name have it. */
function inOrder(name: string): string {
  const [first = '', second = '', ...more] = name.split(', ');
  return more.length > 0 ? name : `${second} ${first}`.trim();
}

export function addCity(draft: IdentityDraft): void {
  const { hashed } = draft;
  const value = readHashable(draft, 'city', draft.userData.city);
  if (value === null) return;
  if (value.digest !== null) {
    hashed.city = value.digest;
    hashed.cityAlnum = value.digest;
    return;
  }
  const city = wordCharacters(value.text);
  if (city === '') {
    note(draft, 'city', 'empty');
    return;
  }
  draft.plain.city = value.text;
  const alnum = asciiAlnum(city);
  hashed.city = sha256(city);
  if (alnum !== '') hashed.cityAlnum = alnum === city ? hashed.city : sha256(alnum);
}

const SUBDIVISION_CODE = /^[A-Za-z0-9]{1,3}$/;
const PREFIXED_CODE = /^([A-Za-z]{2})-([A-Za-z0-9]{1,3})$/;

/**
 * The subdivision code, uppercase, or null. A code that no table has is kept outside the US, because tables lag behind.
 */
function stateCode(draft: IdentityDraft, text: string, country: string): string | null {
  const prefixed = PREFIXED_CODE.exec(text);
  const prefix = prefixed?.[1]?.toUpperCase();
  if (prefixed !== null && prefix !== undefined && (country === '' || country === prefix)) {
    return draft.lookups.regionCode(prefixed[2] ?? '', prefix);
  }
  // Without a country only names of US states are looked up: the fallback the contract promises.
  const known = draft.lookups.regionCode(text, country === '' ? 'US' : country);
  if (known !== null) return known;
  return country !== 'US' && SUBDIVISION_CODE.test(text) ? text.toUpperCase() : null;
}

/** @param country ISO 3166-1 alpha-2, uppercase; empty when unknown */
export function addState(draft: IdentityDraft, country: string): void {
  const { hashed } = draft;
  const value = readHashable(draft, 'state', draft.userData.state);
  if (value === null) return;
  if (value.digest !== null) {
    hashed.state = value.digest;
    hashed.stateAlnum = value.digest;
    return;
  }
  const code = stateCode(draft, value.text, country);
  if (code !== null) {
    hashed.state = sha256(code.toLowerCase());
    hashed.stateAlnum = hashed.state;
    draft.plain.region = code;
    return;
  }
  note(draft, 'state', 'unknown_state');
  const alnum = asciiAlnum(value.text);
  if (alnum !== '') hashed.stateAlnum = sha256(alnum);
}

/** Countries and territories that use the ZIP codes of the US. */
const ZIP_COUNTRIES: ReadonlySet<string> = new Set(['US', 'PR', 'GU', 'VI', 'AS', 'MP', 'UM']);
const SPACES_AND_HYPHENS = /[\s\p{Pd}]+/gu;
const SPACES = /\s+/g;
const ZIP = /^\d{5}$/;
const ZIP_PLUS_FOUR = /^\d{5}-?\d{4}$/;
const ZIP_PLUS_FOUR_HYPHENATED = /^\d{5}-\d{4}$/;
/** Meta's SDK for Java refuses shorter ones, and no country has them. */
const POSTAL_CODE_MIN_CHARS = 2;

/** Codes of five digits that may begin with zeros, which spreadsheets drop; of some also with two. */
const ZEROS_IN_FRONT: Readonly<Record<string, number>> = {
  ...{ US: 1, DE: 1, FR: 1, ES: 1, MX: 1, TR: 1, UA: 1, KR: 1, MY: 1, SK: 1 },
  ...{ PR: 2, VI: 2, IT: 2 },
};
/** Where the sign of the country before the code is a habit of letters; Latvia's and Lithuania's are part of the code. */
const SIGNS: Readonly<Record<string, string>> = {
  ...{ DE: 'D', FR: 'F', AT: 'A', IT: 'I', ES: 'E', BE: 'B', SE: 'S', NL: 'NL', CH: 'CH', DK: 'DK' },
  ...{ NO: 'N', FI: 'FIN', PT: 'P', PL: 'PL' },
};
const SIGNED = /^([A-Za-z]{1,3})-(\d.*)$/;

interface PostalCode {
  readonly code: string;
  readonly plusFour: boolean;
  /** Zeros were put back, or a sign was taken off. */
  readonly isRepaired?: true;
}

function withZeros(code: string, country: string): string {
  const lost = 5 - code.length;
  const isShort = /^\d+$/.test(code) && lost > 0 && lost <= (ZEROS_IN_FRONT[country] ?? 0);
  return isShort ? code.padStart(5, '0') : code;
}

function withoutSign(text: string, country: string): string {
  const [, sign = '', rest = ''] = SIGNED.exec(text) ?? [];
  return [SIGNS[country], country].includes(sign.toUpperCase()) && SIGNS[country] !== undefined ? rest : text;
}

function postalCode(text: string, country: string): PostalCode | null {
  const given = asciiDigits(text).replace(SPACES, '');
  const spaceless = withZeros(withoutSign(given, country), country);
  const found = codeIn(spaceless, country);
  return found === null || spaceless === given ? found : { ...found, isRepaired: true };
}

function codeIn(spaceless: string, country: string): PostalCode | null {
  if (ZIP_COUNTRIES.has(country)) {
    const zip = ZIP.test(spaceless) ? spaceless : spaceless.replace(SPACES_AND_HYPHENS, '');
    if (ZIP.test(zip)) return { code: zip, plusFour: false };
    return ZIP_PLUS_FOUR.test(zip) ? { code: zip.slice(0, 5), plusFour: true } : null;
  }
  // Five digits, hyphen, four digits: a US code if the country is unknown.
  if (country === '' && ZIP_PLUS_FOUR_HYPHENATED.test(spaceless)) {
    return { code: spaceless.slice(0, 5), plusFour: true };
  }
  const code = lowercase(spaceless.replace(SPACES_AND_HYPHENS, ''));
  return code.length < POSTAL_CODE_MIN_CHARS ? null : { code, plusFour: false };
}

/** `zip`, or `postal_code` if that is empty. @param country ISO 3166-1 alpha-2, uppercase; empty when unknown */
export function addPostalCode(draft: IdentityDraft, country: string): void {
  addPostalCodeOf(draft, 'zip', country) || addPostalCodeOf(draft, 'postal_code', country);
}

function addPostalCodeOf(draft: IdentityDraft, field: 'zip' | 'postal_code', country: string): boolean {
  const value = readHashable(draft, field, draft.userData[field]);
  if (value === null) return false;
  if (value.digest !== null) {
    draft.hashed.postalCode = value.digest;
    return true;
  }
  const postal = postalCode(value.text, country);
  if (postal === null) {
    note(draft, field, 'malformed');
    return false;
  }
  if (postal.plusFour) note(draft, field, 'zip_plus_four');
  if (postal.isRepaired === true) note(draft, field, 'malformed');
  draft.hashed.postalCode = sha256(postal.code);
  draft.plain.postalCode = postal.isRepaired === true ? postal.code : value.text;
  return true;
}
