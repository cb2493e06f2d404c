// Countries and subdivisions by code or name, from the ISO 3166 lists, plus the names people use instead of the
// official ones. Guarantees: total; case, accents, spaces and punctuation make no difference; codes win over names.
import { COUNTRY_LIST } from './country-list.ts';
import { COUNTRY_ALIASES, REGION_ALIASES } from './region-aliases.ts';
import { SUBDIVISION_LIST } from './subdivision-list.ts';

const MARKS = /\p{M}+/gu;
const NOT_WORD = /[^\p{L}\p{N}]+/gu;
const PLAIN = /^[a-z0-9]+$/;

/** What two spellings of a name have in common. */
function fold(name: string): string {
  const lower = name.toLowerCase();
  if (PLAIN.test(lower)) return lower;
  return lower.normalize('NFD').replace(MARKS, '').replace(NOT_WORD, '');
}

interface Country {
  readonly alpha2: string;
  readonly alpha3: string;
  readonly name: string;
}

function buildCountries(): ReadonlyMap<string, string> {
  const listed = COUNTRY_LIST.map(
    (line): Country => ({ alpha2: line.slice(0, 2), alpha3: line.slice(3, 6), name: line.slice(7) }),
  );
  const countries = new Map<string, string>();
  for (const { alpha2, name } of listed) {
    countries.set(fold(name), alpha2);
    // "Bolivia, Plurinational State of" is also called by what stands before the comma; the two Congos and Koreas are not.
    const [short, ...rest] = name.split(',');
    if (rest.length > 0 && short !== undefined && !countries.has(fold(short)))
      countries.set(fold(short), alpha2);
  }
  countries.delete('korea');
  for (const [alias, alpha2] of COUNTRY_ALIASES) countries.set(fold(alias), alpha2);
  for (const { alpha2, alpha3 } of listed) countries.set(fold(alpha3), alpha2);
  for (const { alpha2 } of listed) countries.set(fold(alpha2), alpha2);
  return countries;
}

/** "Madrid, Comunidad de" is also "Madrid" and "Comunidad de Madrid". */
function turned(name: string): readonly string[] {
  const [first, ...rest] = name.split(', ');
  return first === undefined || rest.length === 0 ? [] : [first, [...rest, first].join(' ')];
}

function buildRegions(country: string): ReadonlyMap<string, string> {
  const subdivisions = (SUBDIVISION_LIST[country] ?? '').split('|').map((entry) => {
    const nameAt = entry.indexOf('=') + 1;
    return { code: entry.slice(0, nameAt - 1), name: entry.slice(nameAt) };
  });
  const regions = new Map<string, string>();
  // The list has a country's own divisions before divisions of divisions: of two with one name the larger is meant.
  const addNames = (spellings: (name: string) => readonly string[]): void => {
    for (const { code, name } of subdivisions) {
      for (const spelling of spellings(name)) {
        if (!regions.has(fold(spelling))) regions.set(fold(spelling), code);
      }
    }
  };
  addNames((name) => [name]);
  addNames(turned);
  for (const [alias, code] of REGION_ALIASES) {
    if (code.startsWith(`${country}-`)) regions.set(fold(alias), code.slice(3));
  }
  for (const { code } of subdivisions) regions.set(fold(code), code);
  return regions;
}

/** Built when first asked for: thousands of names are too many for a cold start that needs one of them. */
let countriesByName: ReadonlyMap<string, string> | undefined;
const regionsByCountry = new Map<string, ReadonlyMap<string, string>>();

function regionsOf(country: string): ReadonlyMap<string, string> | undefined {
  const built = regionsByCountry.get(country);
  if (built !== undefined || !Object.hasOwn(SUBDIVISION_LIST, country)) return built;
  const regions = buildRegions(country);
  regionsByCountry.set(country, regions);
  return regions;
}

/** As `IdentityLookups.countryCode`. */
export function countryCode(name: string): string | null {
  countriesByName ??= buildCountries();
  return countriesByName.get(fold(name)) ?? null;
}

/** As `IdentityLookups.regionCode`. */
export function regionCode(name: string, country: string): string | null {
  return regionsOf(country)?.get(fold(name)) ?? null;
}
