// National phone numbers to E.164 by Google's numbering plans, as libphonenumber-js carries them. Guarantees: total; a
// number is possible (its length exists in its country), not necessarily assigned: plans change more often than releases.
// Digits that no local number has, and that are a number of another country once a plus stands before them, are that
// number: shops often drop the plus. Where both can be, the local one is meant: send numbers with their country code.
import { type CountryCode, isSupportedCountry, parsePhoneNumberFromString } from 'libphonenumber-js/min';

/** As `IdentityLookups.nationalPhone`. */
export function nationalPhone(phone: string, country: string): string | null {
  const known: CountryCode | undefined = isSupportedCountry(country) ? country : undefined;
  if (known === undefined && !phone.startsWith('+')) return null;
  const parsed =
    known === undefined
      ? parsePhoneNumberFromString(phone)
      : parsePhoneNumberFromString(phone, { defaultCountry: known, extract: false });
  if (known !== undefined && parsed?.isValid() !== true) {
    const foreign =
      phone.startsWith('+') || phone.startsWith('0') ? undefined : parsePhoneNumberFromString(`+${phone}`);
    if (foreign?.isValid()) return foreign.number;
  }
  return parsed?.isPossible() ? parsed.number : null;
}
