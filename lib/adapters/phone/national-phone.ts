// National phone numbers to E.164 by Google's numbering plans, as libphonenumber-js carries them. Guarantees: total; a
// number is possible (its length exists in its country), not necessarily assigned: plans change more often than releases.
// Where many lengths are possible (Germany, Austria) a foreign number without its plus is read as a local one: numbers
// should be sent with their country code.
import { type CountryCode, isSupportedCountry, parsePhoneNumberFromString } from 'libphonenumber-js/min';

/** As `IdentityLookups.nationalPhone`. */
export function nationalPhone(phone: string, country: string): string | null {
  const known: CountryCode | undefined = isSupportedCountry(country) ? country : undefined;
  if (known === undefined && !phone.startsWith('+')) return null;
  const parsed =
    known === undefined
      ? parsePhoneNumberFromString(phone)
      : parsePhoneNumberFromString(phone, { defaultCountry: known, extract: false });
  return parsed?.isPossible() ? parsed.number : null;
}
