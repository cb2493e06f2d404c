// Countries and subdivisions by code or name, from the ISO 3166 lists, plus the names people use instead of the
// official ones. Guarantees: total; case, accents, spaces and punctuation make no difference; codes win over names.
import { iso31661, iso31661Alpha3ToAlpha2, iso31662 } from 'iso-3166';
import { COUNTRY_ALIASES, REGION_ALIASES } from './region-aliases.ts';

const MARKS = /\p{M}+/gu;
const NOT_WORD = /[^\p{L}\p{N}]+/gu;
const PLAIN = /^[a-z0-9]+$/;

/** What two spellings of a name have in common. */
function fold(name: string): string {
  const lower = name.toLowerCase();
  if (PLAIN.test(lower)) return lower;
  return lower.normalize('NFD').replace(MARKS, '').replace(NOT_WORD, '');
}

function buildCountries(): ReadonlyMap<string, string> {
  const countries = new Map<string, string>();
  for (const { alpha2, name } of iso31661) {
    countries.set(fold(name), alpha2);
    // "Bolivia, Plurinational State of" is also called by what stands before the comma; the two Congos and Koreas are not.
    const [short, ...rest] = name.split(',');
    if (rest.length > 0 && short !== undefined && !countries.has(fold(short)))
      countries.set(fold(short), alpha2);
  }
  countries.delete('korea');
  for (const [alias, alpha2] of COUNTRY_ALIASES) countries.set(fold(alias), alpha2);
  for (const [alpha3, alpha2] of Object.entries(iso31661Alpha3ToAlpha2)) countries.set(fold(alpha3), alpha2);
  for (const { alpha2 } of iso31661) countries.set(fold(alpha2), alpha2);
  return countries;
}

/** "Madrid, Comunidad de" is also "Madrid" and "Comunidad de Madrid". */
function turned(name: string): readonly string[] {
  const [first, ...rest] = name.split(', ');
  return first === undefined || rest.length === 0 ? [] : [first, [...rest, first].join(' ')];
}

function buildRegions(country: string): ReadonlyMap<string, string> {
  const prefix = `${country}-`;
  // A country's own divisions before divisions of divisions, so that of two with one name the larger is meant.
  const subdivisions = iso31662
    .filter(({ code }) => code.startsWith(prefix))
    .sort((a, b) => a.parent.length - b.parent.length);
  const regions = new Map<string, string>();
  const addNames = (spellings: (name: string) => readonly string[]): void => {
    for (const { code, name } of subdivisions) {
      for (const spelling of spellings(name)) {
        if (!regions.has(fold(spelling))) regions.set(fold(spelling), code.slice(3));
      }
    }
  };
  addNames((name) => [name]);
  addNames(turned);
  for (const [alias, code] of REGION_ALIASES) {
    if (code.startsWith(prefix)) regions.set(fold(alias), code.slice(3));
  }
  for (const { code } of subdivisions) regions.set(fold(code.slice(3)), code.slice(3));
  return regions;
}

const COUNTRIES = buildCountries();
const ASSIGNED: ReadonlySet<string> = new Set(iso31661.map(({ alpha2 }) => alpha2));
const NONE: ReadonlyMap<string, string> = new Map();
/** Built when a country is first asked for: five thousand names are too many for a cold start that needs fifty. */
const regionsByCountry = new Map<string, ReadonlyMap<string, string>>();

function regionsOf(country: string): ReadonlyMap<string, string> {
  const built = regionsByCountry.get(country);
  if (built !== undefined) return built;
  const regions = ASSIGNED.has(country) ? buildRegions(country) : NONE;
  if (regions !== NONE) regionsByCountry.set(country, regions);
  return regions;
}

/** As `IdentityLookups.countryCode`. */
export function countryCode(name: string): string | null {
  return COUNTRIES.get(fold(name)) ?? null;
}

/** As `IdentityLookups.regionCode`. */
export function regionCode(name: string, country: string): string | null {
  return regionsOf(country).get(fold(name)) ?? null;
}
